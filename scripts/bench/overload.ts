import type autocannon from 'autocannon';
import { type Requests, shoot } from './load.ts';
import { builtFolder, count, jsonFile, runBench } from './program.ts';
import { alignRight, isMet, judged, machineNote, publish, spreadOf, whole } from './report.ts';
import { requestsOf } from './requests.ts';
import { loadSampleData } from './sample-data.ts';
import { type ChildServer, openDatabase, processMegabytes, servicePlan, startServer } from './servers.ts';

const about = 'Asks the service for three times what it can answer, from many connections at a steady rate.';
const options = { seconds: count('of each load', 10, 600), json: jsonFile, dist: builtFolder };
const capacityConnections = 32;
const overloadConnections = 1000;
/** Not counted: the load grows. */
const rampSeconds = 3;
const times = 3;
const aim = { is: 'below', bound: 1000 } as const;

/** With `overallRate` in requests a second over all connections; without it as fast as answers come. */
async function shot(seconds: number, load: autocannon.Options, signal: AbortSignal) {
  const accepted: number[] = [];
  const refused: number[] = [];
  const known = new Set<unknown>();
  let [firstMs, wrong] = [0, 0];
  const from = performance.now() + rampSeconds * 1000;
  const { errors } = await shoot(
    { ...load, duration: seconds + rampSeconds, timeout: 30 },
    signal,
    (status, ms, client) => {
      const isFirst = !known.has(client);
      known.add(client);
      // Excluded: Node accepts one connection per turn of its event loop.
      if (isFirst) firstMs = Math.max(firstMs, ms);
      if (isFirst || performance.now() < from) return;
      if (status === 200 || status === 201) accepted.push(ms);
      else if (status === 503) refused.push(ms);
      else wrong += 1;
    },
  );
  return { accepted: spreadOf(accepted), refused: spreadOf(refused), firstMs, wrong: wrong + errors };
}

async function measure(
  name: string,
  seconds: number,
  { origin: url, pid }: ChildServer,
  { requests }: Requests,
  signal: AbortSignal,
) {
  const capacityOf = () => shot(seconds, { url, requests, connections: capacityConnections }, signal);
  await capacityOf();
  const capacity = (await capacityOf()).accepted.answers / seconds;
  const before = processMegabytes(pid);
  const rate = Math.ceil(capacity * times);
  const over = await shot(seconds, { url, requests, connections: overloadConnections, overallRate: rate }, signal);
  return { name, capacity, rate, ...over, megabytes: [before, processMegabytes(pid)] };
}

const rates = ['a second', 'can answer', 'asked', 'accepted', 'p50 ms', 'p99 ms'];
const heading = [...rates, '503', 'p99 ms', 'first ms', 'wrong', 'MB'];

await runBench('bench:overload', about, options, async ({ seconds, json, dist }, run) => {
  const { url, note } = await openDatabase(dist, run);
  const sample = await loadSampleData(url, 1000);
  const server = await startServer(servicePlan(dist, { DATABASE_URL: url }), run);
  const loads = [
    await measure('GET /jobs/{id}', seconds, server, requestsOf('rest', 'getJob', sample), run.signal),
    await measure('POST /jobs', seconds, server, requestsOf('rest', 'createJob', sample), run.signal),
  ];
  const rows = loads.map(({ name, capacity, rate, accepted, refused, firstMs, wrong, megabytes }) => [
    name,
    ...[capacity, rate, accepted.answers / seconds, accepted.p50Ms, accepted.p99Ms].map(whole),
    ...[refused.answers / seconds, refused.p99Ms, firstMs, wrong].map(whole),
    megabytes.map(whole).join(' -> '),
  ]);
  const notes = [
    machineNote(note),
    `${overloadConnections} connections, ${seconds} s; the first answer of each is counted by itself. MB are resident, before and after.`,
  ];
  const verdicts = loads.map(
    ({ name, accepted, wrong }) =>
      `  ${name}: p99 of what is accepted, ms: ${judged(accepted.p99Ms, aim, 0)}; wrong or broken: ${wrong}`,
  );
  const isKept = loads.every(({ accepted, wrong }) => isMet(accepted.p99Ms, aim) && wrong === 0);
  publish(notes, [alignRight([heading, ...rows]), [...verdicts, `  all of it: ${isKept ? 'met' : 'missed'}`]], json, {
    loads,
  });
});
