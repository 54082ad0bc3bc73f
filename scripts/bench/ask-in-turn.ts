import { Agent, request } from 'node:http';
import type { Bounds } from './load.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  /** 0 where the connection broke, or nothing came within ten seconds. */
  readonly status: number;
  readonly ms: number;
}

/** One server with what it is asked next. */
export interface Listener {
  readonly origin: string;
  next(): Asked;
}

/**
 * Every connection asks one server after the other, so that whatever else this machine does meanwhile, and how the load falls,
 * is the same for all. An aborted signal ends it at once with the signal's reason.
 */
export async function askInTurn(
  listeners: readonly Listener[],
  { connections, seconds, answersMax = Number.POSITIVE_INFINITY }: Bounds,
  signal: AbortSignal,
): Promise<Answer[][]> {
  const agent = new Agent({ keepAlive: true });
  const answers = listeners.map((): Answer[] => []);
  const deadline = performance.now() + seconds * 1000;
  const connection = async (first: number): Promise<void> => {
    for (let turn = first; performance.now() < deadline; turn++) {
      signal.throwIfAborted();
      const [listener, heard] = [listeners[turn % listeners.length], answers[turn % listeners.length]];
      if (!listener || !heard || heard.length >= answersMax) return;
      heard.push(await ask(agent, listener.origin, listener.next()));
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, (_, first) => connection(first)));
    return answers;
  } finally {
    agent.destroy();
  }
}

/** Resolves when the whole answer is there; never throws. */
export function ask(agent: Agent, origin: string, { method, path, headers, body }: Asked): Promise<Answer> {
  const started = performance.now();
  return new Promise((resolve) => {
    const end = (status: number) => resolve({ status, ms: performance.now() - started });
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const options = { agent, method, headers: { ...headers, ...length }, signal: AbortSignal.timeout(10_000) };
    const sent = request(origin + path, options, (response) => {
      response.on('end', () => end(response.statusCode ?? 0));
      response.on('error', () => end(0));
      response.resume();
    });
    sent.on('error', () => end(0));
    sent.end(body);
  });
}
