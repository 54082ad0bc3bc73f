import { jobColumns } from './job-columns.ts';

// The statements of the floor: one round trip for each operation, with the credential lookup in it. Each begins with the
// company ($1) and the hash of the token ($2), and answers no row to a stranger.

const names = Object.keys(jobColumns);
const owned = `company_id = $1 AND environment = 'production'`;

/** Who calls. */
export const caller = `
  SELECT c.company_id, co.name, c.access
    FROM credentials c JOIN companies co ON co.id = c.company_id
   WHERE c.company_id = $1 AND c.secret_hash = $2 AND c.environment = 'production'
     AND c.revoked_at IS NULL AND c.expires_at > now() AND co.production_approved_at IS NOT NULL`;
const withWriter = `WITH caller AS (${caller}), writer AS (SELECT FROM caller WHERE access = 'write')`;

const instant = (name: string): string =>
  `to_char(${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${name}`;
const written = names.map((name) => (jobColumns[name] === 'numeric' ? `${name}::text` : name));

/** A job of `from` as its JSON: a single row costs two thirds of what it costs as columns. */
const job = (from: string): string => `
  SELECT id, row_to_json(job)::text AS job FROM (
    SELECT id, CASE WHEN NOT is_anonymous THEN caller.name END AS company_name, status, status = 'active' AS is_active,
           is_anonymous, ${instant('created_at')}, ${instant('updated_at')}, ${written}
      FROM ${from}) job`;

/** A change and its entry in the job's history stand or fall together. */
const noted = (changed: string, kind: string): string => `
  noted AS (
    INSERT INTO job_events (company_id, environment, job_id, kind, status, actor, created_at)
    SELECT company_id, environment, id, '${kind}', status, 'credential', updated_at FROM ${changed})`;

export const getAccount = `
  SELECT json_build_object('company_id', company_id, 'plan', p.name, 'requests_per_minute', $3::int, 'access_type', 'subscription',
           'jobs', json_build_object('limit', l, 'used', used, 'remaining', CASE WHEN l < 0 THEN l ELSE l - used END,
                                     'period_start', start, 'period_end', (start + interval '1 month - 1 day')::date))::text AS account
    FROM (${caller}) caller
    JOIN subscriptions s USING (company_id)
    JOIN LATERAL (SELECT name, posting_limit AS l FROM plans WHERE id = s.plan_id) p ON true
    JOIN (SELECT date_trunc('month', now())::date AS start) month ON true
    JOIN LATERAL (SELECT coalesce(max(used), 0) AS used FROM posting_usage
                   WHERE company_id = $1 AND allowance = 'subscription' AND period_start = start) u ON true`;

export const getJob = `
  SELECT found.job FROM (${caller}) caller LEFT JOIN LATERAL (${job(`jobs WHERE ${owned} AND id = $3`)}) found ON true`;

/** `status` is the last parameter, and only there where it is asked for, so that no plan has to serve both. */
const list = (status: string): string => `
  SELECT counted.total, page.job
    FROM (${caller}) caller
    JOIN LATERAL (SELECT count(*)::int AS total FROM jobs WHERE ${owned}${status}) counted ON true
    LEFT JOIN LATERAL (${job(`jobs WHERE ${owned}${status} ORDER BY id DESC LIMIT $3 OFFSET $4`)}) page ON true
   ORDER BY page.id DESC`;
export const listJobs = list('');
export const listJobsOfStatus = list(' AND status = $5');

export const findKey = `
  SELECT field_hashes->>'body' AS digest, job_id AS id
    FROM idempotency_keys WHERE company_id = $1 AND environment = 'production' AND key = $2`;

export const createJob = `
  ${withWriter},
  spent AS (
    INSERT INTO posting_usage AS usage (company_id, allowance, period_start, used)
    SELECT $1::bigint, 'subscription', date_trunc('month', now())::date, 1
      FROM writer WHERE NOT EXISTS (SELECT FROM idempotency_keys WHERE ${owned} AND key = $3)
    ON CONFLICT (company_id, allowance, period_start) DO UPDATE SET used = usage.used + 1
    RETURNING 1),
  inserted AS (
    INSERT INTO jobs (company_id, environment, status, created_at, updated_at, ${names})
    SELECT $1, 'production', 'pending', now(), now(), ${names.map((name, index) => `$${index + 5}::${jobColumns[name]}`)}
      FROM spent
    RETURNING *),
  bound AS (
    INSERT INTO idempotency_keys (company_id, environment, key, field_hashes, job_id, created_at)
    SELECT company_id, environment, $3, jsonb_build_object('body', $4::text), id, created_at FROM inserted),
  ${noted('inserted', 'created')}
  SELECT caller.access, made.* FROM caller LEFT JOIN LATERAL (${job('inserted')}) made ON true`;

export const updateJob = (fields: readonly string[]): string => `
  ${withWriter},
  updated AS (
    UPDATE jobs
       SET ${fields.map((name, index) => `${name} = $${index + 4}`)}, updated_at = now(), revision = revision + 1,
           status = CASE WHEN status IN ('active', 'denied') THEN 'pending' ELSE status END
      FROM writer
     WHERE ${owned} AND id = $3
    RETURNING jobs.*),
  ${noted('updated', 'updated')}
  SELECT caller.access, changed.* FROM caller LEFT JOIN LATERAL (${job('updated')}) changed ON true`;

export const withdrawJob = `
  ${withWriter},
  withdrawn AS (
    UPDATE jobs SET status = 'inactive', updated_at = now(), revision = revision + 1
      FROM writer
     WHERE ${owned} AND id = $3 AND status <> 'inactive'
    RETURNING jobs.*),
  ${noted('withdrawn', 'withdrawn')}
  SELECT caller.access, jobs.id FROM caller LEFT JOIN jobs ON ${owned.replace('company_id', 'jobs.company_id')} AND id = $3`;

export const listCategories = `
  SELECT child.id, child.name, child.slug, child.parent_id
    FROM categories child LEFT JOIN categories area ON area.id = child.parent_id
   WHERE child.active AND (area.id IS NULL OR area.active) ORDER BY child.id`;

export const listRegions = 'SELECT id, name, slug FROM districts ORDER BY id';
