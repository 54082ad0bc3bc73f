import { setTimeout as sleep } from 'node:timers/promises';
import { migrateServer } from '../../src/database/migrations.ts';
import type { Database } from '../../src/database/open.ts';
import {
  approveCompany,
  reinstateCompany,
  suspendCompany,
} from '../../src/operations/companies/people/change-company.ts';
import { issueCredential } from '../../src/operations/credentials/people/issue-credential.ts';
import { revokeCredential } from '../../src/operations/credentials/people/revoke-credential.ts';
import { createUser } from '../../src/operations/users/people/create-account.ts';
import { checkJobs } from './check-jobs.ts';
import { Creators } from './creators.ts';
import { type Fault, none, type Outcome, outcome, type Scale, together, whole } from './fault.ts';
import { ask, msOf, p99, type Seen } from './history.ts';
import { Readers } from './loops.ts';
import { PrivateCitus } from './private-citus.ts';
import type { PrivatePostgres } from './private-postgres.ts';
import { makeCompany, operatorOf, placeAt, Subject, signIn } from './subject.ts';

/** The first is for people's work, the others are under load. */
const companiesPerWorker = 5;
const password = 'uma-senha-para-testes';
/** The pause between the requests of one client. */
const pauseMs = 40;
/** Maximum times of answers, in milliseconds. */
const bounds = { killed: 200, frozen: 6500, recovered: 1000 };
const awayMs = { full: 12_000, short: 8000 };

interface Company {
  readonly companyId: bigint;
  readonly token: string;
  readonly worker: PrivatePostgres;
  readonly email: string;
}

interface Loaded extends Company {
  readonly load: Creators;
  readonly readers: Readers;
}

interface Cluster {
  readonly cluster: PrivateCitus;
  readonly subject: Subject;
  readonly database: Database;
  readonly companies: readonly Loaded[];
  /** One company of each worker, for people's work. */
  readonly idle: readonly Company[];
}

/** Creates companies with a user each, until every worker has enough. */
async function makeCompanies(cluster: PrivateCitus, database: Database): Promise<Company[]> {
  const kept: Company[] = [];
  const ofWorker = (worker: PrivatePostgres) => kept.filter((company) => company.worker === worker).length;
  while (cluster.workers.some((worker) => ofWorker(worker) < companiesPerWorker)) {
    const made = await makeCompany(database);
    const worker = await cluster.workerOf(made.companyId);
    if (ofWorker(worker) === companiesPerWorker) continue;
    const email = `pessoa${made.companyId}@example.com`;
    await createUser(operatorOf(database), { companyId: made.companyId, email, role: 'main', password });
    kept.push({ ...made, worker, email });
  }
  return kept;
}

/** Does people's work for a company on a healthy worker. Throws if anything fails. */
async function administer({ database, subject }: Cluster, { companyId, email }: Company): Promise<void> {
  const ctx = operatorOf(database);
  const { credentialId } = await issueCredential(ctx, { companyId, environment: 'sandbox', access: 'read' });
  await revokeCredential(ctx, { companyId, credentialId });
  await suspendCompany(ctx, { companyId });
  await reinstateCompany(ctx, { companyId });
  await approveCompany(ctx, { companyId });
  await signIn(subject.origin, email, password);
}

/** Returns why people could not do their work. */
async function tryToAdminister(cluster: Cluster, companies: readonly Company[]): Promise<string[]> {
  // The failure is noticed by then.
  await sleep(1500);
  const outcomes = await Promise.allSettled(companies.map((company) => administer(cluster, company)));
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
}

/** The distinct answers of /readyz. */
async function watchReadiness({ origin, token }: Subject, forMs: number): Promise<string[]> {
  const seen = new Set<string>();
  for (const until = performance.now() + forMs; performance.now() < until; await sleep(100)) {
    const answer = await ask(origin, token, { path: '/readyz' });
    const missing = (answer?.body as { missing?: unknown } | undefined)?.missing;
    seen.add(`${answer?.status} ${missing ?? ''}`.trim());
  }
  return [...seen];
}

type Span = readonly [from: number, to: number];
const spanOf = async (work: Promise<unknown>): Promise<Span> => {
  const from = performance.now();
  await work;
  return [from, performance.now()];
};

const answersOf = (companies: readonly Loaded[], [from, to]: Span): Seen[] =>
  companies
    .flatMap(({ load, readers }) => [...load.history.answered, ...readers.history.answered])
    .filter(({ begin, end }) => begin >= from && end <= to);

/** A node is away for a while: its companies are refused soon and served again soon afterwards, and nobody else notices. */
async function strike(all: Cluster, hit: 'worker' | 'coordinator', end: 'killed' | 'frozen', away: number) {
  const { cluster, subject, companies, idle } = all;
  const node = hit === 'worker' ? cluster.workers[0] : cluster.coordinator;
  if (!node) throw new Error('the cluster has no workers');
  // The API needs the coordinator to find companies for the first time and to count requests; these wait for a frozen coordinator.
  const isHit = ({ worker }: Company) => (hit === 'coordinator' ? end === 'frozen' : worker === node);
  const struck = companies.filter(isHit);
  const healthy = companies.filter((company) => !isHit(company));
  const before = await spanOf(sleep(away));
  await (end === 'killed' ? node.stop('immediate') : node.signal('SIGSTOP'));
  // Clients that keep sending requests for companies on a frozen node: more than the service answers at once.
  const crowded = end === 'frozen' && hit === 'worker' ? struck : [];
  const account = { path: '/v1/account', count: 70, pauseMs: 2000 };
  const crowd = crowded.map(({ token }) => new Readers(subject.origin, token, account));
  const administered = idle.filter(({ worker }) => hit === 'worker' && worker !== node);
  const meanwhile = Promise.all([watchReadiness(subject, away), tryToAdminister(all, administered)]);
  const during = await spanOf(sleep(away));
  await (end === 'killed' ? node.start() : node.signal('SIGCONT'));
  const dispersed = crowd.map((readers) => readers.stop());
  const [back, served] = await spanOf(Promise.all(struck.map(({ load }) => load.progress(1))));
  await Promise.all(dispersed);
  const [readyz, failures] = await meanwhile;
  await Promise.all(companies.map(({ load }) => load.progress(20)));

  const refused = answersOf(struck, during).filter(({ status }) => status === 503);
  const others = answersOf(healthy, during);
  const failed = others.filter(({ status }) => status >= 500);
  const slowest = Math.max(...refused.map(msOf));
  const usual = p99(answersOf(healthy, before));
  const about = `${hit} ${end}`;
  return outcome(
    `${about}: its companies got ${whole(refused.length)} answers 503, the slowest after ${whole(slowest)} ms, and 201 ${whole(served - back)} ms ` +
      `after its return; the others ${whole(others.length)} answers, p99 ${whole(p99(others))} ms (${whole(usual)} ms before); /readyz ${readyz.join(', ')}`,
    {
      [`${about}: its companies are refused within ${bounds[end]} ms`]: slowest <= bounds[end],
      [`${about}: its companies are served a second after its return`]: served - back <= bounds.recovered,
      [`${about}: no other company fails`]: failed.length === 0,
      [`${about}: the others' p99 is at most 1.5 times as before`]: healthy.length === 0 || p99(others) <= usual * 1.5,
    },
    none(`failure of people's work while a ${about}`, failures),
  );
}

async function onCluster(cluster: PrivateCitus, scale: Scale): Promise<Outcome> {
  const { url } = cluster.coordinator;
  await migrateServer(url);
  const subject = await Subject.start(placeAt(url, async () => undefined));
  const database = await subject.place.open();
  try {
    const { origin, place } = subject;
    const all = await makeCompanies(cluster, database);
    const idle = cluster.workers.flatMap((node) => all.find(({ worker }) => worker === node) ?? []);
    const companies = all
      .filter((company) => !idle.includes(company))
      .map((company) => ({
        ...company,
        load: new Creators(origin, company.token, 1, { pauseMs, hotJobs: 1 }),
        readers: new Readers(origin, company.token, { path: '/v1/jobs?per_page=1', count: 1, pauseMs }),
      }));
    await Promise.all(companies.map(({ load }) => load.progress(20)));
    const outcomes: Outcome[] = [];
    for (const hit of ['worker', 'coordinator'] as const)
      for (const end of ['killed', 'frozen'] as const)
        outcomes.push(await strike({ cluster, subject, database, companies, idle }, hit, end, awayMs[scale]));
    await Promise.all(companies.flatMap(({ load, readers }) => [load.stop(), readers.stop()]));
    for (const { companyId, load } of companies) {
      const { figures, promises } = await checkJobs({ place, companyId }, load);
      outcomes.push(outcome(figures, promises));
    }
    outcomes.push(outcome('', { 'the process lives on': subject.service.running }));
    return together(outcomes);
  } finally {
    await database.close();
    await subject.remove();
  }
}

export const strikeCitusNodes: Fault = {
  name: 'citus-nodes',
  promise:
    'a node of Citus that is killed or frozen costs other companies nothing, and its own are served again at once',
  run: async (scale) => {
    const cluster = await PrivateCitus.make();
    try {
      return await onCluster(cluster, scale);
    } finally {
      await cluster.remove();
    }
  },
};
