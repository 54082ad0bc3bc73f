import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Schemas } from '../../src/contract/types.ts';
import { hashSecret, makeSecret } from '../../src/domain/token.ts';
import { fieldHashes } from '../../src/operations/kit/api/fingerprint.ts';
import { onServer } from '../../test/helper/test-database.ts';

export interface Sample {
  /** Companies on the plan Especial. `token` is that of a production credential with write access. */
  readonly companies: readonly { readonly token: string; readonly jobIds: readonly number[] }[];
  /** The body of a request that creates a job. It contains no markup, so that no server has to sanitize it. */
  readonly job: Schemas['JobInput'];
}

/** Companies with the same number of jobs each. A company's jobs are stored far apart, as if the companies had posted in turn. */
export interface Layout {
  readonly companies: number;
  readonly jobsEach: number;
  /** The number of further companies, which are not returned. */
  readonly others?: number;
  /** The number of all jobs, a multiple of `companies * jobsEach`. The further companies have the rest. */
  readonly jobs?: number;
}

const jobsPerStatement = 50_000;
const paragraph =
  'A equipa de produto tem seis pessoas e mantém as interfaces de programação que os nossos clientes usam todos os dias. ' +
  'Trabalhamos em TypeScript sobre Node.js e PostgreSQL, com revisão de código, testes automáticos e entregas semanais. ';
const job: Schemas['JobInput'] = {
  title: 'Programador TypeScript (m/f)',
  body: paragraph.repeat(4),
  contact_instructions: 'Envie o currículo por email, com a referência PT-7 no assunto.',
  ...{ category_id: 303, district_id: 13, application_method: 'email', contact_email: 'recrutamento@example.com' },
  requirements: 'Experiência comprovada com TypeScript e bases de dados relacionais.',
  valid_until: new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10),
  ...{ salary_min: 2250, salary_max: 3100.5, salary_negotiable: true, salary_type: 'monthly', experience_years: 3 },
  language_requirements: ['Português', 'Inglês B2'],
  ...{ contract_type: 'full_time', work_modality: 'hibrido', education_level: 'licenciatura' },
};

/** Loads companies and their jobs into a migrated database that has its reference data and no company. */
export const loadCompanies = (url: string, layout: Layout): Promise<Sample> =>
  onServer(url, async (client) => {
    const { companies, jobsEach, others = 0, jobs = companies * jobsEach } = layout;
    const tokens = Array.from({ length: companies + others }, (_, index) =>
      makeSecret({ companyId: BigInt(index + 1), environment: 'production' }, randomBytes(24)),
    );
    await insertCompanies(client, tokens);
    for (let first = 0; first < jobs; first += jobsPerStatement)
      await insertJobs(client, layout, [first, Math.min(first + jobsPerStatement, jobs), jobs]);
    await insertWhatFollows(client);
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
    const { rows } = await client.query<{ ids: number[] }>(
      `SELECT array_agg(id::int ORDER BY id) AS ids FROM jobs WHERE company_id <= $1 GROUP BY company_id ORDER BY company_id`,
      [companies],
    );
    return { job, companies: rows.map(({ ids }, index) => ({ token: tokens[index] ?? '', jobIds: ids })) };
  });

/** Inserts a company for each token, with that credential and a plan without a posting limit. */
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

/**
 * Inserts the jobs from `from` to before `to`, created 60 ms apart. Without other companies, all are active. With them, of ten jobs one is
 * pending, two are inactive, and one is active but expired.
 */
async function insertJobs(
  client: pg.Client,
  { companies, jobsEach, others = 0 }: Layout,
  [from, to, jobs]: readonly [number, number, number],
): Promise<void> {
  const { valid_until, ...same } = job;
  await client.query(
    `INSERT INTO jobs (company_id, environment, status, valid_until, created_at, updated_at, ${Object.keys(same)})
     SELECT company, 'production',
            (CASE WHEN nth % 10 = 0 THEN 'pending' WHEN nth % 10 < 3 THEN 'inactive' ELSE 'active' END)::job_status,
            CASE WHEN nth % 10 = 3 THEN current_date - 10 ELSE $4::date END, at, at,
            ${Object.keys(same).map((name) => `sample.${name}`)}
       FROM (SELECT CASE WHEN place % $6 = 0 THEN 1 + place / $6 % $7 ELSE $7 + 1 + place % $8 END AS company,
                    CASE WHEN $8 = 0 THEN 9 WHEN place % $6 = 0 THEN place / $6 / $7 ELSE place / 10 END AS nth,
                    now() - ($3 - place) * interval '60 ms' AS at
               FROM generate_series($1::bigint, $2::bigint - 1) AS place) AS made,
            jsonb_populate_record(NULL::jobs, $5::jsonb) AS sample`,
    [from, to, jobs, valid_until, JSON.stringify(same), jobs / companies / jobsEach, companies, others],
  );
}

/** Inserts the rows that the service writes with a job: its idempotency key, its first event and its count in posting_usage. */
const insertWhatFollows = (client: pg.Client): Promise<unknown> =>
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
