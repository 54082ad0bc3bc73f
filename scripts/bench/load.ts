import autocannon from 'autocannon';
import { median, spreadOf } from './report.ts';
import type { HttpRequest } from './requests.ts';
import { type ChildServer, databaseCpu, processCpu } from './servers.ts';

export interface Bounds {
  readonly connections: number;
  readonly seconds: number;
}

/** A server under load, and the database that only servers under load use. */
export interface Entrant {
  readonly name: string;
  readonly server: ChildServer;
  readonly databaseUrl: string;
  next(): HttpRequest;
}

/** One load of one server. CPU in microseconds per answer. */
interface Round {
  readonly latenciesMs: readonly number[];
  readonly requestsPerSecond: number;
  readonly serviceCpu: number;
  readonly databaseCpu: number;
}

/** Throws the reason of an aborted signal, and if a request is not answered with success and, over MCP, without an error. */
async function load({ name, server, databaseUrl, next }: Entrant, bounds: Bounds, signal: AbortSignal): Promise<Round> {
  signal.throwIfAborted();
  const latenciesMs: number[] = [];
  const before = [processCpu(server.pid), await databaseCpu(databaseUrl)] as const;
  const started = performance.now();
  let lastAnswer = started;
  const { non2xx, mismatches, errors } = await new Promise<autocannon.Result>((resolve, reject) => {
    const options: autocannon.Options = {
      ...{ url: server.origin, connections: bounds.connections, duration: bounds.seconds, timeout: 10 },
      requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
      verifyBody: (body: unknown) => !String(body).includes('"isError":true'),
    };
    const instance = autocannon(options, (error: unknown, result) => (error ? reject(error) : resolve(result)));
    instance.on('response', (_client: unknown, _status: number, _bytes: number, latencyMs: number) => {
      lastAnswer = performance.now();
      latenciesMs.push(latencyMs);
    });
    const stop = () => instance.stop();
    signal.addEventListener('abort', stop);
    instance.on('done', () => signal.removeEventListener('abort', stop));
  });
  signal.throwIfAborted();
  const failures = non2xx + mismatches + errors;
  if (failures > 0) throw new Error(`${name}: ${failures} requests were not answered as they should be`);
  const answers = latenciesMs.length;
  return {
    latenciesMs,
    requestsPerSecond: (answers * 1000) / (lastAnswer - started),
    serviceCpu: (processCpu(server.pid) - before[0]) / answers,
    databaseCpu: ((await databaseCpu(databaseUrl)) - before[1]) / answers,
  };
}

/** Until each has given so many answers; by default enough for V8 to optimize. */
export async function warm(entrants: readonly Entrant[], signal: AbortSignal, least = 10_000): Promise<void> {
  for (const one of entrants)
    for (let answers = 0; answers < least; )
      answers += (await load(one, { connections: 32, seconds: 3 }, signal)).latenciesMs.length;
}

/**
 * The rounds of all entrants, interleaved so that a slow minute affects all alike, as medians. The CPU of both is the lowest: what else runs
 * on the machine only ever adds to processor time.
 */
export async function measure(entrants: readonly Entrant[], rounds: number, bounds: Bounds, signal: AbortSignal) {
  const done = entrants.map((): Round[] => []);
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < entrants.length; turn++) {
      const index = (round + turn) % entrants.length;
      const entrant = entrants[index];
      if (entrant) done[index]?.push(await load(entrant, bounds, signal));
    }
  return done.map((own, index) => ({
    name: entrants[index]?.name ?? '',
    ...spreadOf(own.flatMap(({ latenciesMs }) => latenciesMs)),
    requestsPerSecond: median(own.map((round) => round.requestsPerSecond)),
    serviceCpu: median(own.map((round) => round.serviceCpu)),
    databaseCpu: median(own.map((round) => round.databaseCpu)),
    bothCpu: Math.min(...own.map((round) => round.serviceCpu + round.databaseCpu)),
  }));
}

export interface Answer {
  /** 0 where the connection broke, or nothing came within ten seconds. */
  readonly status: number;
  readonly ms: number;
}

/** Sends one request and reads its whole answer; never throws. */
export async function send(origin: string, { path, ...init }: HttpRequest): Promise<Answer> {
  const started = performance.now();
  const status = await fetch(origin + path, { ...init, signal: AbortSignal.timeout(10_000) })
    .then((response) => response.arrayBuffer().then(() => response.status))
    .catch(() => 0);
  return { status, ms: performance.now() - started };
}
