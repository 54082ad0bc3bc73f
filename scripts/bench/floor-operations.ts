import { createHash } from 'node:crypto';
import { options } from '../../src/contract/options.ts';
import { jobColumns } from './floor-columns.ts';
import { type Caller, FloorStore, type JobRow } from './floor-store.ts';

// What the operations cost by hand, with the least checking that still answers alike. The credential is looked up for every request,
// because a revocation must be felt at once; categories, regions and options are texts made at the start, as they seldom change.

/** An answer whose JSON is made once, for REST as it is and for MCP inside a result. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

export interface Asked {
  readonly id?: string | undefined;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly key?: unknown;
  readonly body?: unknown;
  /** The body as it came, for its digest. */
  readonly bytes?: Buffer | string | undefined;
}

export type Operation = (caller: Caller, asked: Asked) => Answer | Promise<Answer>;

export const store = new FloorStore(process.env.DATABASE_URL ?? '');
const requestsPerMinute = Number(process.env.REQUESTS_PER_MINUTE ?? 60);

const ok = (data: unknown): Answer => ({ status: 200, text: JSON.stringify({ data }) });

export const failed = (status: number, message: string): Answer => ({
  status,
  text: JSON.stringify({ error: { status, message, details: {} } }),
});

const categories = ok(await store.categories());
const regions = ok(await store.regions());
const accepted = ok(options);
export const keptAnswers = [categories, regions, accepted];
export const listCategories: Operation = () => categories;
export const listRegions: Operation = () => regions;
export const listOptions: Operation = () => accepted;

const noSuchJob = failed(404, 'There is no such job.');
const isId = (id: string | undefined): id is string => id !== undefined && /^[1-9]\d{0,14}$/.test(id);

export const getAccount: Operation = async (caller) => {
  const row = await store.readAccount(caller);
  if (!row) return failed(403, 'The company has no plan.');
  const { plan, limit, used, start, end } = row;
  return ok({
    company_id: Number(caller.companyId),
    plan,
    requests_per_minute: requestsPerMinute,
    jobs: { limit, used, remaining: limit < 0 ? limit : limit - used, period_start: start, period_end: end },
    access_type: 'subscription',
  });
};

export const getJob: Operation = async (caller, { id }) => {
  const job = isId(id) ? await store.findJob(caller, id) : undefined;
  return job ? jobAnswer(job, caller) : noSuchJob;
};

const statuses = new Set<unknown>([undefined, 'active', 'pending', 'inactive', 'expired']);
const isCount = (value: number, max: number): boolean => Number.isInteger(value) && value >= 1 && value <= max;

export const listJobs: Operation = async (caller, { query = {} }) => {
  const { page: givenPage = 1, per_page: givenPerPage = 25, status, ...others } = query;
  const page = Number(givenPage);
  const perPage = Number(givenPerPage);
  const isRight = isCount(page, 1_000_000_000) && isCount(perPage, 100) && statuses.has(status);
  if (!isRight || Object.keys(others).length > 0) return failed(422, 'The query is not valid.');
  const filter = status as string | undefined;
  const { jobs, total } = await store.listJobs(caller, filter, perPage, (page - 1) * perPage);
  const meta = { current_page: page, per_page: perPage, total, last_page: Math.max(Math.ceil(total / perPage), 1) };
  return { status: 200, text: `{"data":[${jobs.map((job) => jsonOf(job, caller))}],"meta":${JSON.stringify(meta)}}` };
};

export const createJob: Operation = async (caller, { key, body, bytes }) => {
  if (caller.access !== 'write') return failed(403, 'The credential may only read.');
  if (typeof key !== 'string' || !isPatch(body) || !isWhole(body)) return failed(422, 'The job is not valid.');
  const digest = createHash('sha256')
    .update(bytes ?? JSON.stringify(body))
    .digest('base64url');
  const job = await store.createJob(caller, key, digest, body);
  if (job) return { ...jobAnswer(job, caller), status: 201, headers: { Location: `/v1/jobs/${job.id}` } };
  const claimed = await store.findKey(caller, key);
  if (claimed?.digest !== digest) return failed(409, 'The key was used with different JSON.');
  return { ...(await getJob(caller, { id: claimed.jobId })), headers: { 'Idempotent-Replayed': 'true' } };
};

export const updateJob: Operation = async (caller, { id, body }) => {
  if (caller.access !== 'write') return failed(403, 'The credential may only read.');
  if (!isPatch(body) || Object.keys(body).length === 0) return failed(422, 'The change is not valid.');
  const job = isId(id) ? await store.updateJob(caller, id, body) : undefined;
  return job ? jobAnswer(job, caller) : noSuchJob;
};

export const withdrawJob: Operation = async (caller, { id }) => {
  if (caller.access !== 'write') return failed(403, 'The credential may only read.');
  return isId(id) && (await store.withdrawJob(caller, id)) ? { status: 204 } : noSuchJob;
};

const isPatch = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && Object.keys(body).every((name) => name in jobColumns);

const texts = ['title', 'body', 'contact_instructions', 'application_method'];
const references = ['category_id', 'district_id'];

const isWhole = (body: Record<string, unknown>): boolean =>
  texts.every((name) => typeof body[name] === 'string' && body[name] !== '') &&
  references.every((name) => Number.isInteger(body[name]));

function jsonOf({ is_anonymous, job }: JobRow, { companyName }: Caller): string {
  return `{"company_name":${is_anonymous ? 'null' : JSON.stringify(companyName)},${job.slice(1)}`;
}

const jobAnswer = (job: JobRow, caller: Caller): Answer => ({ status: 200, text: `{"data":${jsonOf(job, caller)}}` });
