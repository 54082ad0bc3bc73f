import type pg from 'pg';
import { storedResources } from '../../src/operations/stored/stored-resources.ts';
import { storedSample } from '../helper/stored-samples.ts';

const fill = (companies: number, rows: number): string[] => [
  `INSERT INTO companies (name, verified) SELECT 'Empresa ' || i, true FROM generate_series(1, ${companies}) AS i`,
  `CREATE TABLE filled AS
     SELECT i, (SELECT min(id) FROM companies) + i % ${companies} AS company_id,
            (CASE i % 3 WHEN 0 THEN 'sandbox' ELSE 'production' END)::environment AS environment
       FROM generate_series(1, ${rows}) AS i`,
  `CREATE VIEW filled_companies AS SELECT * FROM filled WHERE i <= ${companies}`,
  `INSERT INTO subscriptions (company_id, plan_id, started_on)
   SELECT company_id, (SELECT max(id) FROM plans), '2026-01-01' FROM filled_companies`,
  `INSERT INTO complimentary_grants (company_id, monthly_limit, started_on)
   SELECT company_id, 5, '2026-01-01' FROM filled_companies`,
  `INSERT INTO users (company_id, email, role, password_hash)
   SELECT company_id, i || '@example.com', 'main', 'none' FROM filled`,
  `INSERT INTO credentials (company_id, environment, access, label, secret_hash, last_four, created_at, expires_at)
   SELECT company_id, environment, 'write', 'filled', sha256(i::text::bytea), '0000', now(), now() + interval '1 year'
     FROM filled`,
  `INSERT INTO posting_usage (company_id, allowance, period_start, used)
   SELECT company_id, 'subscription', '2026-01-01', 1 FROM filled_companies`,
  `INSERT INTO allowed_districts (company_id, district_id)
   SELECT company_id, (SELECT min(id) FROM districts) FROM filled_companies`,
  `INSERT INTO jobs (company_id, environment, status, created_at, updated_at, title, body, contact_instructions,
                     application_method, valid_until)
   SELECT company_id, environment, (enum_range(NULL::job_status))[1 + i % 5], now(), now(), 'Vaga', repeat('texto ', 50), 'Aqui',
          'system', CASE i % 7 WHEN 0 THEN NULL ELSE now()::date + i % 60 - 30 END
     FROM filled`,
  `INSERT INTO job_events (company_id, environment, job_id, kind, status, actor, created_at)
   SELECT company_id, environment, id, 'created', status, 'operator', now() FROM jobs`,
  `INSERT INTO idempotency_keys (company_id, environment, key, field_hashes, job_id, created_at)
   SELECT company_id, environment, 'key-' || id, '{}', id, now() FROM jobs`,
  `INSERT INTO request_log (company_id, environment, at, request_id, protocol, status, credential_id, latency_ms)
   SELECT company_id, environment, now() - i * interval '1 second', i, 'rest', 200, 1, 5 FROM filled`,
  `INSERT INTO audit_entries (company_id, environment, actor, action, details, created_at)
   SELECT company_id, environment, 'user:' || i, 'credential.issued', '{}', now() FROM filled`,
  `INSERT INTO page_sessions (realm, id_hash, person_id, data, created_at, expires_at)
   SELECT 'company', sha256(i::text::bytea), i, '{}', now(), now() + interval '12 hours' FROM filled`,
  ...storedResources.map(({ resource }) => {
    const { table } = resource;
    const times = `'created_at', now(), 'updated_at', now()`;
    const sample = `jsonb_build_object('company_id', company_id, 'environment', environment, 'id', i, ${times}) || '${JSON.stringify(storedSample(resource))}'`;
    return `INSERT INTO ${table} SELECT made.* FROM filled, jsonb_populate_record(NULL::${table}, ${sample}) AS made`;
  }),
  'DROP VIEW filled_companies',
  'DROP TABLE filled',
  'VACUUM (ANALYZE)',
];

/** Fills every tenant table. By default there are enough rows of enough companies for the planner to prefer indexes. */
export async function fillTables(database: pg.Client | pg.Pool, companies = 2000, rows = 12_000): Promise<void> {
  for (const statement of fill(companies, rows)) await database.query(statement);
}
