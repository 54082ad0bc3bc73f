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

/** How long a client waits. */
const timeoutMs = 20_000;

/** Without a whole answer `lost`, because the connection was cut or timed out, or `unsent` if there was no connection. */
export async function send(origin: string, token: string, question: Question): Promise<Answer | 'lost' | 'unsent'> {
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

/** Undefined without a whole answer. */
export async function ask(origin: string, token: string, question: Question): Promise<Answer | undefined> {
  const answer = await send(origin, token, question);
  return typeof answer === 'string' ? undefined : answer;
}
