import { hash } from 'node:crypto';
import pg from 'pg';
import { options } from '../../../src/contract/options.ts';
import * as sql from './floor-sql.ts';
import { jobColumns } from './job-columns.ts';

// What the operations cost by hand, with the least checking that still answers alike. The credential is looked up for every request,
// because a revocation must be felt at once; categories, regions and options are texts made at the start, as they seldom change.

export interface Caller {
  readonly id: string;
  readonly name: string;
  readonly access: 'read' | 'write';
}

export interface Asked {
  readonly id?: unknown;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly key?: unknown;
  readonly body?: unknown;
  /** The body as it came, for its digest. */
  readonly text?: string;
}

/** An answer whose JSON is made once, for REST as it is and for MCP inside a result. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

export type Operation = (caller: Caller, asked: Asked) => Answer | Promise<Answer>;
type Fields = Record<string, unknown>;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const requestsPerMinute = Number(process.env.REQUESTS_PER_MINUTE ?? 60);

/** Prepared once for each connection under its name. */
async function rows<R extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<R[]> {
  return (await pool.query<R>({ name, text, values })).rows;
}

const ok = (data: unknown): Answer => ({ status: 200, text: JSON.stringify({ data }) });
export const failed = (status: number, message: string): Answer => ({
  status,
  text: JSON.stringify({ error: { status, message, details: {} } }),
});
const noSuchJob = failed(404, 'There is no such job.');
const jobAnswer = (job: string): Answer => ({ status: 200, text: `{"data":${job}}` });
const isId = (id: unknown): boolean => /^[1-9]\d{0,14}$/.test(String(id));

export async function findCaller(authorization = ''): Promise<Caller | undefined> {
  const token = authorization.slice('Bearer '.length);
  const company = Number.parseInt(token.split('_', 3)[2] ?? '', 36);
  if (!Number.isSafeInteger(company)) return undefined;
  return (await rows<Caller & Fields>('caller', sql.findCaller, [company, hash('sha256', token, 'buffer')]))[0];
}

const categories = ok(await rows('categories', sql.listCategories, []));
const regions = ok(await rows('regions', sql.listRegions, []));
const accepted = ok(options);
export const keptAnswers = [categories, regions, accepted];

const getAccount: Operation = async ({ id }) => {
  const [row] = await rows('account', sql.getAccount, [id]);
  if (!row) return failed(403, 'The company has no plan.');
  const { plan, limit, used, start, end } = row;
  return ok({
    company_id: Number(id),
    plan,
    requests_per_minute: requestsPerMinute,
    jobs: { limit, used, remaining: limit < 0 ? limit : limit - used, period_start: start, period_end: end },
    access_type: 'subscription',
  });
};

const getJob: Operation = async (caller, { id }) => {
  if (!isId(id)) return noSuchJob;
  const [row] = await rows('job', sql.getJob, [caller.id, id, caller.name]);
  return row ? jobAnswer(row.job) : noSuchJob;
};

const statuses = new Set<unknown>(['active', 'pending', 'inactive', 'expired', undefined]);
const isCount = (value: number, max: number): boolean => Number.isInteger(value) && value >= 1 && value <= max;

const listJobs: Operation = async (caller, { query = {} }) => {
  const { page: givenPage = 1, per_page: givenPerPage = 25, status, ...others } = query;
  const page = Number(givenPage);
  const perPage = Number(givenPerPage);
  const isRight = isCount(page, 1_000_000_000) && isCount(perPage, 100) && statuses.has(status);
  if (!isRight || Object.keys(others).length > 0) return failed(422, 'The query is not valid.');
  const values = [caller.id, caller.name, perPage, (page - 1) * perPage];
  const found =
    status === undefined
      ? await rows('list', sql.listJobs, values)
      : await rows('list of status', sql.listJobsOfStatus, [...values, status]);
  const total = found[0]?.total;
  const jobs = found.map(({ job }) => job).join();
  const lastPage = Math.max(Math.ceil(total / perPage), 1);
  const meta = `{"current_page":${page},"per_page":${perPage},"total":${total},"last_page":${lastPage}}`;
  return { status: 200, text: `{"data":[${jobs}],"meta":${meta}}` };
};

const isPatch = (body: unknown): body is Fields =>
  typeof body === 'object' && body !== null && Object.keys(body).every((name) => name in jobColumns);
const texts = ['title', 'body', 'contact_instructions', 'application_method'];
const isWhole = (body: Fields): boolean =>
  texts.every((name) => typeof body[name] === 'string' && body[name] !== '') &&
  Number.isInteger(body.category_id) &&
  Number.isInteger(body.district_id);

/** A list as its JSON text, which the driver would make a PostgreSQL array of. */
const sent = (value: unknown): unknown => (Array.isArray(value) ? JSON.stringify(value) : value);
const noWrite = failed(403, 'The credential may only read.');
const names = Object.keys(jobColumns);

const createJob: Operation = async (caller, { key, body, text = JSON.stringify(body) }) => {
  if (caller.access !== 'write') return noWrite;
  if (typeof key !== 'string' || !isPatch(body) || !isWhole(body)) return failed(422, 'The job is not valid.');
  const digest = hash('sha256', text, 'base64');
  const job = { salary_negotiable: false, ...body } as Fields;
  const values = [caller.id, caller.name, key, digest, ...names.map((name) => sent(job[name]))];
  const [row] = await rows('create', sql.createJob, values).catch((error: { code?: string }) => {
    // Unique violation: another create with this key was faster.
    if (error.code === '23505') return [];
    throw error;
  });
  if (row) return { ...jobAnswer(row.job), status: 201, headers: { Location: `/v1/jobs/${row.id}` } };
  const [claimed] = await rows('key', sql.findKey, [caller.id, key]);
  if (claimed?.digest !== digest) return failed(409, 'The key was used with different JSON.');
  return { ...(await getJob(caller, { id: claimed.id })), headers: { 'Idempotent-Replayed': 'true' } };
};

/** Prepared once for each set of columns. */
const updates = new Map<string, string>();

const updateJob: Operation = async (caller, { id, body }) => {
  if (caller.access !== 'write') return noWrite;
  if (!isPatch(body)) return failed(422, 'The change is not valid.');
  const fields = Object.keys(body);
  if (fields.length === 0) return failed(422, 'The change is not valid.');
  if (!isId(id)) return noSuchJob;
  const name = `update ${fields}`;
  const text = updates.get(name) ?? sql.updateJob(fields);
  updates.set(name, text);
  const [row] = await rows(name, text, [caller.id, caller.name, id, ...fields.map((field) => sent(body[field]))]);
  return row ? jobAnswer(row.job) : noSuchJob;
};

const withdrawJob: Operation = async (caller, { id }) => {
  if (caller.access !== 'write') return noWrite;
  const [row] = isId(id) ? await rows('withdraw', sql.withdrawJob, [caller.id, id]) : [];
  return row ? { status: 204 } : noSuchJob;
};

/** By operationId. */
export const operations = {
  getAccount,
  listCategories: () => categories,
  listRegions: () => regions,
  listOptions: () => accepted,
  listJobs,
  createJob,
  getJob,
  updateJob,
  withdrawJob,
} satisfies Record<string, Operation>;
