import { packageRoot } from '../../src/database/prisma-folder.ts';
import type { Bench } from './bench.ts';
import { requestsOf, shoot } from './load.ts';
import { judged, markdownTable, spreadOf, whole } from './report.ts';
import { drawer, type HttpRequest } from './requests.ts';
import { loadCompanies } from './sample-data.ts';
import { openDatabase, processMegabytes, servicePlan, startServer } from './servers.ts';

export const about = 'three times what 32 connections get answered, from a thousand connections at a steady rate';
export const defaults: Bench['defaults'] = { seconds: 10, connections: [1000] };

/** Not counted: the load grows. */
const [rampSeconds, p99MsMax] = [3, 1000];

/** With a `rate` in requests a second over all connections; without it as fast as answers come. */
async function shot(
  url: string,
  next: () => HttpRequest,
  { connections, seconds, rate }: { readonly connections: number; readonly seconds: number; readonly rate?: number },
  signal: AbortSignal,
) {
  const accepted: number[] = [];
  const refused: number[] = [];
  const known = new Set<unknown>();
  let wrong = 0;
  const from = performance.now() + rampSeconds * 1000;
  const options = { url, connections, duration: seconds + rampSeconds, timeout: 30, ...requestsOf(next) };
  const { errors } = await shoot({ ...options, ...(rate && { overallRate: rate }) }, signal, (status, ms, client) => {
    // The first answer is left out: Node accepts one connection per turn of its event loop.
    const isFirst = !known.has(client);
    known.add(client);
    if (isFirst || performance.now() < from) return;
    if (status === 200 || status === 201) accepted.push(ms);
    else if (status === 503) refused.push(ms);
    else wrong += 1;
  });
  return { accepted: spreadOf(accepted), refused: spreadOf(refused), wrong: wrong + errors };
}

export const measure: Bench['measure'] = async ({ seconds, connections: [connections = 1000] }, run) => {
  const databaseUrl = await openDatabase(packageRoot, run);
  const data = await loadCompanies(databaseUrl, 50, 100);
  const { origin, pid } = await startServer(servicePlan(packageRoot, { DATABASE_URL: databaseUrl }), run);
  const rowOf = async (name: string, id: 'getJob' | 'createJob') => {
    const next = drawer(data, [[id, 100]], 0);
    const capacityOf = () => shot(origin, next, { seconds, connections: 32 }, run.signal);
    await capacityOf();
    const capacity = (await capacityOf()).accepted.answers / seconds;
    const before = processMegabytes(pid);
    const rate = Math.ceil(capacity * 3);
    const { accepted, refused, wrong } = await shot(origin, next, { seconds, connections, rate }, run.signal);
    const rates = [capacity, rate, accepted.answers / seconds, refused.answers / seconds].map(whole);
    const megabytes = [before, processMegabytes(pid)].map(whole).join(' to ');
    return [name, ...rates, judged(accepted.p99Ms, p99MsMax, 0), whole(refused.p99Ms), whole(wrong), megabytes];
  };
  const heading = ['a second', 'can answer', 'asked', 'accepted', '503', 'p99 ms of accepted', 'of 503', 'wrong', 'MB'];
  return [
    markdownTable([heading, await rowOf('`GET` of a job', 'getJob'), await rowOf('`POST` of a job', 'createJob')]),
  ];
};
