import autocannon from 'autocannon';
import { type ChildServer, processCpu } from './child-server.ts';

/** What is asked of a server again and again. */
export interface Questions {
  readonly requests: autocannon.Request[];
  /** Those of a right answer. */
  readonly statuses: readonly number[];
  /** Whether a body is what was asked for, where the status does not tell. */
  readonly isRight?: (body: string) => boolean;
}

/** One row of a table: a server with what it is asked. */
export interface Entrant extends Questions {
  readonly name: string;
  readonly server: ChildServer;
}

/** What one load of one server came to. */
export type Round = Awaited<ReturnType<typeof load>>;

/** A load ends with whichever comes first. */
export interface Bounds {
  readonly connections: number;
  readonly seconds: number;
  readonly answersMax?: number;
}

/** Sees every answer; ends the load where it says true. */
type Watch = (status: number, latencyMs: number, client: unknown) => unknown;

/** One load by autocannon; an aborted signal ends it at once with the signal's reason. */
export async function shoot(
  options: autocannon.Options,
  signal: AbortSignal,
  watch: Watch,
): Promise<autocannon.Result> {
  signal.throwIfAborted();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(options, (error: unknown, done: autocannon.Result) => {
      signal.removeEventListener('abort', end);
      if (error) reject(error);
      else resolve(done);
    });
    const end = () => instance.stop();
    signal.addEventListener('abort', end);
    instance.on('response', (client: unknown, status: number, _bytes: number, latencyMs: number) => {
      if (watch(status, latencyMs, client) === true) end();
    });
  });
  signal.throwIfAborted();
  return result;
}

/** Loads a server for a bounded time. */
export async function load(
  { server, requests, statuses, isRight }: Entrant,
  { connections, seconds, answersMax }: Bounds,
  signal: AbortSignal,
) {
  const latenciesMs: number[] = [];
  const wrongStatuses: number[] = [];
  const cpuBefore = processCpu(server.pid);
  const started = performance.now();
  let lastAnswer = started;
  const options: autocannon.Options = { url: server.origin, connections, duration: seconds, requests, timeout: 10 };
  if (isRight) options.verifyBody = (body: unknown) => isRight(String(body));
  const result = await shoot(options, signal, (status, latencyMs) => {
    if (!statuses.includes(status)) wrongStatuses.push(status);
    lastAnswer = performance.now();
    return latenciesMs.push(latencyMs) === answersMax;
  });
  return {
    /** Answers of another status, wrong bodies, errors and time-outs; requests that the end cut off are none. */
    failures: wrongStatuses.length + result.mismatches + result.errors,
    wrongStatuses,
    requestsPerSecond: latenciesMs.length === 0 ? 0 : (latenciesMs.length * 1000) / (lastAnswer - started),
    latenciesMs,
    cpuMicroseconds: processCpu(server.pid) - cpuBefore,
  };
}

/** Asks one entrant after the other, round by round, so that a slow minute hits all alike; the rounds of each. */
export async function inRounds<E, R>(
  entrants: readonly E[],
  rounds: number,
  ask: (entrant: E) => Promise<R>,
): Promise<Map<E, R[]>> {
  const done = new Map<E, R[]>(entrants.map((entrant) => [entrant, []]));
  for (let round = 0; round < rounds; round++) {
    const first = round % entrants.length;
    for (const entrant of [...entrants.slice(first), ...entrants.slice(0, first)])
      done.get(entrant)?.push(await ask(entrant));
  }
  return done;
}
