import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/database/open.ts';
import type { ServiceProcess } from '../helper/service-process.ts';
import { TcpProxy } from '../helper/tcp-proxy.ts';
import { ask } from './ask.ts';
import { checkJobs, promisesAboutJobs } from './check-jobs.ts';
import { Creators } from './creators.ts';
import { brokenOf, type Fault, type Outcome, whole } from './fault.ts';
import { History, msOf, p99, type Seen } from './history.ts';
import { Loops } from './loops.ts';
import { serverPlace } from './place.ts';
import { Readers } from './readers.ts';
import { type MadeCompany, makeCompany, Subject, withStore } from './subject.ts';

/** Each way: a round trip takes longer than a request may wait for Redis. */
const delayMs = 300;
const requestWaitsMs = 500;
const requestsPerMinute = 1200;
/** How much longer honest readers may wait. */
const slower = 1.5;
/** Until the service notices that Redis is slow, or in time again. */
const noticedMsMax = 10_000;

interface Plan {
  readonly outages: number;
  readonly aloneMs: number;
  readonly slowMs: number;
}

const linesOf = ({ output }: ServiceProcess): string[] => output.match(/request limits are [a-z ]+/g) ?? [];

/** Resolves when the service has logged so many lines about the limits, and in any case after a while. */
async function logged({ service }: Subject, lines: number): Promise<void> {
  const until = performance.now() + noticedMsMax;
  while (linesOf(service).length < lines && performance.now() < until) await sleep(20);
}

/** Sends requests until one is refused; resolves with what was answered. */
async function exhaust({ origin }: Subject, { token }: MadeCompany): Promise<History> {
  const history = new History(origin, token);
  const loops = new Loops();
  for (let client = 0; client < 10; client++) loops.start(() => history.ask({ path: '/v1/account' }), 0);
  while (history.count(429) === 0 && history.seen.length <= requestsPerMinute * 2) await sleep(20);
  await loops.stop();
  return history;
}

/** How many requests of a company each process has counted, after one to each. */
async function countedBy(subjects: readonly Subject[], { token }: MadeCompany): Promise<number[]> {
  const counted: number[] = [];
  for (const { origin } of subjects) {
    const answer = await ask(origin, token, { path: '/v1/account' });
    counted.push(requestsPerMinute - Number(answer?.headers.get('RateLimit-Remaining')));
  }
  return counted;
}

interface Companies {
  readonly honest: readonly MadeCompany[];
  /** Uses up its limit during the outage. */
  readonly greedy: MadeCompany;
  /** Sends its first requests after the outage. */
  readonly late: MadeCompany;
}

async function makeCompanies(store: Database): Promise<Companies> {
  const honest: MadeCompany[] = [];
  while (honest.length < 5) honest.push(await makeCompany(store));
  return { honest, greedy: await makeCompany(store), late: await makeCompany(store) };
}

interface Outage {
  /** Of honest readers: before it, and from its first detection on. */
  readonly alone: readonly Seen[];
  readonly during: readonly Seen[];
  readonly allowed: number;
  readonly counted: readonly number[];
}

async function slowDown(
  subjects: readonly [Subject, Subject],
  redis: TcpProxy,
  { honest, greedy, late }: Companies,
  { aloneMs, slowMs }: Plan,
): Promise<Outage> {
  const [subject] = subjects;
  const { origin, service } = subject;
  const readers = honest.map(({ token }) => new Readers(origin, token, { path: '/v1/account', count: 1, pauseMs: 60 }));
  const seen = (): Seen[] => readers.flatMap(({ history }) => history.seen);
  await sleep(aloneMs);
  const slowFrom = performance.now();
  const lines = linesOf(service).length;
  redis.slow(delayMs);
  await logged(subject, lines + 1);
  const detected = performance.now();
  await sleep(slowMs);
  const during = seen().filter(({ begin }) => begin > detected);
  const allowed = await exhaust(subject, greedy);
  redis.slow(0);
  await logged(subject, lines + 2);
  const counted = await countedBy(subjects, late);
  await Promise.all(readers.map((one) => one.stop()));
  return { alone: seen().filter(({ end }) => end < slowFrom), during, allowed: allowed.count(200), counted };
}

async function tryOn(
  subjects: readonly [Subject, Subject],
  redis: TcpProxy,
  plan: Plan,
  judged: boolean,
): Promise<Outcome> {
  const [subject] = subjects;
  const load = new Creators(subject.origin, subject.token, 1, { pauseMs: 500, hotJobs: 1 });
  const outages: Outage[] = [];
  for (let outage = 0; outage < plan.outages; outage++) {
    const companies = await withStore(subject.place, makeCompanies);
    outages.push(await slowDown(subjects, redis, companies, plan));
  }
  await load.stop();
  const found = await checkJobs(subject.place, subject.companyId, load);
  const lines = linesOf(subject.service).length;
  const alone = outages.flatMap((outage) => outage.alone);
  const during = outages.flatMap((outage) => outage.during);
  const slowest = Math.max(...during.map(msOf));
  return {
    figures:
      `${outages.length} times Redis ${delayMs} ms away each way: ${whole(during.length)} answers to honest readers from the detection on, p99 ` +
      `${p99(during).toFixed(1)} ms against ${p99(alone).toFixed(1)} ms before, slowest ${whole(slowest)} ms; a company was allowed ` +
      `${outages.map(({ allowed }) => whole(allowed)).join(', ')} of ${whole(requestsPerMinute)} requests; ${lines} log lines; ${found.history.figures}`,
    broken: [
      ...brokenOf({
        ...promisesAboutJobs(found),
        'the process lives on': subject.service.running,
        'every honest request is answered with 200': [...alone, ...during].every(({ status }) => status === 200),
        'no request waits for a Redis that is known to be slow': slowest < requestWaitsMs,
        'honest readers notice little': !judged || p99(during) <= p99(alone) * slower,
        'the process keeps the limit meanwhile': outages.every(({ allowed }) => allowed === requestsPerMinute),
        'the log has two lines an outage': lines === 2 * outages.length,
        'afterwards two processes count together': outages.every(({ counted }) => counted.join() === '1,2'),
      }),
      ...load.wrong,
    ],
  };
}

export const slowRedis: Fault = {
  name: 'slow-redis',
  async run(scale) {
    const isFull = scale === 'full';
    const url = process.env.REDIS_URL || 'redis://127.0.0.1:6379';
    const { proxy: redis, through } = await TcpProxy.before(url, 6379);
    const shared = { LIMITS_NAMESPACE: `slow-${process.pid}`, REQUESTS_PER_MINUTE: String(requestsPerMinute) };
    const direct = { ...shared, REDIS_URL: url };
    const subject = await Subject.start(await serverPlace(), { ...shared, REDIS_URL: through });
    try {
      const other = await Subject.start(subject.place, direct);
      const plan = isFull
        ? { outages: 3, aloneMs: 20_000, slowMs: 20_000 }
        : { outages: 1, aloneMs: 1500, slowMs: 2500 };
      return await tryOn([subject, other], redis, plan, isFull).finally(() => other.kill());
    } finally {
      await subject.remove();
      redis.close();
    }
  },
};
