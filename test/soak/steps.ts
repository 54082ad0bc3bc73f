import { randomUUID } from 'node:crypto';
import { type Answer, ask, type Question } from '../faults/history.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { hostileBodies } from '../sanitizer/hostile-bodies.ts';
import type { Company } from './companies.ts';

/** One thing that a client does. Resolves with what was unexpected, if anything. */
type Step = (origin: string, company: Company) => Promise<string | undefined>;
const oneOf = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
const job = { ...minimalJob, body: '<p>Procuramos <b>eletricista</b> para obras no Porto.</p>' };

/** A request of the API by the production credential, or by another one. */
interface Asked extends Question {
  readonly by?: 'production' | 'sandbox' | 'readOnly' | 'revoked';
  /** Of a create, which is remembered if it succeeds. */
  readonly key?: string;
  /** The job that the answer must hold. */
  readonly id?: number;
}

const get = (path: string): Asked => ({ path });
const post = (body: unknown, key: string = randomUUID(), base = '/v1'): Asked => {
  return { method: 'POST', path: `${base}/jobs`, headers: { 'Idempotency-Key': key }, body };
};
const create = (key: string = randomUUID()): Asked => ({ ...post(job, key), key });
const inSandbox = (): Asked => ({ ...post(job, randomUUID(), '/sandbox/v1'), by: 'sandbox' });
const byTool = (name: string, given: object): Asked => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
  return { method: 'POST', path: '/mcp', body };
};
const createByTool = (key = randomUUID()): Asked => ({ ...byTool('create_job', { idempotency_key: key, job }), key });

/** What REST would answer: a tool result holds its status and body. */
function outcomeOf({ status, body }: Answer): { status: number; id: number | undefined } {
  const { result } = (body ?? {}) as { result?: { structuredContent?: { http_status: number; response?: unknown } } };
  const { http_status = status, response = body } = result?.structuredContent ?? {};
  return { status: http_status, id: (response as { data?: { id?: number } } | undefined)?.data?.id };
}

/** Sends the request; resolves with what was unexpected, if anything. */
async function expectStatus(
  origin: string,
  company: Company,
  { by = 'production', key, id, ...question }: Asked,
  statuses: readonly number[],
): Promise<string | undefined> {
  const credential = company[by];
  if (!credential) return undefined;
  const answer = await ask(origin, credential.secret, question);
  const outcome = answer && outcomeOf(answer);
  if (!outcome || !statuses.includes(outcome.status))
    return `${outcome?.status ?? 'no answer'} instead of ${statuses}: ${JSON.stringify(answer?.body)}`;
  if (key && outcome.id) company.remember({ key, id: outcome.id });
  return id === undefined || outcome.id === id ? undefined : `the key of job ${id} returned ${outcome.id}`;
}

async function loseResponse(origin: string, { sandbox }: Company): Promise<string | undefined> {
  const { headers, ...question } = inSandbox();
  const lost = { ...question, headers: { ...headers, 'X-Simulate': 'lost-response' } };
  return (await ask(origin, sandbox.secret, lost)) ? 'a lost response arrived' : undefined;
}

/** Leaves within some milliseconds, often before the answer. */
async function abort(origin: string, { production }: Company): Promise<undefined> {
  const path = oneOf(['/v1/jobs?per_page=100', '/v1/jobs/1', '/v1/categories']);
  const signal = AbortSignal.timeout(1 + Math.floor(Math.random() * 15));
  const sent = fetch(origin + path, { headers: { Authorization: `Bearer ${production.secret}` }, signal });
  await sent.then((answer) => answer.arrayBuffer()).catch(() => undefined);
}

const pages = ['', '/credentials', '/jobs', '/requests?environment=production', '/activity'];
const jobPages = ({ created }: Company) => created.map(({ id }) => `/jobs/production/${id}`);
const open =
  (pathsOf: (company: Company) => readonly string[]): Step =>
  async (origin, company) => {
    const path = oneOf([...pathsOf(company), '']);
    const headers = { Cookie: company.cookie };
    const answer = await fetch(`${origin}/dashboard${path}`, { headers, redirect: 'manual' });
    await answer.arrayBuffer();
    return answer.status === 200 ? undefined : `page ${path}: ${answer.status}`;
  };

let changes = 0;
const change = () => ({ title: `Eletricista ${++changes}` });

/** A request, which may be about a production job of the company, and the statuses that it may have. */
type Row = readonly [share: number, name: string, asked: (job: { id: number; key: string }) => Asked, ...number[]];

/** Of a thousand requests: those of the API that every client sends, whose times are measured. */
const timed: readonly Row[] = [
  [180, 'get', ({ id }) => get(`/v1/jobs/${id}`), 200],
  [100, 'get by tool', ({ id }) => byTool('get_job', { id }), 200],
  [60, 'list', () => get(`/v1/jobs?per_page=${oneOf([10, 25, 100])}&page=${oneOf([1, 2])}`), 200],
  [40, 'list by status', () => get(`/v1/jobs?status=${oneOf(['active', 'pending', 'inactive'])}`), 200],
  [30, 'list by tool', () => byTool('list_jobs', { per_page: 25 }), 200],
  [80, 'reference', () => get(oneOf(['/v1/categories', '/v1/regions', '/v1/options'])), 200],
  [40, 'account', () => get('/v1/account'), 200],
  [50, 'create', () => create(), 201],
  [30, 'create by tool', () => createByTool(), 201],
  [40, 'replay', ({ key, id }) => ({ ...post(job, key), id }), 200],
  [10, 'conflict', ({ key }) => post({ ...job, title: 'Outra' }, key), 409],
  [80, 'change', ({ id }) => ({ method: 'PATCH', path: `/v1/jobs/${id}`, body: change() }), 200],
  [40, 'change by tool', ({ id }) => byTool('update_job', { id, job: change() }), 200],
  [20, 'withdraw', ({ id }) => ({ method: 'DELETE', path: `/v1/jobs/${id}` }), 204],
  [10, 'withdraw by tool', ({ id }) => byTool('withdraw_job', { id }), 204],
  // The sandbox is full now and then, until its reset.
  [30, 'create in the sandbox', inSandbox, 201, 403],
  [10, 'invalid job', () => post({ title: 7, unknown: true }), 422],
  [10, 'unknown job', () => get('/v1/jobs/9007199254740991'), 404],
  [10, 'revoked credential', () => ({ ...get('/v1/account'), by: 'revoked' }), 401],
  [10, 'write with a read-only credential', () => ({ ...post(job), by: 'readOnly' }), 403],
];
const hostile: Row = [10, 'hostile body', () => post({ ...job, body: oneOf(Object.values(hostileBodies)) }), 201, 422];

const stepOf =
  ([, , asked, ...statuses]: Row): Step =>
  (origin, company) =>
    company.created.length === 0
      ? expectStatus(origin, company, create(), [201])
      : expectStatus(origin, company, asked(oneOf(company.created)), statuses);

const untimed: readonly (readonly [share: number, name: string, step: Step])[] = [
  [10, 'hostile body', stepOf(hostile)],
  [10, 'lost response', loseResponse],
  [40, 'aborted', abort],
  [35, 'page', open(() => pages)],
  [20, 'page of a job', open(jobPages)],
  [5, 'sign-in', (_origin, company) => company.signIn()],
];

const thousand = [
  ...timed.flatMap((row) => Array(row[0]).fill({ name: row[1], step: stepOf(row), timed: true })),
  ...untimed.flatMap(([share, name, step]) => Array(share).fill({ name, step, timed: false })),
] as readonly { readonly name: string; readonly step: Step; readonly timed: boolean }[];

export interface Done {
  readonly name: string;
  readonly ms: number;
  /** Whether p50 and p99 include it. */
  readonly timed: boolean;
  /** What was unexpected. */
  readonly wrong: string | undefined;
}

/** Does one step, chosen at random. */
export async function doStep(origin: string, company: Company): Promise<Done> {
  const { name, step, timed } = oneOf(thousand);
  const started = performance.now();
  const wrong = await step(origin, company).catch((error: unknown) => String(error));
  return { name, ms: performance.now() - started, timed, wrong: wrong && `${name}: ${wrong.slice(0, 300)}` };
}
