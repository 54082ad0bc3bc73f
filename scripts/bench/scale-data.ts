import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { fieldHashes } from '../../src/domain/fingerprint.ts';
import { hashSecret, makeSecret } from '../../src/domain/token.ts';
import { onServer } from './database.ts';
import { type JobInput, sampleJob } from './sample-data.ts';

export const companies = 10_000;
/** The companies that are asked about: at every size each has as many jobs, so that what differs is what the others have. */
const sampledCompanies = 10;
export const sampledJobs = 1000;
/** The one with a tenth of all jobs, where there are enough. */
const bigCompany = 11;
const bigFrom = 10 * sampledJobs;
const othersFrom = 12;

export interface SampledCompany {
  /** A production credential with write access; the plan has no posting limit. */
  readonly token: string;
  readonly id: number;
  readonly jobIds: readonly number[];
}

export interface ScaleData {
  readonly jobs: number;
  readonly sampled: readonly SampledCompany[];
  readonly big: { readonly token: string; readonly jobs: number } | undefined;
  /** What a create sends; no markup, so that nothing is sanitized. */
  readonly job: JobInput;
  readonly lastJobId: number;
  readonly bytes: number;
}

/** Loads the companies and `jobs` jobs into a migrated database, with an event and an idempotency key for each job. */
export async function loadScaleData(
  url: string,
  jobs: number,
  withBig: boolean,
  signal: AbortSignal,
): Promise<ScaleData> {
  return onServer(url, async (client) => {
    const tokens = Array.from({ length: companies }, (_, index) =>
      makeSecret({ companyId: BigInt(index + 1), environment: 'production' }, randomBytes(24)),
    );
    await loadCompanies(client, tokens, signal);
    const job = await sampleJob(client);
    const body = job.body.repeat(4).slice(0, 1200);
    const whole = { ...job, body };
    await copyJobs(client, whole, jobs, withBig && jobs >= bigFrom, signal);
    await followJobs(client, whole, signal);
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
    return readBack(client, tokens, whole, jobs);
  });
}

async function loadCompanies(client: pg.Client, tokens: readonly string[], signal: AbortSignal): Promise<void> {
  const { rows } = await client.query<{ id: number; now: string }>(
    `SELECT id, now()::text AS now FROM plans WHERE name = 'Especial'`,
  );
  const { id: plan, now } = rows[0] ?? {};
  if (plan === undefined || now === undefined) throw new Error('the reference data is missing');
  const until = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const ids = tokens.map((_, index) => index + 1);
  const copy = (table: string, lines: Iterable<string>) => copyInto(client, table, lines, signal);
  await copy(
    'companies (id, name, verified, production_approved_at)',
    rowsOf(ids, (id) => [id, `Oficina ${id}`, 't', now]),
  );
  await copy(
    'subscriptions (company_id, plan_id, started_on)',
    rowsOf(ids, (id) => [id, plan, `${now.slice(0, 8)}01`]),
  );
  await copy(
    'credentials (company_id, environment, access, label, secret_hash, last_four, created_at, expires_at)',
    rowsOf(tokens, (token, index) => {
      const hash = `\\\\x${Buffer.from(hashSecret(token)).toString('hex')}`;
      return [index + 1, 'production', 'write', 'bench', hash, token.slice(-4), now, until];
    }),
  );
}

/**
 * Whose the job at each place of the table is, and which of theirs. The jobs of a company lie as far apart as if all companies had
 * posted in turn.
 */
function ownerAt(place: number, jobs: number, withBig: boolean): { company: number; nth: number } {
  const stride = jobs / sampledJobs;
  const turn = Math.floor(place / stride);
  if (place % stride === 0) return { company: 1 + (turn % sampledCompanies), nth: Math.floor(turn / sampledCompanies) };
  if (withBig && place % 10 === 1) return { company: bigCompany, nth: Math.floor(place / 10) };
  const others = companies - othersFrom + 1;
  return { company: othersFrom + (place % others), nth: Math.floor(place / others) };
}

/** Of ten jobs of a company one is pending, two are inactive, and one of the seven active ones has passed its last day. */
function standingOf(nth: number): { status: string; validDays: number } {
  const tenth = nth % 10;
  if (tenth === 0) return { status: 'pending', validDays: 60 };
  if (tenth < 3) return { status: 'inactive', validDays: 60 };
  return { status: 'active', validDays: tenth === 3 ? -10 : 60 };
}

function copyJobs(
  client: pg.Client,
  job: JobInput,
  jobs: number,
  withBig: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { valid_until: _, ...constant } = job;
  const columns = [
    'company_id',
    'status',
    'valid_until',
    'created_at',
    'updated_at',
    'environment',
    ...Object.keys(constant),
  ];
  const rest = ['production', ...Object.values(constant)].map(cell).join('\t');
  const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const days = new Map([60, -10].map((after) => [after, dayAfter(after)]));
  const start = Date.now() - jobs * 60;
  function* lines(): Generator<string> {
    for (let place = 0; place < jobs; place++) {
      const { company, nth } = ownerAt(place, jobs, withBig);
      const { status, validDays } = standingOf(nth);
      const at = new Date(start + place * 60).toISOString();
      yield `${company}\t${status}\t${days.get(validDays)}\t${at}\t${at}\t${rest}\n`;
    }
  }
  return copyInto(client, `jobs (${columns.join(', ')})`, lines(), signal);
}

/** What the service writes with a job: its key and its first event. */
async function followJobs(client: pg.Client, job: JobInput, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await client.query(
    `INSERT INTO idempotency_keys (company_id, environment, key, field_hashes, job_id, created_at)
     SELECT company_id, environment, gen_random_uuid(), $1::jsonb, id, created_at FROM jobs`,
    [JSON.stringify(fieldHashes(job))],
  );
  signal.throwIfAborted();
  await client.query(
    `INSERT INTO job_events (company_id, environment, job_id, kind, status, actor, created_at)
     SELECT company_id, environment, id, 'created', 'pending', 'credential:' || company_id, created_at FROM jobs`,
  );
  signal.throwIfAborted();
}

/** Deletes what creates have left behind, so that the next load finds as many jobs as this one. */
export function forgetNewJobs(url: string, { sampled, lastJobId }: ScaleData): Promise<void> {
  return onServer(url, async (client) => {
    const values = [sampled.map(({ id }) => id), lastJobId];
    await client.query('DELETE FROM jobs WHERE company_id = ANY ($1::bigint[]) AND id > $2', values);
    await client.query('DELETE FROM idempotency_keys WHERE company_id = ANY ($1::bigint[]) AND job_id > $2', values);
  });
}

async function readBack(client: pg.Client, tokens: readonly string[], job: JobInput, jobs: number): Promise<ScaleData> {
  const { rows } = await client.query<{ company: number; count: number; ids: number[]; last: number; bytes: number }>(
    `SELECT company_id::int AS company, count(*)::int AS count, (array_agg(id::int ORDER BY id))[:200] AS ids,
            (SELECT max(id)::int FROM jobs) AS last, pg_database_size(current_database())::float8 AS bytes
       FROM jobs WHERE company_id <= $1 GROUP BY company_id ORDER BY company_id`,
    [bigCompany],
  );
  const token = (company: number): string => tokens[company - 1] ?? '';
  const big = rows.find(({ company }) => company === bigCompany);
  return {
    jobs,
    sampled: rows
      .filter(({ company }) => company <= sampledCompanies)
      .map(({ company, ids }) => ({ id: company, token: token(company), jobIds: ids })),
    big: big && { token: token(bigCompany), jobs: big.count },
    job,
    lastJobId: rows[0]?.last ?? 0,
    bytes: rows[0]?.bytes ?? 0,
  };
}

async function copyInto(
  client: pg.Client,
  target: string,
  lines: Iterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const copied = client.query(copyFrom(`COPY ${target} FROM STDIN`));
  try {
    await pipeline(Readable.from(inChunks(lines)), copied, { signal });
  } catch (error) {
    // Else it would be said to be aborted, and not by what.
    signal.throwIfAborted();
    throw error;
  }
}

function* rowsOf<T>(items: readonly T[], row: (item: T, index: number) => readonly unknown[]): Generator<string> {
  for (const [index, item] of items.entries()) yield `${row(item, index).join('\t')}\n`;
}

/** As COPY reads it (PostgreSQL, COPY, "Text Format"); nothing here has a tab, a line end or a backslash of its own. */
const cell = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const chunkLines = 200;

function* inChunks(lines: Iterable<string>): Generator<string> {
  let chunk: string[] = [];
  for (const line of lines) {
    if (chunk.push(line) < chunkLines) continue;
    yield chunk.join('');
    chunk = [];
  }
  yield chunk.join('');
}
