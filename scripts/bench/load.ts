import { Agent, request } from 'node:http';
import autocannon from 'autocannon';
import { median, spreadOf } from './report.ts';
import type { HttpRequest } from './requests.ts';
import { type ChildServer, databaseCpu, processCpu } from './servers.ts';

/** A load ends with whichever comes first. */
export interface Bounds {
  readonly connections: number;
  readonly seconds: number;
  readonly answersMax?: number;
}

/** Called for every answer. */
type Watch = (status: number, latencyMs: number, client: unknown) => void;

/** autocannon's options for requests that are made one by one. */
export const requestsOf = (next: () => HttpRequest): Pick<autocannon.Options, 'requests'> => ({
  requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
});

/** One load by autocannon; throws the reason of an aborted signal at once. */
export async function shoot(options: autocannon.Options, signal: AbortSignal, watch: Watch) {
  signal.throwIfAborted();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(options, (error: unknown, done: autocannon.Result) => {
      signal.removeEventListener('abort', end);
      if (error) reject(error);
      else resolve(done);
    });
    const end = () => instance.stop();
    signal.addEventListener('abort', end);
    instance.on('response', (client: unknown, status: number, _bytes: number, latencyMs: number) =>
      watch(status, latencyMs, client),
    );
  });
  signal.throwIfAborted();
  return result;
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

/** Throws if a request is not answered with 200 or 201 and, over MCP, without an error. */
async function load({ name, server, databaseUrl, next }: Entrant, bounds: Bounds, signal: AbortSignal): Promise<Round> {
  const latenciesMs: number[] = [];
  const wrong: number[] = [];
  const before = [processCpu(server.pid), await databaseCpu(databaseUrl)] as const;
  const started = performance.now();
  let lastAnswer = started;
  const result = await shoot(
    {
      ...{ url: server.origin, connections: bounds.connections, duration: bounds.seconds, timeout: 10 },
      ...requestsOf(next),
      verifyBody: (body: unknown) => !String(body).includes('"isError":true'),
    },
    signal,
    (status, latencyMs) => {
      if (status !== 200 && status !== 201) wrong.push(status);
      lastAnswer = performance.now();
      latenciesMs.push(latencyMs);
    },
  );
  const failures = wrong.length + result.mismatches + result.errors;
  if (failures > 0)
    throw new Error(`${name}: ${failures} requests were not answered as they should be: ${wrong.slice(0, 5)}`);
  const answers = latenciesMs.length;
  return {
    latenciesMs,
    requestsPerSecond: (answers * 1000) / (lastAnswer - started),
    serviceCpu: (processCpu(server.pid) - before[0]) / answers,
    databaseCpu: ((await databaseCpu(databaseUrl)) - before[1]) / answers,
  };
}

/** Enough answers for V8 to optimize. */
const warmUp = { bounds: { connections: 32, seconds: 3 }, answers: 10_000 };

export async function warm(entrants: readonly Entrant[], signal: AbortSignal, least = warmUp.answers): Promise<void> {
  for (const one of entrants)
    for (let answers = 0; answers < least; ) answers += (await load(one, warmUp.bounds, signal)).latenciesMs.length;
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
