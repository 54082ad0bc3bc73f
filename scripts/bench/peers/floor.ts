import { hash } from 'node:crypto';
import pg from 'pg';
import { options } from '../../../src/contract/options.ts';
import * as sql from './floor-sql.ts';
import { jobColumns } from './job-columns.ts';

// What the operations cost by hand, with the least checking that still answers alike. The credential is looked up for every request,
// because a revocation must be felt at once; categories, regions and options are texts made at the start, as they seldom change.

/** The company that a token claims and the hash of the token: the first parameters of every statement. */
export type Claim = readonly [company: number, hash: Buffer];

type Fields = Record<string, unknown>;
/** `text` is the body as it came, for its digest. */
type Asked = { id?: unknown; query?: Fields; key?: unknown; body?: unknown; text?: string };
/** Its JSON is made once, for REST as it is and for MCP inside a result. */
export type Answer = { status: number; headers?: Record<string, string>; text?: string };
export type Operation = (claim: Claim, asked: Asked) => Promise<Answer>;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

/** Prepared once for each connection under its name. */
async function rows<R extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<R[]> {
  return (await pool.query<R>({ name, text, values })).rows;
}

export const failed = (status: number, message: string): Answer => ({
  status,
  text: JSON.stringify({ error: { status, message, details: {} } }),
});
export const unauthorized = failed(401, 'A valid credential is needed.');
const readOnly = failed(403, 'The credential may only read.');
const noSuchJob = failed(404, 'There is no such job.');
const dataAnswer = (json: unknown): Answer => ({ status: 200, text: `{"data":${json}}` });

const isId = (id: unknown): boolean => /^[1-9]\d{0,14}$/.test(String(id));

/** `answer` where the credential is valid. */
const known = async (claim: Claim, answer: Answer): Promise<Answer> =>
  (await rows('caller', sql.caller, [...claim])).length > 0 ? answer : unauthorized;

/** What became of a job. */
function outcome(row: Fields | undefined): Answer | undefined {
  if (!row) return unauthorized;
  if (row.access === 'read') return readOnly;
  return row.id === null ? noSuchJob : undefined;
}

/** A token is `vaga_live_COMPANY_…`, the company in base 36. */
export function claimOf(authorization = ''): Claim | undefined {
  const token = authorization.slice('Bearer '.length);
  const company = Number.parseInt(token.split('_', 3)[2] ?? '', 36);
  return Number.isSafeInteger(company) ? [company, hash('sha256', token, 'buffer')] : undefined;
}

const categories = dataAnswer(JSON.stringify(await rows('categories', sql.listCategories, [])));
const regions = dataAnswer(JSON.stringify(await rows('regions', sql.listRegions, [])));
const accepted = dataAnswer(JSON.stringify(options));
export const keptAnswers = [categories, regions, accepted];

const getAccount: Operation = async (claim) => {
  const [row] = await rows('account', sql.getAccount, [...claim, process.env.REQUESTS_PER_MINUTE]);
  return row ? dataAnswer(row.account) : known(claim, failed(403, 'The company has no plan.'));
};

const getJob: Operation = async (claim, { id }) => {
  if (!isId(id)) return known(claim, noSuchJob);
  const [row] = await rows('job', sql.getJob, [...claim, id]);
  if (!row) return unauthorized;
  return row.job === null ? noSuchJob : dataAnswer(row.job);
};

const statuses = new Set<unknown>(['active', 'pending', 'inactive', 'expired', undefined]);
const isCount = (value: number, max: number): boolean => Number.isInteger(value) && value >= 1 && value <= max;

const listJobs: Operation = async (claim, { query = {} }) => {
  const { page: givenPage = 1, per_page: givenPerPage = 25, status, ...others } = query;
  const page = Number(givenPage);
  const perPage = Number(givenPerPage);
  const isRight = isCount(page, 1_000_000_000) && isCount(perPage, 100) && statuses.has(status);
  if (!isRight || Object.keys(others).length > 0) return known(claim, failed(422, 'The query is not valid.'));
  const values = [...claim, perPage, (page - 1) * perPage];
  const found =
    status === undefined
      ? await rows('list', sql.listJobs, values)
      : await rows('list of status', sql.listJobsOfStatus, [...values, status]);
  if (!found[0]) return unauthorized;
  const { total } = found[0];
  // Nulls, where the page is empty, join as nothing.
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
const names = Object.keys(jobColumns);

const createJob: Operation = async (claim, { key, body, text = JSON.stringify(body) }) => {
  if (typeof key !== 'string' || !isPatch(body) || !isWhole(body))
    return known(claim, failed(422, 'The job is not valid.'));
  const digest = hash('sha256', text, 'base64');
  const job = { salary_negotiable: false, ...body } as Fields;
  const values = [...claim, key, digest, ...names.map((name) => sent(job[name]))];
  const [row] = await rows('create', sql.createJob, values).catch((error: { code?: string }): Fields[] => {
    // Unique violation: another create with this key was faster.
    if (error.code === '23505') return [{ access: 'write', id: null }];
    throw error;
  });
  const other = outcome(row);
  if (!other) return { ...dataAnswer(row?.job), status: 201, headers: { Location: `/v1/jobs/${row?.id}` } };
  if (other !== noSuchJob) return other;
  const [claimed] = await rows('key', sql.findKey, [claim[0], key]);
  if (claimed?.digest !== digest) return failed(409, 'The key was used with different JSON.');
  return { ...(await getJob(claim, { id: claimed.id })), headers: { 'Idempotent-Replayed': 'true' } };
};

/** Name and statement, prepared once for each set of columns. */
const updates = new Map<string, [name: string, text: string]>();

const updateJob: Operation = async (claim, { id, body }) => {
  const fields = isPatch(body) ? Object.keys(body) : [];
  if (!isPatch(body) || fields.length === 0) return known(claim, failed(422, 'The change is not valid.'));
  if (!isId(id)) return known(claim, noSuchJob);
  const set = fields.join();
  const [name, text] = updates.get(set) ?? [`update ${updates.size}`, sql.updateJob(fields)];
  updates.set(set, [name, text]);
  const [row] = await rows(name, text, [...claim, id, ...fields.map((field) => sent(body[field]))]);
  return outcome(row) ?? dataAnswer(row?.job);
};

const withdrawJob: Operation = async (claim, { id }) => {
  if (!isId(id)) return known(claim, noSuchJob);
  const [row] = await rows('withdraw', sql.withdrawJob, [...claim, id]);
  return outcome(row) ?? { status: 204 };
};

/** By operationId. */
export const operations = {
  getAccount,
  listCategories: (claim) => known(claim, categories),
  listRegions: (claim) => known(claim, regions),
  listOptions: (claim) => known(claim, accepted),
  listJobs,
  createJob,
  getJob,
  updateJob,
  withdrawJob,
} satisfies Record<string, Operation>;
