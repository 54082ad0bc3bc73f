import { setTimeout as sleep } from 'node:timers/promises';
import { migrateServer } from '../../src/database/migrations.ts';
import { TcpProxy } from '../helper/tcp-proxy.ts';
import { onServer } from '../helper/test-database.ts';
import { checkJobs } from './check-jobs.ts';
import { Creators } from './creators.ts';
import { type Fault, type Outcome, outcome, type Scale, secondsMax, together, whole } from './fault.ts';
import { Readers } from './loops.ts';
import { PrivatePostgres } from './private-postgres.ts';
import { placeAt, Subject } from './subject.ts';

const creators = 30;

interface Run {
  readonly end: 'killed' | 'frozen';
  /** The time until the standby is promoted. */
  readonly awayMs: number;
}

export interface Pair {
  readonly primary: PrivatePostgres;
  readonly standby: PrivatePostgres;
  /** The pause between the two. */
  readonly stream: TcpProxy;
  /** The address of the database. At first it leads to the primary. */
  readonly proxy: TcpProxy;
  readonly subject: Subject;
}

export const targetOf = ({ port }: PrivatePostgres) => ({ host: '127.0.0.1', port });

/** A service on a primary that commits only what its standby has. */
export async function onPair<T>(work: (pair: Pair) => Promise<T>): Promise<T> {
  const undo: (() => Promise<void> | void)[] = [];
  try {
    const primary = await PrivatePostgres.make();
    undo.push(() => primary.remove());
    await migrateServer(primary.url);
    const stream = await TcpProxy.to(targetOf(primary));
    undo.push(() => stream.close());
    const standby = await primary.standby(stream.port);
    undo.push(() => standby.remove());
    await setStandbys(primary, '*');
    const proxy = await TcpProxy.to(targetOf(primary));
    undo.push(() => proxy.close());
    const url = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`;
    const subject = await Subject.start(placeAt(url, async () => undefined));
    undo.push(() => subject.remove());
    return await work({ primary, standby, stream, proxy, subject });
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** Commits wait for one of these standbys. */
const setStandbys = (primary: PrivatePostgres, names: string): Promise<unknown> =>
  onServer(primary.url, async (client) => {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await client.query('SELECT pg_reload_conf()');
  });

/** Resolves with the next answer of that status. */
async function nextStatus({ history }: Readers, status: number): Promise<void> {
  const known = history.seen.length;
  while (!history.seen.slice(known).some((answer) => answer.status === status)) await sleep(5);
}

async function failOver({ end, awayMs }: Run, pair: Pair, scale: Scale): Promise<Outcome> {
  const { primary, standby, stream, proxy, subject } = pair;
  const load = new Creators(subject.origin, subject.token, creators);
  const readers = new Readers(subject.origin, subject.token, { path: '/v1/jobs?per_page=1', count: 5, pauseMs: 20 });
  const readiness = new Readers(subject.origin, subject.token, { path: '/readyz', count: 1, pauseMs: 20 });
  await load.progress(300);
  if (end === 'killed') await primary.stop('immediate');
  else await primary.signal('SIGSTOP');
  await nextStatus(readiness, 503);
  const refusedFrom = readiness.history.seen.length - 1;
  await sleep(awayMs);
  stream.cut();
  await standby.promote();
  const refusedTo = readiness.history.seen.length;
  proxy.moveTo(targetOf(standby));
  const promoted = performance.now();
  await load.progress(1);
  const writeMs = performance.now() - promoted;
  await nextStatus(readiness, 200);
  await load.progress(300);
  if (end === 'frozen') await thaw(primary, load);
  await Promise.all([load.stop(), readers.stop(), readiness.stop()]);
  const refused = readers.history.answered.filter(({ status, end }) => status !== 200 && end > promoted);
  const refusedMs = Math.max(0, ...refused.map(({ end }) => end - promoted));
  const readyz = readiness.history.seen.slice(refusedFrom, refusedTo).map(({ status }) => status);
  const found = await checkJobs(subject, load);
  const max = secondsMax[scale];
  return outcome(
    `primary ${end} under ${creators} creators, standby promoted: first create ${whole(writeMs)} ms and last refusal ` +
      `${whole(refusedMs)} ms after the promotion; /readyz refused ${readyz.length} times; ${found.figures}`,
    {
      'the process lives on': subject.service.running,
      [`creates succeed within ${max} s of the promotion`]: writeMs <= max * 1000,
      [`no read is refused later than ${max} s after the promotion`]: refusedMs <= max * 1000,
      '/readyz is 503 until the promotion': readyz.every((status) => status === 503),
    },
    found.promises,
  );
}

/** The worst former primary: it keeps running, and acknowledges writes that no standby has. */
async function thaw(primary: PrivatePostgres, load: Creators): Promise<void> {
  await primary.signal('SIGCONT');
  await setStandbys(primary, '');
  await load.progress(300);
}

const runs = {
  short: [
    { end: 'killed', awayMs: 500 },
    { end: 'frozen', awayMs: 500 },
  ],
  full: [
    { end: 'killed', awayMs: 500 },
    { end: 'killed', awayMs: 8000 },
    { end: 'frozen', awayMs: 0 },
    { end: 'frozen', awayMs: 4000 },
    { end: 'frozen', awayMs: 15_000 },
  ],
} satisfies Record<string, readonly Run[]>;

export const failOverToStandby: Fault = {
  name: 'fail-over',
  promise:
    'a standby takes over from a primary that is killed, or frozen for a while: nothing is lost and the service soon goes on',
  run: async (scale) => {
    const outcomes: Outcome[] = [];
    for (const run of runs[scale]) outcomes.push(await onPair((pair) => failOver(run, pair, scale)));
    return together(outcomes);
  },
};
