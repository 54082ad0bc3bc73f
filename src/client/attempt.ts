/** A request taken apart, so that it can be sent again. */
export interface Parts {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | null;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What one attempt came to. The text is there whole: a connection may break in the middle of an answer. */
export type Outcome =
  | { readonly kind: 'answer'; readonly response: Response; readonly text: string }
  | { readonly kind: 'failure'; readonly cause: unknown };

/** The parts of a request that nobody has read yet. */
export async function partsOf(request: Request): Promise<Parts> {
  const { url, method, headers } = request;
  return { url, method, headers, body: request.body === null ? null : await request.text() };
}

/** Sends once. Throws only the reason of `signal`; a failure, a missed deadline among them, is an outcome. */
export async function attempt(
  fetch: Fetch,
  { url, ...parts }: Parts,
  signal: AbortSignal,
  timeoutSeconds: number,
): Promise<Outcome> {
  signal.throwIfAborted();
  // By hand, because Node 20 may collect what AbortSignal.any returns before it fires.
  const deadline = new AbortController();
  const stop = () => deadline.abort(signal.reason);
  const late = () => deadline.abort(new DOMException(`No answer within ${timeoutSeconds} s.`, 'TimeoutError'));
  const timer = setTimeout(late, timeoutSeconds * 1000);
  signal.addEventListener('abort', stop, { once: true });
  try {
    // A redirection is a refusal: the credential is for this address.
    const response = await fetch(url, { ...parts, redirect: 'manual', signal: deadline.signal });
    return { kind: 'answer', response, text: await response.text() };
  } catch (cause) {
    signal.throwIfAborted();
    return { kind: 'failure', cause };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
