import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { type ChildServer, limitsLifted, startServer } from './child-server.ts';
import { createDatabase, migrateDatabase } from './database.ts';
import { restQuestions } from './questions.ts';
import { loadSampleData } from './sample-data.ts';

// npm run bench:overload: three times what the service can answer, from many connections at a steady rate.

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const dist = join(root, 'dist');
const seconds = 10;
const capacityConnections = 32;
const overloadConnections = 1000;
/** Not counted: the load grows. */
const rampSeconds = 3;
const times = 3;
const aimMs = 1000;

interface Shot {
  readonly perSecond: number;
  /** Milliseconds of every answer, by whether it was accepted. */
  readonly accepted: readonly number[];
  readonly refused: readonly number[];
  /** Slowest first answer of a connection, in milliseconds. Not among the others: Node takes one new connection a turn of its event loop. */
  readonly firstMs: number;
  /** Answers that were neither accepted nor a 503 with Retry-After, and connections that broke. */
  readonly wrong: number;
}

/** `rate` in requests a second over all connections; without it as fast as answers come. */
function shoot(
  base: string,
  requests: autocannon.Request[],
  connections: number,
  rate: number | undefined,
): Promise<Shot> {
  const accepted: number[] = [];
  const refused: number[] = [];
  const known = new Set<unknown>();
  let firstMs = 0;
  let wrong = 0;
  const from = performance.now() + rampSeconds * 1000;
  const options: autocannon.Options = {
    url: base,
    connections,
    duration: seconds + rampSeconds,
    requests,
    timeout: 30,
  };
  if (rate !== undefined) options.overallRate = rate;
  return new Promise((resolve, reject) => {
    const instance = autocannon(options, (error, result) => {
      if (error) reject(error);
      else resolve({ perSecond: accepted.length / seconds, accepted, refused, firstMs, wrong: wrong + result.errors });
    });
    instance.on('response', (client, status, _bytes, ms) => {
      const isFirst = !known.has(client);
      known.add(client);
      if (isFirst) firstMs = Math.max(firstMs, ms);
      if (isFirst || performance.now() < from) return;
      if (status === 200 || status === 201) accepted.push(ms);
      else if (status === 503) refused.push(ms);
      else wrong += 1;
    });
  });
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

async function measure(name: string, server: ChildServer, requests: autocannon.Request[]): Promise<boolean> {
  const origin = server.origin;
  await shoot(origin, requests, capacityConnections, undefined);
  const capacity = await shoot(origin, requests, capacityConnections, undefined);
  const before = server.residentMb();
  const rate = Math.ceil(capacity.perSecond * times);
  const over = await shoot(origin, requests, overloadConnections, rate);
  const p99 = percentile(over.accepted, 0.99);
  console.log(
    `${name}: can answer ${capacity.perSecond.toFixed(0)}/s; asked ${rate}/s by ${overloadConnections} connections: ` +
      `accepted ${over.perSecond.toFixed(0)}/s, p50 ${percentile(over.accepted, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms; ` +
      `refused with 503 ${(over.refused.length / seconds).toFixed(0)}/s, p99 ${percentile(over.refused, 0.99).toFixed(0)} ms; ` +
      `first answer of a new connection at most ${over.firstMs.toFixed(0)} ms; wrong or broken ${over.wrong}; resident ${before} -> ${server.residentMb()} MB`,
  );
  return p99 < aimMs && over.wrong === 0;
}

async function main(): Promise<void> {
  const database = await createDatabase();
  let server: ChildServer | undefined;
  try {
    migrateDatabase(dist, database.url);
    const sample = await loadSampleData(database.url, 1000);
    const limits = { ...limitsLifted, LOG_LEVEL: 'error' };
    const env = { DATABASE_URL: database.url, ...limits };
    server = await startServer({ name: 'this service', program: [join(dist, 'src', 'main.js')], env });
    const kept = [
      await measure('GET /jobs/{id}', server, restQuestions('getJob', sample).requests),
      await measure('POST /jobs', server, restQuestions('createJob', sample).requests),
    ];
    console.log(
      `p99 of what is accepted below ${aimMs} ms, nothing wrong or broken: ${kept.every(Boolean) ? 'kept' : 'MISSED'}`,
    );
  } finally {
    await server?.stop();
    await database.drop();
  }
}

await main();
