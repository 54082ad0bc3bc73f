import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Schemas } from '../../src/contract/types.ts';
import { fieldHashes } from '../../src/domain/fingerprint.ts';
import { hashSecret, makeSecret } from '../../src/domain/token.ts';
import { onServer } from '../../test/helper/test-database.ts';

/** A company with a production credential of write access, on the plan Especial. */
export interface SampleCompany {
  readonly token: string;
  /** Its first thousand jobs. */
  readonly jobIds: readonly number[];
}

export interface SampleCompanies {
  readonly companies: readonly SampleCompany[];
  /** The body of a create; without markup, so that no server sanitizes. */
  readonly job: Schemas['JobInput'];
  readonly bytes: number;
}

/** Which jobs are loaded. Both SQL expressions are over `place`, the number of a job from 0. */
export interface Layout {
  readonly companies: number;
  readonly jobs: number;
  /** The number of the job's company, from 1. */
  readonly company: string;
  /** The number of the job within its company; of ten, one is pending, two inactive, and one active one has expired. */
  readonly nth?: string;
  /** The length of a job's body; at most 2,000. */
  readonly bodyLength?: number;
  /** Only the first so many companies are given back. */
  readonly sampled: number;
}

const jobsPerStatement = 50_000;
const paragraph =
  'A equipa de produto tem seis pessoas e mantém as interfaces de programação que os nossos clientes usam todos os dias. ' +
  'Trabalhamos em TypeScript sobre Node.js e PostgreSQL, com revisão de código, testes automáticos e entregas semanais. ';

/** Loads companies of `jobs` jobs each. */
export const loadCompanies = (url: string, companies: number, jobs: number): Promise<SampleCompanies> =>
  loadLayout(url, { companies, jobs: companies * jobs, company: `1 + place / ${jobs}`, sampled: companies });

/** Loads companies and jobs into a migrated database that has its reference data and no company. */
export async function loadLayout(
  url: string,
  layout: Layout,
  signal = new AbortController().signal,
): Promise<SampleCompanies> {
  return onServer(url, async (client) => {
    const tokens = Array.from({ length: layout.companies }, (_, index) =>
      makeSecret({ companyId: BigInt(index + 1), environment: 'production' }, randomBytes(24)),
    );
    await insertCompanies(client, tokens);
    const job = sampleJob(layout.bodyLength);
    for (let first = 0; first < layout.jobs; first += jobsPerStatement) {
      signal.throwIfAborted();
      await insertJobs(client, job, layout, [first, Math.min(first + jobsPerStatement, layout.jobs)]);
    }
    await insertWhatFollows(client, job);
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
    return readBack(client, tokens, job, layout.sampled);
  });
}

/** Each with a credential and a plan without a posting limit. */
async function insertCompanies(client: pg.Client, tokens: readonly string[]): Promise<void> {
  await client.query(
    `WITH made AS (SELECT * FROM unnest($1::bytea[], $2::text[]) WITH ORDINALITY AS made (hash, last_four, id)),
     companies AS (
       INSERT INTO companies (id, name, verified, production_approved_at)
       SELECT id, 'Oficina de Software', true, now() FROM made),
     subscribed AS (
       INSERT INTO subscriptions (company_id, plan_id, started_on)
       SELECT made.id, plans.id, date_trunc('month', now())::date FROM made, plans WHERE plans.name = 'Especial')
     INSERT INTO credentials (company_id, environment, access, label, secret_hash, last_four, created_at, expires_at)
     SELECT id, 'production', 'write', 'bench', hash, last_four, now(), now() + interval '30 days' FROM made`,
    [tokens.map((token) => Buffer.from(hashSecret(token))), tokens.map((token) => token.slice(-4))],
  );
}

const sampleJob = (bodyLength = 4 * paragraph.length): Schemas['JobInput'] => ({
  title: 'Programador TypeScript (m/f)',
  body: paragraph.repeat(9).slice(0, bodyLength),
  contact_instructions: 'Envie o currículo por email, com a referência PT-7 no assunto.',
  ...{ category_id: 303, district_id: 13, application_method: 'email', contact_email: 'recrutamento@example.com' },
  requirements: 'Experiência comprovada com TypeScript e bases de dados relacionais.',
  valid_until: new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10),
  ...{ salary_min: 2250, salary_max: 3100.5, salary_negotiable: true, salary_type: 'monthly', experience_years: 3 },
  language_requirements: ['Português', 'Inglês B2'],
  ...{ contract_type: 'full_time', work_modality: 'hibrido', education_level: 'licenciatura' },
});

/** Jobs `from` to `to` of the layout, a moment apart, in the order of their places. */
async function insertJobs(
  client: pg.Client,
  { valid_until, ...job }: Schemas['JobInput'],
  { jobs, company, nth }: Layout,
  [from, to]: readonly [number, number],
): Promise<void> {
  const status = `CASE WHEN nth % 10 = 0 THEN 'pending' WHEN nth % 10 < 3 THEN 'inactive' ELSE 'active' END`;
  const validUntil = `CASE WHEN nth % 10 = 3 THEN current_date - 10 ELSE $4::date END`;
  await client.query(
    `INSERT INTO jobs (company_id, environment, status, valid_until, created_at, updated_at, ${Object.keys(job)})
     SELECT company, 'production', (${nth ? status : `'active'`})::job_status, ${nth ? validUntil : '$4::date'}, at, at,
            ${Object.keys(job).map((name) => `sample.${name}`)}
       FROM (SELECT ${company} AS company, ${nth ?? 'place'} AS nth, now() - ($3 - place) * interval '60 ms' AS at
               FROM generate_series($1::bigint, $2::bigint - 1) AS place) AS made,
            jsonb_populate_record(NULL::jobs, $5::jsonb) AS sample`,
    [from, to, jobs, valid_until, JSON.stringify(job)],
  );
}

/** The rows that the service writes with a job: its key, its first event and its posting. */
const insertWhatFollows = (client: pg.Client, job: Schemas['JobInput']): Promise<unknown> =>
  client.query(
    `WITH keys AS (
       INSERT INTO idempotency_keys (company_id, environment, key, field_hashes, job_id, created_at)
       SELECT company_id, environment, gen_random_uuid(), $1::jsonb, id, created_at FROM jobs),
     events AS (
       INSERT INTO job_events (company_id, environment, job_id, kind, status, actor, created_at)
       SELECT company_id, environment, id, 'created', 'pending', 'credential:' || company_id, created_at FROM jobs)
     INSERT INTO posting_usage (company_id, allowance, period_start, used)
     SELECT company_id, 'subscription', date_trunc('month', now())::date, count(*) FROM jobs GROUP BY company_id`,
    [JSON.stringify(fieldHashes(job))],
  );

async function readBack(
  client: pg.Client,
  tokens: readonly string[],
  job: Schemas['JobInput'],
  sampled: number,
): Promise<SampleCompanies> {
  const { rows } = await client.query<{ company: number; ids: number[]; bytes: number }>(
    `SELECT company_id::int AS company, (array_agg(id::int ORDER BY id))[:1000] AS ids,
            pg_database_size(current_database())::float8 AS bytes
       FROM jobs WHERE company_id <= $1 GROUP BY company_id ORDER BY company_id`,
    [sampled],
  );
  const companies = rows.map(({ company, ids }) => ({ token: tokens[company - 1] ?? '', jobIds: ids }));
  return { companies, job, bytes: rows[0]?.bytes ?? 0 };
}
