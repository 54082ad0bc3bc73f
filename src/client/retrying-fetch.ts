import { queueOf, sleep as wait } from './abortable-waits.ts';
import { VagaError } from './vaga-error.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A failed attempt, after which the client pauses and tries again. */
export interface Retry {
  readonly method: string;
  readonly url: string;
  readonly error: VagaError;
  readonly pauseSeconds: number;
}

/** Options of the client that one call may replace. */
export interface AttemptOptions {
  /** Retries after 5xx, no answer, or 429 without Retry-After. Default 4. */
  readonly retries?: number | undefined;
  /** Timeout of one attempt. Default 30. */
  readonly timeoutSeconds?: number | undefined;
  /** Called before the pause of each retry. If it throws, the call fails with that error. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

export interface RetryOptions extends AttemptOptions {
  /** Longest pause between two attempts. Default 60. If the service asks for more, the call fails at once. */
  readonly pauseSecondsMax?: number | undefined;
  /** How long a call, after it has left the queue, may wait for the request limit (429 with Retry-After) before it fails. Default 600. */
  readonly limitWaitSecondsMax?: number | undefined;
  /** How many calls run at once. The others queue in the client. Default 8. */
  readonly concurrency?: number | undefined;
  /** Replaces the global fetch, for example to use a proxy or to log. */
  readonly fetch?: Fetch | undefined;
  /** Replaces the timer in tests. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Replaces the clock in tests. Milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** The parts of a request, so that it can be sent again. */
type RequestParts = Pick<Request, 'url' | 'method' | 'headers'> & { readonly body: string | null };

/** The text is read completely, because a connection may break in the middle of a response. */
type Outcome =
  | { kind: 'response'; response: Response; text: string; retryAfterSeconds: number | undefined }
  | { kind: 'failure'; cause: unknown };

/**
 * A `fetch` that retries after 429, 5xx and connection failures, and throws a VagaError when the last attempt fails. Retrying is safe
 * for every operation: a create carries its idempotency key, a second DELETE changes nothing, a PATCH sets the same fields again.
 */
export function retryingFetch(options: RetryOptions): (request: Request, own?: AttemptOptions) => Promise<Response> {
  const { pauseSecondsMax = 60, limitWaitSecondsMax = 600 } = options;
  // The global is looked up per call: a program may replace it later.
  const { fetch = (url, init) => globalThis.fetch(url, init), sleep = wait, now = () => performance.now() } = options;
  const queue = queueOf(options.concurrency ?? 8);
  // All calls share the request limit, so a refusal of one delays the others.
  let limitedUntil = 0;
  const send = async (request: Request, own: AttemptOptions): Promise<Response> => {
    const { retries = options.retries ?? 4, timeoutSeconds = options.timeoutSeconds ?? 30 } = own;
    const { onRetry = options.onRetry } = own;
    const { url, method, headers, signal } = request;
    // Not request.body: Firefox lacks it.
    const parts = { url, method, headers, body: (await request.text()) || null };
    const deadline = now() + limitWaitSecondsMax * 1000;
    for (let failures = 0; ; ) {
      const limitedMs = limitedUntil - now();
      if (limitedMs > 0 && limitedUntil <= deadline) await sleep(limitedMs, signal);
      const outcome = await attempt(fetch, parts, signal, timeoutSeconds);
      const pause = pauseSeconds(outcome, failures, pauseSecondsMax, Math.random());
      const limited = pause !== undefined && isLimited(outcome);
      if (limited) limitedUntil = Math.max(limitedUntil, now() + pause * 1000);
      const isLast = pause === undefined || (limited ? limitedUntil > deadline : failures++ >= retries);
      if (isLast) return responseOf(outcome, parts);
      onRetry?.({ method, url, error: errorOf(outcome, parts), pauseSeconds: pause });
      if (!limited) await sleep(pause * 1000, signal);
    }
  };
  // A call counts as running while it pauses, so that no later call overtakes it and a service in trouble gets no additional calls.
  return (request, own = {}) => queue(request.signal, () => send(request, own));
}

/**
 * Whether the request limit refused an attempt. That does not count as a failure: the service works and knows when requests are allowed
 * again. The Retry-After of a 503 is a guess, so a 503 counts.
 */
const isLimited = (outcome: Outcome): boolean =>
  outcome.kind === 'response' && outcome.response.status === 429 && outcome.retryAfterSeconds !== undefined;

/** A timer for longer fires at once. */
const timerMsMax = 2 ** 31 - 1;

/** Sends the request once. Throws only the reason of `signal`; a timeout is an outcome of kind `failure`. */
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
  const timer = setTimeout(onTimeout, Math.min(timeoutSeconds * 1000, timerMsMax));
  signal.addEventListener('abort', stop, { once: true });
  try {
    // Never follow a redirect: the credential is only for this address.
    const response = await fetch(url, { ...parts, redirect: 'manual', signal: deadline.signal });
    const text = await response.text();
    return { kind: 'response', response, text, retryAfterSeconds: retryAfterSeconds(response.headers, new Date()) };
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
function pauseSeconds(outcome: Outcome, retry: number, secondsMax: number, chance: number): number | undefined {
  if (outcome.kind === 'response') {
    const { response, retryAfterSeconds: wanted } = outcome;
    if (response.status !== 429 && response.status < 500) return undefined;
    if (wanted !== undefined) return wanted > secondsMax ? undefined : wanted + chance * firstPauseSeconds;
  }
  const longest = Math.min(secondsMax, firstPauseSeconds * 2 ** retry);
  return (longest / 2) * (1 + chance);
}

/** Reads either form of Retry-After (RFC 9110, 10.2.3). A date is compared with the response's own Date: this machine's clock may be wrong. */
function retryAfterSeconds(headers: Headers, now: Date): number | undefined {
  const value = headers.get('Retry-After')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  if (!value.endsWith('GMT')) return undefined;
  const sent = Date.parse(headers.get('Date') ?? '');
  const milliseconds = Date.parse(value) - (Number.isNaN(sent) ? now.getTime() : sent);
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, Math.ceil(milliseconds / 1000));
}

/** Returns a successful response, with its body unread. Throws a VagaError for any other outcome. */
function responseOf(outcome: Outcome, parts: RequestParts): Response {
  if (outcome.kind === 'failure' || !outcome.response.ok) throw errorOf(outcome, parts);
  const { status, headers } = outcome.response;
  if (status === 204) return new Response(null, { status, headers });
  if (isJsonObject(outcome.text)) return new Response(outcome.text, { status, headers });
  throw unanswered('The answer is not JSON; it did not come from the service.', parts);
}

/** Whether a text is a JSON object, as every body of the service is. */
function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

/** The key of a create, with which it can be repeated. */
const keyOf = ({ headers }: RequestParts): string | undefined => headers.get('Idempotency-Key') ?? undefined;

/** The error of a request that got no response from the service. */
const unanswered = (message: string, parts: RequestParts, why: { cause?: unknown } = {}): VagaError =>
  new VagaError(message, { status: 0, idempotencyKey: keyOf(parts), ...why });

/** Returns the error for an error status, or an error with status 0 if there was no response. */
function errorOf(outcome: Outcome, parts: RequestParts): VagaError {
  if (outcome.kind === 'failure')
    return unanswered(`No answer from the service: ${causeMessage(outcome.cause)}`, parts, { cause: outcome.cause });
  const { response, text, retryAfterSeconds } = outcome;
  const { status, headers } = response;
  const { message, details } = refusalIn(text);
  const requestId = headers.get('X-Request-Id') ?? undefined;
  const fields = { status, details, requestId, retryAfterSeconds, idempotencyKey: keyOf(parts) };
  return new VagaError(message ?? `HTTP status ${status}`, fields);
}

/** The error of fetch only says "fetch failed"; its cause has the reason. */
function causeMessage(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error && cause.cause.message !== '' ? cause.cause.message : cause.message;
}

/** Reads the contract's error body. If the body is another, such as a proxy's, returns empty `details` and no message. */
function refusalIn(text: string): Pick<VagaError, 'details'> & { message?: string } {
  try {
    const { message, details } = JSON.parse(text).error;
    if (typeof message === 'string') return { message, details: Object(details) };
  } catch {
    // Not our JSON: only the status is known.
  }
  return { details: {} };
}
