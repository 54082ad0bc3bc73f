import { randomUUID } from 'node:crypto';
import { type Answer, ask, type Question } from '../faults/ask.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { hostileBodies } from '../sanitizer/hostile-bodies.ts';
import type { Company } from './companies.ts';

/** One thing that a client does. Resolves with what was unexpected, if anything. */
type Step = (origin: string, company: Company) => Promise<string | undefined>;

const oneOf = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
const job = { ...minimalJob, body: '<p>Procuramos <b>eletricista</b> para obras no Porto.</p>' };

/** A response must have one of these statuses. */
const expected = (answer: Answer | undefined, statuses: readonly number[]): string | undefined =>
  answer && statuses.includes(answer.status)
    ? undefined
    : `${answer?.status ?? 'no answer'} instead of ${statuses}: ${JSON.stringify(answer?.body)}`;

const dataOf = (answer: Answer | undefined) => (answer?.body as { data?: { id?: number } } | undefined)?.data;

/** A request with the production credential. */
const rest =
  (question: (company: Company) => Question, ...statuses: number[]): Step =>
  async (origin, company) =>
    expected(await ask(origin, company.production.secret, question(company)), statuses);

const post = (body: unknown, key: string = randomUUID(), base = '/v1'): Question => ({
  method: 'POST',
  path: `${base}/jobs`,
  headers: { 'Idempotency-Key': key },
  body,
});

/** A production job of the company; until there is one, the step creates it. */
const onJob =
  (step: (origin: string, company: Company, id: number) => Promise<string | undefined>): Step =>
  (origin, company) =>
    company.created.length === 0 ? create(origin, company) : step(origin, company, oneOf(company.created).id);

const restOnJob = (question: (id: number) => Question, status: number): Step =>
  onJob(async (origin, { production }, id) => expected(await ask(origin, production.secret, question(id)), [status]));

/** Calls a tool; the answer has the status and body that REST would have. */
async function call(origin: string, token: string, name: string, given: object): Promise<Answer | undefined> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
  const answer = await ask(origin, token, { method: 'POST', path: '/mcp', body });
  const { result } = (answer?.body ?? {}) as { result?: { structuredContent?: Record<string, unknown> } };
  if (!answer || !result?.structuredContent) return answer;
  const { http_status, response } = result.structuredContent;
  return { ...answer, status: Number(http_status), body: response };
}

const create: Step = async (origin, company) => {
  const key = randomUUID();
  const answer = await ask(origin, company.production.secret, post(job, key));
  const id = dataOf(answer)?.id;
  if (id !== undefined) company.remember({ key, id });
  return expected(answer, [201]);
};

const createByTool: Step = async (origin, company) => {
  const key = randomUUID();
  const answer = await call(origin, company.production.secret, 'create_job', { idempotency_key: key, job });
  const id = dataOf(answer)?.id;
  if (id !== undefined) company.remember({ key, id });
  return expected(answer, [201]);
};

const replay: Step = async (origin, company) => {
  if (company.created.length === 0) return create(origin, company);
  const { key, id } = oneOf(company.created);
  const answer = await ask(origin, company.production.secret, post(job, key));
  const other = dataOf(answer)?.id;
  return expected(answer, [200]) ?? (other === id ? undefined : `the key of job ${id} returned ${other}`);
};

const conflict: Step = async (origin, company) => {
  if (company.created.length === 0) return create(origin, company);
  const question = post({ ...job, title: 'Outra' }, oneOf(company.created).key);
  return expected(await ask(origin, company.production.secret, question), [409]);
};

const toolOnJob = (name: string, more: () => object, status: number): Step =>
  onJob(async (origin, { production }, id) =>
    expected(await call(origin, production.secret, name, { id, ...more() }), [status]),
  );

const listByTool: Step = async (origin, { production }) =>
  expected(await call(origin, production.secret, 'list_jobs', { per_page: 25 }), [200]);

/** The sandbox is full now and then, until its reset. */
const createInSandbox: Step = async (origin, { sandbox }) =>
  expected(await ask(origin, sandbox.secret, post(job, randomUUID(), '/sandbox/v1')), [201, 403]);

const loseResponse: Step = async (origin, { sandbox }) => {
  const { headers, ...question } = post(job, randomUUID(), '/sandbox/v1');
  const lost = { ...question, headers: { ...headers, 'X-Simulate': 'lost-response' } };
  return (await ask(origin, sandbox.secret, lost)) ? 'a lost response arrived' : undefined;
};

/** Leaves within some milliseconds, often before the answer. */
const abort: Step = async (origin, { production }) => {
  const path = oneOf(['/v1/jobs?per_page=100', '/v1/jobs/1', '/v1/categories']);
  const headers = { Authorization: `Bearer ${production.secret}` };
  const signal = AbortSignal.timeout(1 + Math.floor(Math.random() * 15));
  await fetch(origin + path, { headers, signal })
    .then(
      (answer) => answer.arrayBuffer(),
      () => undefined,
    )
    .catch(() => undefined);
  return undefined;
};

const page =
  (path: () => string): Step =>
  async (origin, { cookie }) => {
    const headers = { Cookie: cookie };
    const answer = await fetch(`${origin}/dashboard${path()}`, { headers, redirect: 'manual' });
    await answer.arrayBuffer();
    return answer.status === 200 ? undefined : `page ${path()}: ${answer.status}`;
  };

const jobPage = onJob((origin, company, id) => page(() => `/jobs/production/${id}`)(origin, company));

const withRevoked: Step = async (origin, { revoked }) =>
  revoked && expected(await ask(origin, revoked.secret, { path: '/v1/account' }), [401]);

const writeWithReadOnly: Step = async (origin, { readOnly }) =>
  expected(await ask(origin, readOnly.secret, post(job)), [403]);

const signIn: Step = async (_origin, company) => {
  await company.signIn();
  return undefined;
};

let changes = 0;
const change = () => ({ title: `Eletricista ${++changes}` });

interface Kind {
  readonly name: string;
  readonly step: Step;
  /** Requests of the API that every client sends: p50 and p99 are theirs. */
  readonly timed: boolean;
}

type Share = readonly [share: number, name: string, step: Step];

/** Of a thousand requests. */
const timed: readonly Share[] = [
  [180, 'get', restOnJob((id) => ({ path: `/v1/jobs/${id}` }), 200)],
  [100, 'get by tool', toolOnJob('get_job', () => ({}), 200)],
  [60, 'list', rest(() => ({ path: `/v1/jobs?per_page=${oneOf([10, 25, 100])}&page=${oneOf([1, 2])}` }), 200)],
  [40, 'list by status', rest(() => ({ path: `/v1/jobs?status=${oneOf(['active', 'pending', 'inactive'])}` }), 200)],
  [30, 'list by tool', listByTool],
  [80, 'reference', rest(() => ({ path: oneOf(['/v1/categories', '/v1/regions', '/v1/options']) }), 200)],
  [40, 'account', rest(() => ({ path: '/v1/account' }), 200)],
  [50, 'create', create],
  [30, 'create by tool', createByTool],
  [40, 'replay', replay],
  [10, 'conflict', conflict],
  [80, 'change', restOnJob((id) => ({ method: 'PATCH', path: `/v1/jobs/${id}`, body: change() }), 200)],
  [40, 'change by tool', toolOnJob('update_job', () => ({ job: change() }), 200)],
  [20, 'withdraw', restOnJob((id) => ({ method: 'DELETE', path: `/v1/jobs/${id}` }), 204)],
  [10, 'withdraw by tool', toolOnJob('withdraw_job', () => ({}), 204)],
  [30, 'create in the sandbox', createInSandbox],
  [10, 'invalid job', rest(() => post({ title: 7, unknown: true }), 422)],
  [10, 'unknown job', rest(() => ({ path: '/v1/jobs/9007199254740991' }), 404)],
  [10, 'revoked credential', withRevoked],
  [10, 'write with a read-only credential', writeWithReadOnly],
];

const untimed: readonly Share[] = [
  [10, 'hostile body', rest(() => post({ ...job, body: oneOf(Object.values(hostileBodies)) }), 201, 422)],
  [10, 'lost response', loseResponse],
  [40, 'aborted', abort],
  [35, 'page', page(() => oneOf(['', '/credentials', '/jobs', '/requests?environment=production', '/activity']))],
  [20, 'page of a job', jobPage],
  [5, 'sign-in', signIn],
];

const thousand = [
  ...timed.flatMap(([share, name, step]) => Array<Kind>(share).fill({ name, step, timed: true })),
  ...untimed.flatMap(([share, name, step]) => Array<Kind>(share).fill({ name, step, timed: false })),
];

export interface Done {
  readonly name: string;
  readonly ms: number;
  readonly timed: boolean;
  /** What was unexpected. */
  readonly wrong: string | undefined;
}

/** Does one step, chosen at random. */
export async function doStep(origin: string, company: Company): Promise<Done> {
  const { name, step, timed } = oneOf(thousand);
  const started = performance.now();
  const wrong = await step(origin, company).catch((error: unknown) => String(error));
  const ms = performance.now() - started;
  return { name, ms, timed, wrong: wrong && `${name}: ${wrong.slice(0, 300)}` };
}
