import { type Answer, type Question, send } from './ask.ts';
import { quantile } from './fault.ts';

/** Fields of a job: those that the load writes, `status` and `etag`. */
export type Fields = Readonly<Record<string, unknown>>;

/** A request as its client saw it. */
export interface Seen {
  /** By performance.now(), in milliseconds. */
  readonly begin: number;
  /** Infinity (in JSON null) if it was sent and no answer came. */
  readonly end: number;
  readonly operation: 'create' | 'read' | 'change' | 'withdraw' | 'other';
  readonly path: string;
  readonly key: string | undefined;
  readonly ifMatch: string | undefined;
  readonly sent: Fields;
  /** 0 if no answer came. */
  readonly status: number;
  /** Of a refusal. */
  readonly reason: string | undefined;
  readonly retryAfter: string | undefined;
  /** Of the path or the answer. */
  readonly job: number | undefined;
  /** What the answer shows of the job. */
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

function operationOf({ method = 'GET', path }: Question): Seen['operation'] {
  if (path === '/v1/jobs' && method === 'POST') return 'create';
  return (jobPath.test(path) && ofJob[method]) || 'other';
}

const followed = ({ title, remote_policy }: Fields): Fields => ({ title, remote_policy });

function seenOf(question: Question, begin: number, answer: Answer | 'lost' | 'unsent'): Seen {
  const { path, headers: { 'Idempotency-Key': key, 'If-Match': ifMatch } = {}, body: sent } = question;
  const operation = operationOf(question);
  const { body, status = 0, headers }: Partial<Answer> = typeof answer === 'string' ? {} : answer;
  const { data, error } = (body ?? {}) as Body;
  const shown = { ...(data && { ...followed(data), status: data.status }), etag: headers?.get('ETag') ?? undefined };
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

/** Sends the requests of one credential and notes what came of each. */
export class History {
  readonly seen: Seen[] = [];
  readonly #origin: string;
  readonly #token: string;

  constructor(origin: string, token: string) {
    this.#origin = origin;
    this.#token = token;
  }

  /** Undefined without a whole answer. */
  async ask(question: Question): Promise<Answer | undefined> {
    const begin = performance.now();
    const answer = await send(this.#origin, this.#token, question);
    this.seen.push(seenOf(question, begin, answer));
    return typeof answer === 'string' ? undefined : answer;
  }

  get answered(): Seen[] {
    return this.seen.filter(({ status }) => status > 0);
  }

  get unanswered(): number {
    return this.count(0);
  }

  count(status: number): number {
    return this.seen.filter((one) => one.status === status).length;
  }
}
