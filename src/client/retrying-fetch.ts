import { VagaError } from './vaga-error.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export interface RetryOptions {
  readonly fetch: Fetch;
  readonly sleep: Sleep;
  readonly retries: number;
  readonly timeoutSeconds: number;
  readonly pauseSecondsMax: number;
}

/** A request taken apart, so that it can be sent again. */
interface RequestParts {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | null;
}

/** The text is read to its end: a connection may break in the middle of a response. */
type Outcome =
  | { readonly kind: 'response'; readonly response: Response; readonly text: string }
  | { readonly kind: 'failure'; readonly cause: unknown };

/**
 * A `fetch` that retries after 429, 5xx and connection failures, and throws a VagaError when the last attempt fails. Retrying is safe
 * for every operation: a create carries its idempotency key, a second DELETE changes nothing, a PATCH sets the same fields again.
 */
export function retryingFetch(options: RetryOptions): (request: Request) => Promise<Response> {
  const { fetch, sleep, retries, timeoutSeconds, pauseSecondsMax } = options;
  return async (request) => {
    const { url, method, headers, signal } = request;
    // Not request.body, which Firefox does not have.
    const parts = { url, method, headers, body: (await request.text()) || null };
    for (let retry = 0; ; retry++) {
      const outcome = await attempt(fetch, parts, signal, timeoutSeconds);
      const pause = pauseSeconds(outcome, retry, pauseSecondsMax, Math.random(), new Date());
      if (pause === undefined || retry >= retries) return responseOf(outcome, parts, new Date());
      await sleep(pause * 1000, signal);
    }
  };
}

/** Sends once. Throws only the reason of `signal`; a timeout is a failed outcome. */
async function attempt(
  fetch: Fetch,
  { url, ...parts }: RequestParts,
  signal: AbortSignal,
  timeoutSeconds: number,
): Promise<Outcome> {
  signal.throwIfAborted();
  // Not AbortSignal.any: Node 20 may garbage-collect its result before it fires.
  const deadline = new AbortController();
  const stop = () => deadline.abort(signal.reason);
  const onTimeout = () => deadline.abort(new DOMException(`No answer within ${timeoutSeconds} s.`, 'TimeoutError'));
  const timer = setTimeout(onTimeout, timeoutSeconds * 1000);
  signal.addEventListener('abort', stop, { once: true });
  try {
    // Never follow a redirect: the credential is for this address only.
    const response = await fetch(url, { ...parts, redirect: 'manual', signal: deadline.signal });
    return { kind: 'response', response, text: await response.text() };
  } catch (cause) {
    signal.throwIfAborted();
    return { kind: 'failure', cause };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

const firstPauseSeconds = 0.5;

/**
 * Exponential back-off with jitter (`chance`, 0 to 1), never shorter than Retry-After. Undefined if a retry cannot help, or if the
 * service asks for more than `secondsMax`.
 */
function pauseSeconds(
  outcome: Outcome,
  retry: number,
  secondsMax: number,
  chance: number,
  now: Date,
): number | undefined {
  if (outcome.kind === 'response') {
    const { status, headers } = outcome.response;
    if (status !== 429 && status < 500) return undefined;
    const wanted = retryAfterSeconds(headers, now);
    if (wanted !== undefined) return wanted > secondsMax ? undefined : wanted + chance * firstPauseSeconds;
  }
  const longest = Math.min(secondsMax, firstPauseSeconds * 2 ** retry);
  return (longest / 2) * (1 + chance);
}

/** Either form of Retry-After (RFC 9110, 10.2.3). A date is compared with the response's own Date: this machine's clock may be wrong. */
function retryAfterSeconds(headers: Headers, now: Date): number | undefined {
  const value = headers.get('Retry-After')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  if (!value.endsWith('GMT')) return undefined;
  const sent = Date.parse(headers.get('Date') ?? '');
  const milliseconds = Date.parse(value) - (Number.isNaN(sent) ? now.getTime() : sent);
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, Math.ceil(milliseconds / 1000));
}

/** The response, unread. Throws a VagaError for an error status, and with status 0 if there was no response. */
function responseOf(outcome: Outcome, { headers: sent }: RequestParts, now: Date): Response {
  const idempotencyKey = sent.get('Idempotency-Key') ?? undefined;
  if (outcome.kind === 'failure') {
    const { cause } = outcome;
    throw new VagaError(`No answer from the service: ${messageOf(cause)}`, { status: 0, idempotencyKey, cause });
  }
  const { response, text } = outcome;
  const { ok, status, headers } = response;
  if (ok) return new Response(text === '' ? null : text, { status, headers });
  const { message, details } = errorOf(text);
  throw new VagaError(message ?? `HTTP status ${status}`, {
    status,
    details,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(headers, now),
    idempotencyKey,
  });
}

/** fetch itself only says "fetch failed"; its cause has the reason. */
function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error && cause.cause.message !== '' ? cause.cause.message : cause.message;
}

interface ErrorBody {
  readonly message?: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The contract's error body; empty if a proxy answered something else. */
function errorOf(text: string): ErrorBody {
  try {
    const { message, details } = JSON.parse(text).error;
    if (typeof message === 'string') return { message, details: Object(details) };
  } catch {
    // Not our JSON: only the status is known.
  }
  return { details: {} };
}

/** Waits. Rejects with the reason of `signal` as soon as it is aborted. */
export const sleep: Sleep = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
