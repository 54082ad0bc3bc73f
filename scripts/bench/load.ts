import { once } from 'node:events';
import autocannon from 'autocannon';
import { quantile } from './report.ts';
import type { HttpRequest } from './requests.ts';
import { type ChildServer, databaseCpu, processCpu } from './servers.ts';

/** A server under load and its database. Only servers under load may use that database, because its whole CPU time is counted. */
export interface Entrant extends ChildServer {
  readonly databaseUrl: string;
  /** The addresses of the database's other nodes. */
  readonly workerUrls?: readonly string[];
  next(): HttpRequest;
}

/** Returns the CPU time of all nodes in microseconds. */
async function databaseCpuOf({ databaseUrl, workerUrls = [] }: Entrant): Promise<number> {
  let sum = 0;
  for (const url of [databaseUrl, ...workerUrls]) sum += await databaseCpu(url);
  return sum;
}

/** Puts one server under load. Returns CPU in microseconds per answer. Throws if an answer is not a success or, over MCP, is an error. */
async function load(entrant: Entrant, connections: number, seconds: number) {
  const { name, origin, pid, next } = entrant;
  const latenciesMs: number[] = [];
  const before = [processCpu(pid), await databaseCpuOf(entrant)] as const;
  const started = performance.now();
  let lastAnswer = started;
  const options: autocannon.Options = {
    ...{ url: origin, connections, duration: seconds, timeout: 10 },
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
    verifyBody: (body: unknown) => !String(body).includes('"isError":true'),
  };
  const running = autocannon(options, () => undefined);
  running.on('response', (_client: unknown, _status: number, _bytes: number, latencyMs: number) => {
    lastAnswer = performance.now();
    latenciesMs.push(latencyMs);
  });
  const [{ non2xx, mismatches, errors }] = await once(running, 'done');
  const failures = non2xx + mismatches + errors;
  if (failures > 0) throw new Error(`${name}: ${failures} requests were not answered as they should be`);
  const answers = latenciesMs.length;
  return {
    latenciesMs,
    requestsPerSecond: (answers * 1000) / (lastAnswer - started),
    serviceCpu: (processCpu(pid) - before[0]) / answers,
    databaseCpu: ((await databaseCpuOf(entrant)) - before[1]) / answers,
  };
}

/**
 * First sends enough requests for V8 to optimize. Then runs the rounds of all servers interleaved, so that a slow minute affects all alike.
 * Returns medians, except that `bothCpu` comes from the lowest round, because other work on the machine can only raise it.
 */
export async function measure(
  entrants: readonly Entrant[],
  { warmUp, rounds, connections, seconds }: Readonly<Record<'warmUp' | 'rounds' | 'connections' | 'seconds', number>>,
) {
  for (const one of entrants)
    for (let answers = 0; answers < warmUp; ) answers += (await load(one, 32, 3)).latenciesMs.length;
  const done = entrants.map((): Awaited<ReturnType<typeof load>>[] => []);
  for (let round = 0; round < rounds; round++)
    for (const turn of entrants.keys()) {
      const index = (round + turn) % entrants.length;
      done[index]?.push(await load(entrants[index] as Entrant, connections, seconds));
    }
  return done.map((own) => {
    const median = (of: (round: (typeof own)[0]) => number) => quantile(own.map(of), 0.5);
    return {
      latenciesMs: own.flatMap(({ latenciesMs }) => latenciesMs),
      requestsPerSecond: median((round) => round.requestsPerSecond),
      serviceCpu: median((round) => round.serviceCpu),
      databaseCpu: median((round) => round.databaseCpu),
      bothCpu: Math.min(...own.map((round) => round.serviceCpu + round.databaseCpu)),
    };
  });
}
