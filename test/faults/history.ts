import { quantile } from './fault.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  readonly ms: number;
}

export interface Question {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** How long a client waits: longer than the service takes for an answer on any machine. */
const timeoutMs = 60_000;

/** Without a whole answer: `lost` if the connection was cut or timed out, `unsent` if there was no connection. */
async function send(origin: string, token: string, question: Question): Promise<Answer | 'lost' | 'unsent'> {
  const { method = 'GET', path, headers = {}, body } = question;
  const started = performance.now();
  const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
  try {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...json, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    const parsed: unknown = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, body: parsed, ms: performance.now() - started };
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return cause?.code === 'ECONNREFUSED' ? 'unsent' : 'lost';
  }
}

/** Undefined if the whole answer did not arrive. */
export async function ask(origin: string, token: string, question: Question): Promise<Answer | undefined> {
  const answer = await send(origin, token, question);
  return typeof answer === 'string' ? undefined : answer;
}

/** A job's fields that the load writes, `status` and `etag`. */
export type Fields = Readonly<Record<string, unknown>>;

/** Actions of clients, then of people and time, then what the database contains afterwards: a job, and how many are counted. */
type Operation =
  | ('create' | 'read' | 'change' | 'withdraw' | 'other')
  | ('approve' | 'deny' | 'undo' | 'reset' | 'revoke' | 'expire')
  | ('found' | 'account');

/** A request as its client saw it. */
export interface Seen {
  /** By performance.now(), in milliseconds. */
  readonly begin: number;
  /** Infinity (null in JSON) if the request was sent and got no answer. */
  readonly end: number;
  readonly operation: Operation;
  readonly path?: string;
  readonly key?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly sent: Fields;
  /** 0 if no answer came. */
  readonly status: number;
  /** The reason of a refusal. */
  readonly reason?: string | undefined;
  readonly retryAfter?: string | undefined;
  /** The job's id, from the path or the answer. */
  readonly job?: number | undefined;
  /** The part of the job in the answer. */
  readonly shown: Fields;
}

export const msOf = ({ begin, end }: Seen): number => end - begin;

export const p99 = (answered: readonly Seen[]): number => quantile(answered.map(msOf), 0.99);

interface Body {
  readonly data?: Fields & { readonly id?: number };
  readonly error?: { readonly details?: { readonly reason?: string } };
}

const jobPath = /^\/v1\/jobs\/(\d+)$/;
const ofJob: Readonly<Record<string, Seen['operation']>> = { GET: 'read', PATCH: 'change', DELETE: 'withdraw' };
const toolMethods: Readonly<Record<string, string>> = { get_job: 'GET', update_job: 'PATCH', withdraw_job: 'DELETE' };

function operationOf({ method = 'GET', path }: Question): Seen['operation'] {
  if (path === '/v1/jobs' && method === 'POST') return 'create';
  return (jobPath.test(path) && ofJob[method]) || 'other';
}

interface ToolCall {
  readonly params?: { readonly name: string; readonly arguments: Fields };
}

/** The REST request that equals a tool call. */
function plainOf(question: Question): Question {
  const { params } = (question.body ?? {}) as ToolCall;
  if (question.path !== '/mcp' || !params) return question;
  const { id, job: body, idempotency_key: key } = params.arguments;
  if (params.name === 'create_job')
    return { method: 'POST', path: '/v1/jobs', body, headers: { 'Idempotency-Key': String(key) } };
  const method = toolMethods[params.name];
  return method ? { method, path: `/v1/jobs/${id}`, body } : question;
}

/** The REST answer that equals a tool result, which contains its status, body and ETag. */
export function outcomeOf({ status, body, headers }: Answer): { status: number; body: Body; etag: string | undefined } {
  const { result } = (body ?? {}) as { result?: { structuredContent?: ToolResult } };
  const { http_status, response, error, etag } = result?.structuredContent ?? {};
  if (http_status === undefined) return { status, body: (body ?? {}) as Body, etag: headers.get('ETag') ?? undefined };
  return { status: http_status, body: response ?? (error ? { error } : {}), etag };
}

interface ToolResult {
  readonly http_status: number;
  readonly response?: Body;
  readonly error?: NonNullable<Body['error']>;
  readonly etag?: string;
}

const followed = ({ title, remote_policy }: Fields): Fields => ({ title, remote_policy });

function seenOf(question: Question, begin: number, answer: Answer | 'lost' | 'unsent'): Seen {
  const { path, headers: { 'Idempotency-Key': key, 'If-Match': ifMatch } = {}, body: sent } = question;
  const operation = operationOf(question);
  const headers = typeof answer === 'string' ? undefined : answer.headers;
  const { status, body, etag } = typeof answer === 'string' ? { status: 0, body: {} } : outcomeOf(answer);
  const { data, error }: Body = body;
  const shown = { ...(data && { ...followed(data), status: data.status }), etag };
  return {
    begin,
    end: answer === 'lost' ? Number.POSITIVE_INFINITY : performance.now(),
    operation,
    path,
    key,
    ifMatch,
    sent: followed((sent ?? {}) as Fields),
    status,
    reason: error?.details?.reason,
    retryAfter: headers?.get('Retry-After') ?? undefined,
    job: Number(jobPath.exec(path)?.[1]) || data?.id,
    shown: operation === 'other' ? {} : shown,
  };
}

/** Sends the requests of one credential and records their outcomes. */
export class History {
  readonly seen: Seen[] = [];
  readonly #origin: string;
  readonly #token: string;

  constructor(origin: string, token: string) {
    this.#origin = origin;
    this.#token = token;
  }

  /** Undefined if the whole answer did not arrive. */
  async ask(question: Question): Promise<Answer | undefined> {
    const begin = performance.now();
    const answer = await send(this.#origin, this.#token, question);
    this.seen.push(seenOf(plainOf(question), begin, answer));
    return typeof answer === 'string' ? undefined : answer;
  }

  get answered(): Seen[] {
    return this.seen.filter(({ status }) => status > 0);
  }

  count(status: number): number {
    return this.seen.filter((one) => one.status === status).length;
  }
}
