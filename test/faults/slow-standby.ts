import { setTimeout as sleep } from 'node:timers/promises';
import { minimalJob } from '../helper/sample-jobs.ts';
import { checkJobs } from './check-jobs.ts';
import { Creators } from './creators.ts';
import { onPair, type Pair, targetOf } from './fail-over.ts';
import { type Fault, memoryMb, type Outcome, outcome, quantile, type Scale, whole } from './fault.ts';
import { History, msOf, p99, type Seen } from './history.ts';
import { Readers } from './loops.ts';
import { makeCompany, type Subject, withStore } from './subject.ts';
import { post } from './traffic.ts';

/** The delay of each direction between the primary and its synchronous standby: a commit takes twice as long. */
const delayMs = 300;
/** Together with their requests, fewer than the places of one company. */
const creators = 20;
/** More creates at once than one company has places. */
const burst = 80;
const readersOfCompany = 3;
/** How much longer readers may wait beside the writers. */
const slower = 1.5;
/** The waits for a place of the company, a statement and a connection together. */
const answerMsMax = 20_000;
const memoryGrowthMbMax = 50;

const plans = { full: { aloneMs: 10_000, slowMs: 40_000 }, short: { aloneMs: 2000, slowMs: 8000 } };

/** Readers of one job of a company. */
async function readersFor({ origin }: Subject, token: string): Promise<() => Readers> {
  const history = new History(origin, token);
  await history.ask(post({ ...minimalJob, title: 'read' }, 'read'));
  const path = `/v1/jobs/${history.seen[0]?.job}`;
  return () => new Readers(origin, token, { path, count: readersOfCompany, pauseMs: 20 });
}

async function readWhile(start: readonly (() => Readers)[], meanwhile: Promise<unknown>): Promise<Seen[][]> {
  const readers = start.map((one) => one());
  await meanwhile;
  await Promise.all(readers.map((one) => one.stop()));
  return readers.map(({ history }) => history.seen);
}

const createAtOnce = (history: History): Promise<unknown> =>
  Promise.all(
    Array.from({ length: burst }, (_, n) => history.ask(post({ ...minimalJob, title: `burst ${n}` }, `burst-${n}`))),
  );

async function slowDown({ primary, standby, stream, proxy, subject }: Pair, scale: Scale): Promise<Outcome> {
  const { aloneMs, slowMs } = plans[scale];
  const { origin, token, place, service } = subject;
  const other = await withStore(place, makeCompany);
  const readers = [await readersFor(subject, token), await readersFor(subject, other.token)];
  await readWhile(readers, sleep(aloneMs));
  const alone = await readWhile(readers, sleep(aloneMs));
  stream.slow(delayMs);
  const load = new Creators(origin, token, creators);
  let growthMb = 0;
  const beside = await readWhile(
    readers,
    sleep(slowMs / 2).then(async () => {
      growthMb -= memoryMb(service.pid, 'VmRSS');
      await sleep(slowMs / 2);
      growthMb += memoryMb(service.pid, 'VmRSS');
    }),
  );
  const [, crowded = []] = await readWhile(readers, createAtOnce(load.history));
  const written = [...load.history.answered];
  await primary.stop('immediate');
  stream.cut();
  await standby.promote();
  proxy.moveTo(targetOf(standby));
  await load.progress(100);
  await load.stop();
  const found = await checkJobs(subject, load);
  const created = written.filter(({ status }) => status === 201);
  const ids = created.map(({ job = 0 }) => job);
  const commitMs = quantile(created.map(msOf), 0);
  const reasons = (reason: string): number => written.filter((one) => one.reason === reason).length;
  const slowest = Math.max(...written.map(msOf));
  const p99s = beside.map((seen, company) => [p99(seen), p99(alone[company] ?? [])] as const);
  const [own, others] = p99s.map(([now, before]) => `${now.toFixed(1)} ms against ${before.toFixed(1)} ms alone`);
  return outcome(
    `a synchronous standby ${delayMs} ms away each way under ${creators} creators and a burst of ${burst} creates: the fastest of ` +
      `${whole(created.length)} after ${whole(commitMs)} ms, the median after ${whole(quantile(created.map(msOf), 0.5))} ms; 503 ` +
      `${whole(reasons('overload'))} times for overload and ${whole(reasons('database'))} for the database, slowest answer ${whole(slowest)} ms; ` +
      `p99 of its readers ${own}, of another company's ${others}; memory grew ${whole(growthMb)} MB; after the promotion ${found.figures}`,
    found.promises,
    {
      'the process lives on': service.running,
      'a commit waits for the standby': commitMs >= 2 * delayMs,
      'creates are acknowledged in the order of their jobs': ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? 0)),
      'more requests than a company has places for get 503': reasons('overload') > 0,
      'no request is queued without end': slowest < answerMsMax,
      'every read beside the writers is answered with 200': [...beside.flat(), ...crowded].every(
        ({ status }) => status === 200,
      ),
      'readers wait little longer than without writers':
        scale === 'short' || p99s.every(([now, before]) => now <= before * slower),
      'memory is flat': growthMb < memoryGrowthMbMax,
    },
  );
}

export const slowStandby: Fault = {
  name: 'slow-standby',
  promise: 'a synchronous standby that is far away slows creates, and nobody who reads',
  run: (scale) => onPair((pair) => slowDown(pair, scale)),
};
