// The statements of the floor: one round trip for each operation, besides the look-up of the credential.

import { jobColumns } from './floor-columns.ts';

export type JobColumn = keyof typeof jobColumns;
export const names = Object.keys(jobColumns) as JobColumn[];

const instant = (name: string): string => `to_char(${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const expressions: Readonly<Record<string, string>> = {
  id: 'id',
  status: 'status',
  is_active: `status = 'active'`,
  is_anonymous: 'is_anonymous',
  created_at: instant('created_at'),
  updated_at: instant('updated_at'),
  ...Object.fromEntries(names.map((name) => [name, jobColumns[name] === 'numeric' ? `${name}::text` : name])),
};

/** The job's JSON is made by PostgreSQL and passed on as text: in a list it takes a fifth of what thirty columns take here. */
const returned = `id, is_anonymous,
  json_build_object(${Object.entries(expressions).map(([name, sql]) => `'${name}', ${sql}`)})::text AS job`;
const firstField = 4;
const sent = Object.values(jobColumns).map((type, index) => `$${index + firstField}::${type}`);

export const findCallerSql = `
  SELECT c.company_id AS "companyId", co.name AS "companyName", c.access
    FROM credentials c JOIN companies co ON co.id = c.company_id
   WHERE c.company_id = $1 AND c.secret_hash = $2 AND c.environment = 'production'
     AND c.revoked_at IS NULL AND c.expires_at > now() AND co.production_approved_at IS NOT NULL`;

const owned = `company_id = $1 AND environment = 'production'`;
export const findJobSql = `SELECT ${returned} FROM jobs WHERE ${owned} AND id = $2`;

export const accountSql = `
  SELECT p.name AS plan, p.posting_limit AS limit, coalesce(u.used, 0) AS used, month.start, month.end
    FROM (SELECT date_trunc('month', now())::date AS start,
                 (date_trunc('month', now()) + interval '1 month - 1 day')::date AS end) month,
         subscriptions s
    JOIN plans p ON p.id = s.plan_id
    LEFT JOIN posting_usage u ON u.company_id = s.company_id AND u.allowance = 'subscription'
                             AND u.period_start = date_trunc('month', now())::date
   WHERE s.company_id = $1`;

/** With a fourth parameter only where a status is asked for, so that neither plan has to serve both. */
const listSql = (status: string): string =>
  `SELECT ${returned} FROM jobs WHERE ${owned}${status} ORDER BY id DESC LIMIT $2 OFFSET $3`;
const countSql = (status: string): string => `SELECT count(*)::int AS total FROM jobs WHERE ${owned}${status}`;
export const lists = {
  every: { page: listSql(''), count: countSql('') },
  ofStatus: { page: listSql(' AND status = $4'), count: countSql(' AND status = $2') },
};

export const findKeySql = `
  SELECT field_hashes->>'body' AS digest, job_id AS "jobId"
    FROM idempotency_keys WHERE company_id = $1 AND environment = 'production' AND key = $2`;

/** A change and its entry in the job's history stand or fall together, as in the service. */
const noted = (changed: string, kind: string): string => `
  noted AS (
    INSERT INTO job_events (company_id, environment, job_id, kind, status, actor, created_at)
    SELECT company_id, environment, id, '${kind}', status, 'credential', updated_at FROM ${changed})`;

export const createSql = `
  WITH spent AS (
    INSERT INTO posting_usage AS usage (company_id, allowance, period_start, used)
    SELECT $1::bigint, 'subscription', date_trunc('month', now())::date, 1
     WHERE NOT EXISTS (SELECT FROM idempotency_keys WHERE company_id = $1 AND environment = 'production' AND key = $2)
    ON CONFLICT (company_id, allowance, period_start) DO UPDATE SET used = usage.used + 1
    RETURNING 1),
  inserted AS (
    INSERT INTO jobs (company_id, environment, status, created_at, updated_at, ${names.join(', ')})
    SELECT $1, 'production', 'pending', now(), now(), ${sent.join(', ')} FROM spent
    RETURNING *),
  bound AS (
    INSERT INTO idempotency_keys (company_id, environment, key, field_hashes, job_id, created_at)
    SELECT company_id, environment, $2, jsonb_build_object('body', $3::text), id, created_at FROM inserted),
  ${noted('inserted', 'created')}
  SELECT ${returned} FROM inserted`;

/** Prepared once for each set of columns. */
export const updateSql = (fields: readonly string[]): string => `
  WITH updated AS (
    UPDATE jobs
     SET ${fields.map((name, index) => `${name} = $${index + 3}`).join(', ')}, updated_at = now(), revision = revision + 1,
         status = CASE WHEN status IN ('active', 'denied') THEN 'pending' ELSE status END
   WHERE ${owned} AND id = $2
    RETURNING *),
  ${noted('updated', 'updated')}
  SELECT ${returned} FROM updated`;

export const withdrawSql = `
  WITH withdrawn AS (
    UPDATE jobs SET status = 'inactive', updated_at = now(), revision = revision + 1
     WHERE ${owned} AND id = $2 AND status <> 'inactive'
    RETURNING *),
  ${noted('withdrawn', 'withdrawn')}
  SELECT id FROM jobs WHERE ${owned} AND id = $2`;

export const categoriesSql = `
  SELECT child.id, child.name, child.slug, child.parent_id
    FROM categories child LEFT JOIN categories area ON area.id = child.parent_id
   WHERE child.active AND (area.id IS NULL OR area.active) ORDER BY child.id`;
