import autocannon from 'autocannon';
import type { ChildServer } from './child-server.ts';

/** What is asked of a server again and again. */
export interface Questions {
  readonly requests: autocannon.Request[];
  /** Of every right answer. */
  readonly status: number;
  /** Whether a body is what was asked for, where the status does not tell. */
  readonly isRight?: (body: string) => boolean;
}

/** One row of a table: a server with what it is asked. */
export interface Entrant extends Questions {
  readonly name: string;
  readonly server: ChildServer;
}

/** What one load of one server came to. */
export interface Round {
  readonly answers: number;
  /** Answers of another status, wrong bodies, errors and time-outs; requests that the end cut off are none. */
  readonly failures: number;
  readonly requestsPerSecond: number;
  readonly latenciesMs: readonly number[];
  readonly cpuMicroseconds: number | undefined;
}

/** A load ends with whichever comes first. */
export interface Bounds {
  readonly connections: number;
  readonly seconds: number;
  readonly answersMax?: number;
}

/** Loads a server for a bounded time; an aborted signal ends it at once with the signal's reason. */
export async function load(
  { server, requests, status, isRight }: Entrant,
  { connections, seconds, answersMax }: Bounds,
  signal: AbortSignal,
): Promise<Round> {
  signal.throwIfAborted();
  const latenciesMs: number[] = [];
  let wrongStatuses = 0;
  const cpuBefore = server.cpuMicroseconds();
  const started = performance.now();
  let lastAnswer = started;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const verifyBody: autocannon.Options['verifyBody'] = isRight && ((body) => isRight(String(body)));
    const options = { url: server.origin, connections, duration: seconds, requests, timeout: 10 };
    const instance = autocannon(verifyBody ? { ...options, verifyBody } : options, (error, done) => {
      signal.removeEventListener('abort', end);
      if (error) reject(error);
      else resolve(done);
    });
    const end = () => instance.stop();
    signal.addEventListener('abort', end);
    instance.on('response', (_client, answered, _bytes, milliseconds) => {
      if (answered !== status) wrongStatuses += 1;
      latenciesMs.push(milliseconds);
      lastAnswer = performance.now();
      if (latenciesMs.length === answersMax) instance.stop();
    });
  });
  const cpuAfter = server.cpuMicroseconds();
  signal.throwIfAborted();
  const answers = latenciesMs.length;
  return {
    answers,
    failures: wrongStatuses + result.mismatches + result.errors,
    requestsPerSecond: answers === 0 ? 0 : (answers * 1000) / (lastAnswer - started),
    latenciesMs,
    cpuMicroseconds: cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore,
  };
}
