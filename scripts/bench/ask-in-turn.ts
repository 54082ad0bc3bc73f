import { Agent, request } from 'node:http';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One server with what it is asked next. */
export interface Listener {
  readonly origin: string;
  next(): Asked;
}

/** What one server answered. */
export interface Answers {
  readonly latenciesMs: number[];
  /** Answers other than 2xx, and connections that broke. */
  failures: number;
}

/** It ends with whichever comes first. */
export interface Bounds {
  readonly connections: number;
  readonly seconds: number;
  /** Of each server. */
  readonly answersMax?: number;
}

/**
 * Every connection asks one server after the other, so that whatever else this machine does meanwhile, and how the load falls,
 * is the same for all. An aborted signal ends it at once with the signal's reason.
 */
export async function askInTurn(
  listeners: readonly Listener[],
  { connections, seconds, answersMax = Number.POSITIVE_INFINITY }: Bounds,
  signal: AbortSignal,
): Promise<Answers[]> {
  const agent = new Agent({ keepAlive: true });
  const answers = listeners.map((): Answers => ({ latenciesMs: [], failures: 0 }));
  const deadline = performance.now() + seconds * 1000;
  const connection = async (first: number): Promise<void> => {
    for (let turn = first; performance.now() < deadline; turn++) {
      signal.throwIfAborted();
      const index = turn % listeners.length;
      const [listener, heard] = [listeners[index], answers[index]];
      if (!listener || !heard || heard.latenciesMs.length >= answersMax) return;
      const started = performance.now();
      const isRight = await ask(agent, listener.origin, listener.next());
      heard.latenciesMs.push(performance.now() - started);
      if (!isRight) heard.failures++;
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, (_, first) => connection(first)));
    return answers;
  } finally {
    agent.destroy();
  }
}

/** Resolves when the whole answer is there. */
function ask(agent: Agent, origin: string, { method, path, headers, body }: Asked): Promise<boolean> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(origin + path, { agent, method, headers: { ...headers, ...length } }, (response) => {
      const { statusCode = 0 } = response;
      response.on('end', () => resolve(statusCode >= 200 && statusCode < 300));
      response.on('error', () => resolve(false));
      response.resume();
    });
    sent.on('error', () => resolve(false));
    sent.end(body);
  });
}
