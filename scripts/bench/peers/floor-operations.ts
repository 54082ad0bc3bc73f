import { hash } from 'node:crypto';
import pg from 'pg';
import { storedFields } from '../../../generated/stored-fields.ts';

// The operations at their minimum cost: written by hand on pg, with the fewest checks that give the same answers. Each is one prepared
// statement that includes the credential lookup, because a revocation must take effect at once. The list of categories is made at the start.

const types: Record<string, string> = {
  integer: 'int',
  decimal: 'numeric',
  boolean: 'boolean',
  list: 'jsonb',
  date: 'date',
};
/** The columns of a job that a caller writes, with their PostgreSQL types. */
const jobColumns: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(storedFields.jobs).map(([name, { kind }]) => [name, types[kind] ?? 'text']),
);
const columns = Object.keys(jobColumns);
const owned = `company_id = $1 AND environment = 'production'`;
/** The first parameters of each statement are the company ($1) and the hash of the token ($2). Without a valid credential, it returns no row. */
const caller = `
  SELECT c.company_id, co.name, c.access
    FROM credentials c JOIN companies co ON co.id = c.company_id
   WHERE c.company_id = $1 AND c.secret_hash = $2 AND c.environment = 'production'
     AND c.revoked_at IS NULL AND c.expires_at > now() AND co.production_approved_at IS NOT NULL`;
const withWriter = `WITH caller AS (${caller}), writer AS (SELECT FROM caller WHERE access = 'write')`;
const instant = (name: string): string =>
  `to_char(${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${name}`;
const shown = columns.map((name) => (jobColumns[name] === 'numeric' ? `${name}::text` : name));

/** Selects the jobs of `from` as JSON. For a single row, this costs two thirds of what reading its columns costs. */
const job = (from: string): string => `
  SELECT id, row_to_json(job)::text AS job FROM (
    SELECT id, CASE WHEN NOT is_anonymous THEN caller.name END AS company_name, status, status = 'active' AS is_active,
           is_anonymous, ${instant('created_at')}, ${instant('updated_at')}, ${shown}
      FROM ${from}) job`;

/** Adds the entry in the job's history to the statement of a change: both are written together or not at all. */
const noted = (changed: string, kind: string): string => `
  noted AS (
    INSERT INTO job_events (company_id, environment, job_id, kind, status, actor, created_at)
    SELECT company_id, environment, id, '${kind}', status, 'credential', updated_at FROM ${changed})`;

const getJobSql = `
  SELECT found.job FROM (${caller}) caller LEFT JOIN LATERAL (${job(`jobs WHERE ${owned} AND id = $3`)}) found ON true`;
const listJobsSql = `
  SELECT counted.total, page.job
    FROM (${caller}) caller
    JOIN LATERAL (SELECT count(*)::int AS total FROM jobs WHERE ${owned}) counted ON true
    LEFT JOIN LATERAL (${job(`jobs WHERE ${owned} ORDER BY id DESC LIMIT $3 OFFSET $4`)}) page ON true
   ORDER BY page.id DESC`;
const createJobSql = `
  ${withWriter},
  spent AS (
    INSERT INTO posting_usage AS usage (company_id, allowance, period_start, used)
    SELECT $1::bigint, 'subscription', date_trunc('month', now())::date, 1
      FROM writer WHERE NOT EXISTS (SELECT FROM idempotency_keys WHERE ${owned} AND key = $3)
    ON CONFLICT (company_id, allowance, period_start) DO UPDATE SET used = usage.used + 1
    RETURNING 1),
  inserted AS (
    INSERT INTO jobs (company_id, environment, status, created_at, updated_at, ${columns})
    SELECT $1, 'production', 'pending', now(), now(), ${columns.map((name, index) => `$${index + 5}::${jobColumns[name]}`)}
      FROM spent
    RETURNING *),
  bound AS (
    INSERT INTO idempotency_keys (company_id, environment, key, field_hashes, job_id, created_at)
    SELECT company_id, environment, $3, jsonb_build_object('body', $4::text), id, created_at FROM inserted),
  ${noted('inserted', 'created')}
  SELECT caller.access, made.* FROM caller LEFT JOIN LATERAL (${job('inserted')}) made ON true`;
const updateJobSql = (fields: readonly string[]): string => `
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
const categoriesSql = `
  SELECT child.id, child.name, child.slug, child.parent_id
    FROM categories child LEFT JOIN categories area ON area.id = child.parent_id
   WHERE child.active AND (area.id IS NULL OR area.active) ORDER BY child.id`;

/** The company that a token claims and the hash of the token. */
export type Claim = readonly [company: number, hash: Buffer];
type Fields = Record<string, unknown>;
export interface Asked {
  readonly id?: unknown;
  readonly query?: Fields;
  readonly key?: unknown;
  readonly body?: Fields | undefined;
}
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}
export type Operation = (claim: Claim, asked: Asked) => Promise<Answer>;

// Idle connections stay open, so that the CPU time of their processes can be read.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, idleTimeoutMillis: 0 });

/** Runs a statement. Each connection prepares it once, under its name. */
const rows = async (name: string, text: string, values: unknown[]): Promise<pg.QueryResultRow[]> =>
  (await pool.query({ name, text, values })).rows;

export const failed = (status: number, message: string): Answer => ({
  status,
  text: JSON.stringify({ error: { status, message, details: {} } }),
});
export const unauthorized = failed(401, 'A valid credential is needed.');
const noSuchJob = failed(404, 'There is no such job.');
const ok = (json: unknown, status = 200): Answer => ({ status, text: `{"data":${json}}` });
/** Turns the row of a statement about one job into an answer. */
const outcome = (row: pg.QueryResultRow | undefined, status = 200): Answer => {
  if (!row) return unauthorized;
  if (row.access === 'read') return failed(403, 'The credential may only read.');
  return row.job === null ? noSuchJob : ok(row.job, status);
};

/** A token is `vaga_live_COMPANY_…`, the company in base 36. */
export function claimOf(authorization = ''): Claim | undefined {
  const token = authorization.slice('Bearer '.length);
  const company = Number.parseInt(token.split('_', 3)[2] ?? '', 36);
  return Number.isSafeInteger(company) ? [company, hash('sha256', token, 'buffer')] : undefined;
}

const isPatch = (body: Fields = {}): boolean => Object.keys(body).every((name) => name in jobColumns);
const texts = ['title', 'body', 'contact_instructions', 'application_method'];
const isWhole = (body: Fields): boolean =>
  isPatch(body) &&
  texts.every((name) => typeof body[name] === 'string' && body[name] !== '') &&
  Number.isInteger(body.category_id) &&
  Number.isInteger(body.district_id);
/** Turns a list into JSON text; otherwise the driver would make a PostgreSQL array. */
const sent = (value: unknown): unknown => (Array.isArray(value) ? JSON.stringify(value) : value);

const categories = ok(JSON.stringify(await rows('categories', categoriesSql, [])));
/** The name of each prepared UPDATE, by the columns that it sets. */
const updates = new Map<string, string>();

/** The operations by operationId. */
export const operations: Readonly<Record<string, Operation>> = {
  getJob: async (claim, { id }) => outcome((await rows('job', getJobSql, [...claim, id]))[0]),
  listCategories: async (claim) => ((await rows('caller', caller, [...claim])).length > 0 ? categories : unauthorized),
  listJobs: async (claim, { query = {} }) => {
    const [page, perPage] = [Number(query.page ?? 1), Number(query.per_page ?? 25)];
    const found = await rows('list', listJobsSql, [...claim, perPage, (page - 1) * perPage]);
    if (!found[0]) return unauthorized;
    const { total } = found[0];
    // On an empty page, nulls join as an empty text.
    const jobs = found.map((row) => row.job).join();
    const meta = { current_page: page, per_page: perPage, total, last_page: Math.max(Math.ceil(total / perPage), 1) };
    return { status: 200, text: `{"data":[${jobs}],"meta":${JSON.stringify(meta)}}` };
  },
  createJob: async (claim, { key, body = {} }) => {
    if (typeof key !== 'string' || !isWhole(body)) return failed(422, 'The job is not valid.');
    const digest = hash('sha256', JSON.stringify(body), 'base64');
    const values: Fields = { salary_negotiable: false, ...body };
    const made = await rows('create', createJobSql, [
      ...claim,
      key,
      digest,
      ...columns.map((name) => sent(values[name])),
    ]);
    return { ...outcome(made[0], 201), headers: { Location: `/v1/jobs/${made[0]?.id}` } };
  },
  updateJob: async (claim, { id, body = {} }) => {
    const fields = Object.keys(body);
    if (fields.length === 0 || !isPatch(body)) return failed(422, 'The change is not valid.');
    const name = updates.get(fields.join()) ?? `update ${updates.size}`;
    updates.set(fields.join(), name);
    const values = [...claim, id, ...fields.map((field) => sent(body[field]))];
    return outcome((await rows(name, updateJobSql(fields), values))[0]);
  },
};
