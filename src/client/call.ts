import { VagaError } from './vaga-error.ts';

export interface CallOptions {
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
   * unanswered attempt made the change: then read the job. An option without a value throws a TypeError.
   */
  readonly ifMatch?: string;
}

/** The result of openapi-fetch. Error statuses have been thrown already. */
type Result<T> = Promise<{ data?: T; response: Response }>;

/** The body of a successful response. */
export async function bodyOf<T>(result: Result<T>): Promise<T> {
  try {
    // By the contract, an operation without a response body returns void.
    return (await result).data as T;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new VagaError('The answer is not JSON; it did not come from the service.', { status: 0, cause });
  }
}

export const dataOf = async <T>(result: Result<{ data: T }>): Promise<T> => (await bodyOf(result)).data;

export const signalOf = ({ signal }: CallOptions = {}) => ({ signal: signal ?? null });

/** The header of a conditional change. Throws for a missing ETag, which would make the change overwrite. */
export function ifMatchOf(call: ChangeOptions = {}): { 'If-Match'?: string } {
  if (!('ifMatch' in call)) return {};
  if (!call.ifMatch) throw new TypeError('ifMatch is given without an ETag: pass etagOf(job), or leave it out');
  return { 'If-Match': call.ifMatch };
}
