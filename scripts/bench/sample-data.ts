import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Schemas } from '../../src/contract/types.ts';
import { fieldHashes } from '../../src/domain/fingerprint.ts';
import { hashSecret, makeSecret } from '../../src/domain/token.ts';
import { onServer } from './database.ts';

export type JobInput = Schemas['JobInput'];

/** A company with a production credential of write access, on the plan Especial. */
export interface SampleCompany {
  readonly token: string;
  /** Its jobs, all active. */
  readonly jobIds: readonly number[];
}

/** What the loads need to know of the database. */
export interface SampleData {
  /** Its jobs are read only, so that a list is as long at the end as at the start. */
  readonly reader: SampleCompany;
  /** Its jobs are changed and withdrawn, and it gets those that are created. */
  readonly writer: SampleCompany;
  /** What a create sends; no markup, so that no server sanitizes. */
  readonly job: JobInput;
}

const paragraph =
  'A equipa de produto tem seis pessoas e mantém as interfaces de programação que os nossos clientes usam todos os dias. ' +
  'Trabalhamos em TypeScript sobre Node.js e PostgreSQL, com revisão de código, testes automáticos e entregas semanais. ';

/** Loads two companies of `jobs` jobs each into a migrated database that has its reference data. */
export async function loadSampleData(url: string, jobs: number): Promise<SampleData> {
  const { companies, job } = await loadCompanies(url, 2, jobs);
  const [reader, writer] = companies;
  if (!reader || !writer) throw new Error('the companies were not inserted');
  return { reader, writer, job };
}

/** Loads companies of `jobs` jobs each into a migrated database that has its reference data. */
export async function loadCompanies(url: string, companies: number, jobs: number): Promise<MixedData> {
  return onServer(url, async (client) => {
    const job = await sampleJob(client);
    const loaded: SampleCompany[] = [];
    while (loaded.length < companies) loaded.push(await insertCompany(client, job, jobs));
    await client.query('VACUUM (ANALYZE)');
    return { companies: loaded, job };
  });
}

/** What a mixed load needs to know. */
export interface MixedData {
  readonly companies: readonly SampleCompany[];
  readonly job: JobInput;
}

async function insertCompany(client: pg.Client, job: JobInput, jobs: number): Promise<SampleCompany> {
  const [companyId = 0] = await numbers(
    client,
    `WITH company AS (
       INSERT INTO companies (name, verified, production_approved_at) VALUES ('Oficina de Software', true, now()) RETURNING id),
     subscribed AS (
       INSERT INTO subscriptions (company_id, plan_id, started_on)
       SELECT company.id, plans.id, date_trunc('month', now())::date FROM company, plans WHERE plans.name = 'Especial'),
     used AS (
       INSERT INTO posting_usage (company_id, allowance, period_start, used)
       SELECT id, 'subscription', date_trunc('month', now())::date, $1 FROM company)
     SELECT id FROM company`,
    [jobs],
  );
  const token = makeSecret({ companyId: BigInt(companyId), environment: 'production' }, randomBytes(24));
  await client.query(
    `INSERT INTO credentials (company_id, environment, access, label, secret_hash, last_four, created_at, expires_at)
     VALUES ($1, 'production', 'write', 'bench', $2, $3, now(), now() + interval '30 days')`,
    [companyId, Buffer.from(hashSecret(token)), token.slice(-4)],
  );
  return { token, jobIds: await insertJobs(client, companyId, job, jobs) };
}

export async function sampleJob(client: pg.Client): Promise<JobInput> {
  const [categoryId] = await numbers(
    client,
    `SELECT child.id FROM categories child JOIN categories area ON area.id = child.parent_id
      WHERE child.active AND area.active ORDER BY child.id LIMIT 1`,
  );
  const [districtId] = await numbers(client, 'SELECT id FROM districts ORDER BY id LIMIT 1');
  if (categoryId === undefined || districtId === undefined) throw new Error('the reference data is missing');
  return {
    title: 'Programador TypeScript (m/f)',
    body: paragraph.repeat(4),
    contact_instructions: 'Envie o currículo por email, com a referência PT-7 no assunto.',
    category_id: categoryId,
    district_id: districtId,
    application_method: 'email',
    contact_email: 'recrutamento@example.com',
    requirements: 'Experiência comprovada com TypeScript e bases de dados relacionais.',
    valid_until: new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10),
    salary_min: 2250,
    salary_max: 3100.5,
    salary_negotiable: true,
    salary_type: 'monthly',
    experience_years: 3,
    language_requirements: ['Português', 'Inglês B2'],
    contract_type: 'full_time',
    work_modality: 'hibrido',
    education_level: 'licenciatura',
  };
}

/** With what the service writes with each: its key and its first event. */
function insertJobs(client: pg.Client, companyId: number, job: JobInput, count: number): Promise<number[]> {
  const columns = Object.keys(job).join(', ');
  return numbers(
    client,
    `WITH inserted AS (
       INSERT INTO jobs (company_id, environment, status, created_at, updated_at, ${columns})
       SELECT $1, 'production', 'active', now(), now(), ${columns}
         FROM generate_series(1, $2::int), jsonb_populate_record(NULL::jobs, $3::jsonb)
       RETURNING *),
     bound AS (
       INSERT INTO idempotency_keys (company_id, environment, key, field_hashes, job_id, created_at)
       SELECT company_id, environment, gen_random_uuid(), $4::jsonb, id, created_at FROM inserted),
     noted AS (
       INSERT INTO job_events (company_id, environment, job_id, kind, status, actor, created_at)
       SELECT company_id, environment, id, 'created', 'pending', 'credential', created_at FROM inserted)
     SELECT id FROM inserted`,
    [companyId, count, JSON.stringify(job), JSON.stringify(fieldHashes(job))],
  );
}

async function numbers(client: pg.Client, sql: string, values: unknown[] = []): Promise<number[]> {
  const { rows } = await client.query<{ id: string | number }>(sql, values);
  return rows.map(({ id }) => Number(id));
}
