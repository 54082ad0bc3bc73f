import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { fieldHashes } from '../../src/domain/fingerprint.ts';
import { hashSecret, makeSecret } from '../../src/domain/token.ts';
import { onServer } from './database.ts';
import { type JobInput, type SampleCompany, sampleJob } from './sample-data.ts';

export const companies = 10_000;
/** The companies that are asked about: at every size each has as many jobs, so that what differs is what the others have. */
const sampledCompanies = 10;
export const sampledJobs = 1000;
/** The one with a tenth of all jobs, where there are enough. */
const bigCompany = 11;
const bigFrom = 10 * sampledJobs;
const othersFrom = 12;
/** Jobs that are made by one statement. */
const chunk = 50_000;

export interface ScaleData {
  readonly jobs: number;
  readonly sampled: readonly SampleCompany[];
  readonly big: (SampleCompany & { readonly jobs: number }) | undefined;
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
    await insertCompanies(client, tokens);
    const sample = await sampleJob(client);
    const job = { ...sample, body: sample.body.repeat(4).slice(0, 1200) };
    for (let first = 0; first < jobs; first += chunk) {
      signal.throwIfAborted();
      await insertJobs(client, job, [first, Math.min(first + chunk, jobs)], jobs, withBig && jobs >= bigFrom);
    }
    signal.throwIfAborted();
    await followJobs(client, job);
    signal.throwIfAborted();
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
    return readBack(client, tokens, job, jobs);
  });
}

/** Numbered from 1, each with a credential and a plan without a posting limit. */
async function insertCompanies(client: pg.Client, tokens: readonly string[]): Promise<void> {
  await client.query(
    `WITH made AS (SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::text[]) AS made (id, hash, last_four)),
     companies AS (
       INSERT INTO companies (id, name, verified, production_approved_at) SELECT id, 'Oficina ' || id, true, now() FROM made),
     subscribed AS (
       INSERT INTO subscriptions (company_id, plan_id, started_on)
       SELECT made.id, plans.id, date_trunc('month', now())::date FROM made, plans WHERE plans.name = 'Especial')
     INSERT INTO credentials (company_id, environment, access, label, secret_hash, last_four, created_at, expires_at)
     SELECT id, 'production', 'write', 'bench', hash, last_four, now(), now() + interval '30 days' FROM made`,
    [
      tokens.map((_, index) => index + 1),
      tokens.map((token) => Buffer.from(hashSecret(token))),
      tokens.map((token) => token.slice(-4)),
    ],
  );
}

/**
 * The jobs of a company lie as far apart as if all companies had posted in turn. Of ten jobs of a company one is pending, two are
 * inactive, and one of the seven active ones has passed its last day.
 */
async function insertJobs(
  client: pg.Client,
  job: JobInput,
  [from, to]: readonly [number, number],
  jobs: number,
  withBig: boolean,
): Promise<void> {
  const { valid_until: _, ...constant } = job;
  const columns = Object.keys(constant).map((name) => `sample.${name}`);
  const owner = (sampled: string, big: string, other: string): string =>
    `CASE WHEN place % $4 = 0 THEN ${sampled} WHEN $5 AND place % 10 = 1 THEN ${big} ELSE ${other} END`;
  const others = companies - othersFrom + 1;
  await client.query(
    `INSERT INTO jobs (company_id, environment, status, valid_until, created_at, updated_at, ${Object.keys(constant)})
     SELECT company, 'production',
            (CASE WHEN nth % 10 = 0 THEN 'pending' WHEN nth % 10 < 3 THEN 'inactive' ELSE 'active' END)::job_status,
            current_date + CASE WHEN nth % 10 = 3 THEN -10 ELSE 60 END, at, at, ${columns}
       FROM (SELECT ${owner(`1 + place / $4 % ${sampledCompanies}`, `${bigCompany}`, `${othersFrom} + place % ${others}`)} AS company,
                    ${owner(`place / $4 / ${sampledCompanies}`, 'place / 10', `place / ${others}`)} AS nth,
                    now() - ($3 - place) * interval '60 ms' AS at
               FROM generate_series($1::bigint, $2::bigint - 1) AS place) AS made,
            jsonb_populate_record(NULL::jobs, $6::jsonb) AS sample`,
    [from, to, jobs, jobs / sampledJobs, withBig, JSON.stringify(constant)],
  );
}

/** What the service writes with a job: its key and its first event. */
async function followJobs(client: pg.Client, job: JobInput): Promise<void> {
  await client.query(
    `INSERT INTO idempotency_keys (company_id, environment, key, field_hashes, job_id, created_at)
     SELECT company_id, environment, gen_random_uuid(), $1::jsonb, id, created_at FROM jobs`,
    [JSON.stringify(fieldHashes(job))],
  );
  await client.query(
    `INSERT INTO job_events (company_id, environment, job_id, kind, status, actor, created_at)
     SELECT company_id, environment, id, 'created', 'pending', 'credential:' || company_id, created_at FROM jobs`,
  );
}

/** Deletes what creates have left behind, so that the next load finds as many jobs as this one. */
export async function forgetNewJobs(url: string, { lastJobId }: ScaleData): Promise<void> {
  await onServer(url, async (client) => {
    await client.query('DELETE FROM jobs WHERE company_id <= $1 AND id > $2', [sampledCompanies, lastJobId]);
    await client.query('DELETE FROM idempotency_keys WHERE company_id <= $1 AND job_id > $2', [
      sampledCompanies,
      lastJobId,
    ]);
  });
}

async function readBack(client: pg.Client, tokens: readonly string[], job: JobInput, jobs: number): Promise<ScaleData> {
  const { rows } = await client.query<{ company: number; count: number; ids: number[]; last: number; bytes: number }>(
    `SELECT company_id::int AS company, count(*)::int AS count, (array_agg(id::int ORDER BY id))[:200] AS ids,
            (SELECT max(id)::int FROM jobs) AS last, pg_database_size(current_database())::float8 AS bytes
       FROM jobs WHERE company_id <= $1 GROUP BY company_id ORDER BY company_id`,
    [bigCompany],
  );
  const found = rows.map(({ company, count, ids }) => ({
    company,
    jobs: count,
    token: tokens[company - 1] ?? '',
    jobIds: ids,
  }));
  return {
    jobs,
    sampled: found.filter(({ company }) => company <= sampledCompanies),
    big: found.find(({ company }) => company === bigCompany),
    job,
    lastJobId: rows[0]?.last ?? 0,
    bytes: rows[0]?.bytes ?? 0,
  };
}
