import type { AttemptOptions } from './retrying-fetch.ts';

export interface CallOptions extends AttemptOptions {
  /** Aborts the call with the signal's reason, even in the queue or during a pause. */
  readonly signal?: AbortSignal | undefined;
}

export interface CreateOptions extends CallOptions {
  /** Default: a new UUID. Every attempt of the call sends the same key. */
  readonly idempotencyKey?: string | undefined;
}

export interface ChangeOptions extends CallOptions {
  /**
   * Changes the job only if it still has this ETag (see etagOf); otherwise the call fails with status 412. A 412 can also mean that an
   * unanswered attempt made the change: then read the job. `ifMatch` without a value throws a TypeError.
   */
  readonly ifMatch?: string;
}

/** A promise of a response's data. */
export interface Call<T> extends Promise<T> {
  /** Resolves to the data, with the response's status and headers. */
  withResponse(): Promise<ResponseOf<T>>;
}

export interface ResponseOf<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
  /** Whether an earlier create with the same idempotency key made this job. */
  readonly isReplayed: boolean;
  /** The job's ETag, for `ifMatch`. */
  readonly etag: string | undefined;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** The company's request limit, the requests left in the current window, and the seconds until the next one. */
  readonly rateLimit: { readonly limit: number; readonly remaining: number; readonly resetSeconds: number };
}

/** The result of openapi-fetch. Error statuses have been thrown already. */
type Result<T> = Promise<{ data?: T; response: Response }>;

/** The body of a successful response. */
export const bodyOf = <T>(send: () => Result<T>): Call<T> => callOf(send, (body) => body);

/** The `data` in the body of a successful response. */
export const dataOf = <T>(send: () => Result<{ data: T }>): Call<T> => callOf(send, ({ data }) => data);

function callOf<B, T>(send: () => Result<B>, pick: (body: B) => T): Call<T> {
  const whole = responseOf(send, pick);
  const plain = whole.then(({ data }) => data);
  const withResponse = () => {
    // The caller awaits `whole`, which rejects if the call fails. `plain` rejects too, which would be an unhandled rejection.
    plain.catch(() => {});
    return whole;
  };
  return Object.assign(plain, { withResponse });
}

async function responseOf<B, T>(send: () => Result<B>, pick: (body: B) => T): Promise<ResponseOf<T>> {
  const { data, response } = await send();
  const { status, headers } = response;
  const number = (name: string): number => Number(headers.get(`RateLimit-${name}`));
  return {
    // By the contract, an operation without a response body returns void.
    data: pick(data as B),
    status,
    headers,
    isReplayed: headers.get('Idempotent-Replayed') === 'true',
    etag: headers.get('ETag') ?? undefined,
    requestId: headers.get('X-Request-Id') ?? undefined,
    rateLimit: { limit: number('Limit'), remaining: number('Remaining'), resetSeconds: number('Reset') },
  };
}

/** Returns the header of a conditional change. Throws a TypeError for a missing ETag: without one, the change would be unconditional. */
export function ifMatchOf(call: ChangeOptions = {}): { 'If-Match'?: string } {
  if (!('ifMatch' in call)) return {};
  if (!call.ifMatch) throw new TypeError('ifMatch is given without an ETag: pass etagOf(job), or leave it out');
  return { 'If-Match': call.ifMatch };
}
