import { setTimeout as sleep } from 'node:timers/promises';
import { administer, type Company, type Loaded, type Scene } from './citus-companies.ts';
import { brokenOf, type Outcome, whole } from './fault.ts';
import { ask, msOf, p99, type Seen } from './history.ts';
import { Readers } from './readers.ts';
import type { Subject } from './subject.ts';

/** Bounds of answers, in milliseconds. */
const bounds = { refusedKilled: 200, refusedFrozen: 6500, recovered: 1000 };

type Hit = 'worker' | 'coordinator';
type End = 'killed' | 'frozen';

interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Struck {
  readonly hit: Hit;
  readonly end: End;
  readonly before: Span;
  readonly during: Span;
  /** From the node's return to the first 201 of each company that it serves, the slowest. */
  readonly recoveryMs: number;
  readonly readyz: readonly string[];
  /** Why people could not do their work. */
  readonly administration: readonly string[];
  readonly struck: readonly Loaded[];
  readonly healthy: readonly Loaded[];
}

const answersOf = (companies: readonly Loaded[], { from, to }: Span): Seen[] =>
  companies
    .flatMap(({ load, readers }) => [...load.history.answered, ...readers.history.answered])
    .filter(({ begin, end }) => begin >= from && end <= to);

/** Clients that go on asking for companies on a frozen node: more than the service answers at once. */
const crowdOf = ({ origin }: Subject, companies: readonly Loaded[]): Readers[] =>
  companies.map(({ token }) => new Readers(origin, token, { path: '/v1/account', count: 70, pauseMs: 2000 }));

export async function strike(scene: Scene, hit: Hit, end: End, awayMs: number): Promise<Struck> {
  const { cluster, subject, companies, idle } = scene;
  const node = hit === 'worker' ? cluster.workers[0] : cluster.coordinator;
  if (!node) throw new Error('the cluster has no workers');
  // The API needs the coordinator for companies that were not found before and to count requests: that waits for a frozen one.
  const isHit = ({ worker }: Company) => (hit === 'coordinator' ? end === 'frozen' : worker === node);
  const struck = companies.filter(isHit);
  const healthy = companies.filter((company) => !isHit(company));
  const quiet = performance.now();
  await sleep(awayMs);
  const before = { from: quiet, to: performance.now() };
  if (end === 'killed') await node.stop('immediate');
  else await node.signal('SIGSTOP');
  const from = performance.now();
  const crowd = end === 'frozen' && hit === 'worker' ? crowdOf(subject, struck) : [];
  const meanwhile = Promise.all([
    watchReadiness(subject, from + awayMs),
    tryToAdminister(
      scene,
      idle.filter(({ worker }) => hit === 'worker' && worker !== node),
    ),
  ]);
  await sleep(awayMs);
  const during = { from, to: performance.now() };
  if (end === 'killed') await node.start();
  else await node.signal('SIGCONT');
  const back = performance.now();
  const dispersed = crowd.map((readers) => readers.stop());
  await Promise.all(struck.map(({ load }) => load.progress(1)));
  const recoveryMs = performance.now() - back;
  await Promise.all(dispersed);
  const [readyz, administration] = await meanwhile;
  await Promise.all(companies.map(({ load }) => load.progress(20)));
  return { hit, end, before, during, recoveryMs, readyz, administration, struck, healthy };
}

/** The distinct answers of /readyz. */
async function watchReadiness({ origin, token }: Subject, until: number): Promise<string[]> {
  const seen = new Set<string>();
  while (performance.now() < until) {
    const answer = await ask(origin, token, { path: '/readyz' });
    const missing = (answer?.body as { missing?: unknown } | undefined)?.missing;
    seen.add(`${answer?.status} ${missing ?? ''}`.trim());
    await sleep(100);
  }
  return [...seen];
}

async function tryToAdminister(
  { database, subject }: Scene,
  companies: readonly Company[],
): Promise<readonly string[]> {
  // Noticed by then.
  await sleep(1500);
  const outcomes = await Promise.allSettled(companies.map((company) => administer(database, subject, company)));
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
}

export function report({
  hit,
  end,
  before,
  during,
  recoveryMs,
  readyz,
  administration,
  struck,
  healthy,
}: Struck): Outcome {
  const refused = answersOf(struck, during).filter(({ status }) => status === 503);
  const others = answersOf(healthy, during);
  const failed = others.filter(({ status }) => status >= 500);
  const slowest = Math.max(...refused.map(msOf));
  const usual = p99(answersOf(healthy, before));
  const bound = end === 'killed' ? bounds.refusedKilled : bounds.refusedFrozen;
  const figures = [
    refused.length > 0 &&
      `its companies got ${whole(refused.length)} answers 503, p99 ${whole(p99(refused))} ms, slowest ${whole(slowest)} ms`,
    struck.length > 0 && `201 ${whole(recoveryMs)} ms after its return`,
    healthy.length > 0 &&
      `the others ${whole(others.length)} answers, ${failed.length} failed, p99 ${whole(p99(others))} ms (${whole(usual)} ms before)`,
    `/readyz ${readyz.join(', ')}`,
  ];
  return {
    figures: `${hit} ${end}: ${figures.filter(Boolean).join('; ')}`,
    broken: [
      ...brokenOf({
        [`${hit} ${end}: its companies are refused within ${bound} ms`]: slowest <= bound,
        [`${hit} ${end}: its companies are served a second after its return`]: recoveryMs <= bounds.recovered,
        [`${hit} ${end}: no other company fails`]: failed.length === 0,
        [`${hit} ${end}: the others' p99 is at most 1.5 times as before`]:
          healthy.length === 0 || p99(others) <= usual * 1.5,
      }),
      ...administration.map((reason) => `${hit} ${end}, administration: ${reason}`),
    ],
  };
}
