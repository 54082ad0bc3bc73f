import { migrateServer } from '../../src/database/migrations.ts';
import { type CheckedJobs, checkJobs, promisesAboutJobs } from './check-jobs.ts';
import { makeCompanies, type Scene } from './citus-companies.ts';
import { Creators } from './creators.ts';
import { brokenOf, type Fault, type Outcome, together, whole } from './fault.ts';
import { placeAt } from './place.ts';
import { PrivateCitus } from './private-citus.ts';
import { Readers } from './readers.ts';
import { report, strike } from './strike-node.ts';
import { Subject } from './subject.ts';

/** Between the requests of one client. */
const pauseMs = 40;

async function strikeAll(scene: Scene, scale: 'full' | 'short'): Promise<Outcome[]> {
  const awayMs = scale === 'full' ? 12_000 : 8000;
  const outcomes: Outcome[] = [];
  for (const hit of ['worker', 'coordinator'] as const)
    for (const end of ['killed', 'frozen'] as const) outcomes.push(report(await strike(scene, hit, end, awayMs)));
  return outcomes;
}

async function checkAll({ subject, companies }: Scene): Promise<Outcome> {
  const found: CheckedJobs[] = [];
  for (const { companyId, load } of companies) found.push(await checkJobs(subject.place, companyId, load));
  const sum = (count: (checked: CheckedJobs) => number) => found.reduce((total, checked) => total + count(checked), 0);
  const acknowledged = companies.reduce((total, { load }) => total + load.acknowledged.size, 0);
  return {
    figures: `${whole(acknowledged)} acknowledged, ${sum(({ lost }) => lost)} lost, ${sum(({ duplicates }) => duplicates)} duplicates`,
    broken: [
      ...found.flatMap((checked) => brokenOf(promisesAboutJobs(checked))),
      ...companies.flatMap(({ load }) => load.wrong),
      ...brokenOf({ 'the process lives on': subject.service.running }),
    ],
  };
}

async function onCluster(cluster: PrivateCitus, scale: 'full' | 'short'): Promise<Outcome> {
  const { url } = cluster.coordinator;
  await migrateServer(url);
  const subject = await Subject.start(placeAt(url, async () => undefined));
  const database = await subject.place.open();
  try {
    const { origin } = subject;
    const all = await makeCompanies(cluster, database);
    const idle = cluster.workers.flatMap((node) => all.find(({ worker }) => worker === node) ?? []);
    const loaded = all.filter((company) => !idle.includes(company));
    const companies = loaded.map((company) => ({
      ...company,
      load: new Creators(origin, company.token, 1, { pauseMs, hotJobs: 1 }),
      readers: new Readers(origin, company.token, { path: '/v1/jobs?per_page=1', count: 1, pauseMs }),
    }));
    const scene = { cluster, subject, database, companies, idle };
    await Promise.all(companies.map(({ load }) => load.progress(20)));
    const outcomes = await strikeAll(scene, scale);
    await Promise.all(companies.flatMap(({ load, readers }) => [load.stop(), readers.stop()]));
    outcomes.push(await checkAll(scene));
    return together(outcomes);
  } finally {
    await database.close();
    await subject.remove();
  }
}

export const strikeCitusNodes: Fault = {
  name: 'citus-nodes',
  run: async (scale) => {
    const cluster = await PrivateCitus.make();
    try {
      return await onCluster(cluster, scale);
    } finally {
      await cluster.remove();
    }
  },
};
