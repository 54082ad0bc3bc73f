import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import type { ChildServer } from './child-server.ts';
import type { SampleData } from './sample-data.ts';

/** What is asked of a server again and again. */
export interface Operation {
  readonly name: string;
  readonly requests: autocannon.Request[];
}

/** What one load of one server came to. */
export interface Round {
  readonly answers: number;
  /** Answers other than 2xx, errors and time-outs; requests that the end cut off are none. */
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

/** Every connection prepares all of them before its first request. */
const readsMax = 100;

/** The two operations of the comparison; each create has a key of its own. */
export function operationsOn({ token, jobIds, job }: SampleData): Operation[] {
  const authorization = `Bearer ${token}`;
  const reads = jobIds.slice(0, readsMax).map(
    (id): autocannon.Request => ({
      method: 'GET',
      path: `/v1/jobs/${id}`,
      headers: { authorization, accept: 'application/json' },
    }),
  );
  const create: autocannon.Request = {
    method: 'POST',
    path: '/v1/jobs',
    headers: { authorization, accept: 'application/json', 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(job)),
    setupRequest: (request) => ({ ...request, headers: { ...request.headers, 'idempotency-key': randomUUID() } }),
  };
  return [
    { name: 'GET /jobs/{id}', requests: reads },
    { name: 'POST /jobs', requests: [create] },
  ];
}

/** Loads a server for a bounded time; an aborted signal ends it at once with the signal's reason. */
export async function load(
  server: ChildServer,
  { requests }: Operation,
  { connections, seconds, answersMax }: Bounds,
  signal: AbortSignal,
): Promise<Round> {
  signal.throwIfAborted();
  const latenciesMs: number[] = [];
  const cpuBefore = server.cpuMicroseconds();
  const started = performance.now();
  let lastAnswer = started;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const options = { url: server.base, connections, duration: seconds, requests, timeout: 10 };
    const instance = autocannon(options, (error, done) => {
      signal.removeEventListener('abort', end);
      if (error) reject(error);
      else resolve(done);
    });
    const end = () => instance.stop();
    signal.addEventListener('abort', end);
    instance.on('response', (_client, _status, _bytes, milliseconds) => {
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
    failures: result.non2xx + result.errors,
    requestsPerSecond: answers === 0 ? 0 : (answers * 1000) / (lastAnswer - started),
    latenciesMs,
    cpuMicroseconds: cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore,
  };
}
