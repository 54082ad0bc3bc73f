import { randomUUID } from 'node:crypto';
import { minimalJob } from '../helper/sample-jobs.ts';
import { type Answer, type History, outcomeOf, type Question } from './history.ts';

/** A create that was acknowledged. */
interface Created {
  readonly key: string;
  readonly id: number;
}

type Credential = 'production' | 'sandbox' | 'readOnly' | 'revoked';

/** A company as its clients know it. */
export interface Client {
  /** Its latest production jobs. */
  readonly created: Created[];
  /** Sends a request with one of its credentials, if it has that one. */
  send(by: Credential, question: Question): Promise<Answer | undefined> | undefined;
}

/** A client with a production credential. Its requests are recorded. */
export const clientOf = (history: History, created: Created[] = []): Client => ({
  created,
  send: (by, question) => (by === 'production' ? history.ask(question) : undefined),
});

const rememberedMax = 200;
export const oneOf = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
export const job = { ...minimalJob, body: '<p>Procuramos <b>eletricista</b> para obras no Porto.</p>' };

/** A request of the API. */
interface Asked extends Question {
  /** Uses the production credential unless another is given. */
  readonly by?: Credential;
  /** The title of a create. It is remembered if it succeeds. */
  readonly key?: string;
  /** The job that the answer must hold. */
  readonly id?: number;
}

const get = (path: string): Asked => ({ path });
export const post = (body: unknown, key: string = randomUUID(), base = '/v1'): Asked => {
  return { method: 'POST', path: `${base}/jobs`, headers: { 'Idempotency-Key': key }, body };
};
const create = (key: string = randomUUID()): Asked => ({ ...post(job, key), key });
export const inSandbox = (): Asked => ({ ...post(job, randomUUID(), '/sandbox/v1'), by: 'sandbox' });
const byTool = (name: string, given: object): Asked => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
  return { method: 'POST', path: '/mcp', body };
};
const createByTool = (key = randomUUID()): Asked => ({ ...byTool('create_job', { idempotency_key: key, job }), key });

let changes = 0;
const change = () => ({ title: `Eletricista ${++changes}` });

/** A request, possibly about a production job of the company, and its allowed statuses. */
type Row = readonly [share: number, name: string, asked: (about: Created) => Asked, ...statuses: number[]];

/** The actions of a program, by frequency. */
const traffic: readonly Row[] = [
  [190, 'get', ({ id }) => get(`/v1/jobs/${id}`), 200],
  [120, 'get by tool', ({ id }) => byTool('get_job', { id }), 200],
  [60, 'list', () => get(`/v1/jobs?per_page=${oneOf([10, 25, 100])}&page=${oneOf([1, 2])}`), 200],
  [40, 'list by status', () => get(`/v1/jobs?status=${oneOf(['active', 'pending', 'inactive'])}`), 200],
  [40, 'list by tool', () => byTool('list_jobs', { per_page: 25 }), 200],
  [80, 'reference', () => get(oneOf(['/v1/categories', '/v1/regions', '/v1/options'])), 200],
  [40, 'account', () => get('/v1/account'), 200],
  [60, 'create', () => create(), 201],
  [40, 'create by tool', () => createByTool(), 201],
  [50, 'replay', ({ key, id }) => ({ ...post(job, key), id }), 200],
  [20, 'conflict', ({ key }) => post({ ...job, title: 'Outra' }, key), 409],
  [80, 'change', ({ id }) => ({ method: 'PATCH', path: `/v1/jobs/${id}`, body: change() }), 200],
  [40, 'change by tool', ({ id }) => byTool('update_job', { id, job: change() }), 200],
  [30, 'withdraw', ({ id }) => ({ method: 'DELETE', path: `/v1/jobs/${id}` }), 204],
  [20, 'withdraw by tool', ({ id }) => byTool('withdraw_job', { id }), 204],
  // The sandbox is sometimes full, until its reset.
  [30, 'create in the sandbox', inSandbox, 201, 403],
  [10, 'invalid job', () => post({ title: 7, unknown: true }), 422],
  [10, 'unknown category', () => post({ ...job, category_id: 999_999 }), 422],
  [10, 'no job', () => get('/v1/jobs/none'), 404],
  [10, 'revoked credential', () => ({ ...get('/v1/account'), by: 'revoked' }), 401],
  [10, 'write with a read-only credential', () => ({ ...post(job), by: 'readOnly' }), 403],
];
const first: Row = [0, 'create', () => create(), 201];
const mixed = traffic.flatMap((row) => Array<Row>(row[0]).fill(row));

/** Sends one random request. Resolves with its name and the unexpected result, if there is one. */
export async function sendOne(client: Client): Promise<{ name: string; wrong: string | undefined }> {
  const about = client.created.length > 0 ? oneOf(client.created) : undefined;
  const [, name, asked, ...statuses] = about ? oneOf(mixed) : first;
  const { by = 'production', key, id, ...question } = asked(about ?? { key: '', id: 0 });
  const sent = client.send(by, question);
  if (!sent) return { name, wrong: undefined };
  const answer = await sent;
  const outcome = answer && outcomeOf(answer);
  if (!outcome || !statuses.includes(outcome.status))
    return {
      name,
      wrong: `${name}: ${outcome?.status ?? 'no answer'} instead of ${statuses}: ${JSON.stringify(answer?.body)}`.slice(
        0,
        300,
      ),
    };
  const found = outcome.body.data?.id;
  if (key && found && client.created.push({ key, id: found }) > rememberedMax) client.created.shift();
  return { name, wrong: id === undefined || found === id ? undefined : `the key of job ${id} returned ${found}` };
}
