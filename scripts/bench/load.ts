import { Agent, request } from 'node:http';
import autocannon from 'autocannon';
import { type ChildServer, processCpu } from './servers.ts';

/** A load ends with whichever comes first. */
export interface Bounds {
  readonly connections: number;
  readonly seconds: number;
  readonly answersMax?: number;
}

/** The requests of a load, and how a right answer looks. */
export interface Requests {
  readonly requests: autocannon.Request[];
  readonly statuses: readonly number[];
  /** Checks a body where the status does not tell. */
  readonly isRight?: (body: string) => boolean;
}

/** One row of a table: a server and its requests. */
export interface Entrant extends Requests {
  readonly name: string;
  readonly server: ChildServer;
}

export type Round = Awaited<ReturnType<typeof load>>;

/** Called for every answer; ends the load by returning true. */
type Watch = (status: number, latencyMs: number, client: unknown) => unknown;

/** One load by autocannon; throws the reason of an aborted signal at once. */
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

/** Loads one server within the bounds. */
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
    /** Wrong statuses and bodies, errors and time-outs; not the requests that the end cut off. */
    failures: wrongStatuses.length + result.mismatches + result.errors,
    wrongStatuses,
    requestsPerSecond: latenciesMs.length === 0 ? 0 : (latenciesMs.length * 1000) / (lastAnswer - started),
    latenciesMs,
    cpuMicroseconds: processCpu(server.pid) - cpuBefore,
  };
}

/** The rounds of each entrant, interleaved, so that a slow minute affects all alike. */
export async function inRounds<E, R>(
  entrants: readonly E[],
  rounds: number,
  measure: (entrant: E) => Promise<R>,
): Promise<Map<E, R[]>> {
  const done = new Map<E, R[]>(entrants.map((entrant) => [entrant, []]));
  for (let round = 0; round < rounds; round++) {
    const first = round % entrants.length;
    for (const entrant of [...entrants.slice(first), ...entrants.slice(0, first)])
      done.get(entrant)?.push(await measure(entrant));
  }
  return done;
}

export interface HttpRequest {
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

/** Sends one request and reads its whole answer; never throws. */
export function send(agent: Agent, origin: string, { method, path, headers, body }: HttpRequest): Promise<Answer> {
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

/** Every connection alternates between the targets with each request, so that noise affects all alike. The answers of each target. */
export async function alternate(
  targets: readonly { readonly origin: string; next(): HttpRequest }[],
  { connections, seconds, answersMax = Number.POSITIVE_INFINITY }: Bounds,
  signal: AbortSignal,
): Promise<Answer[][]> {
  const agent = new Agent({ keepAlive: true });
  const answers = targets.map((): Answer[] => []);
  const deadline = performance.now() + seconds * 1000;
  const connection = async (first: number): Promise<void> => {
    for (let number = first; performance.now() < deadline; number++) {
      signal.throwIfAborted();
      const [target, own] = [targets[number % targets.length], answers[number % targets.length]];
      if (!target || !own || own.length >= answersMax) return;
      own.push(await send(agent, target.origin, target.next()));
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, (_, first) => connection(first)));
    return answers;
  } finally {
    agent.destroy();
  }
}
