import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type CheckedJobs, checkJobs, promisesAboutJobs } from './check-jobs.ts';
import { Creators } from './creators.ts';
import { brokenOf, type Fault, type Outcome, whole } from './fault.ts';
import { type PrivatePostgres, signalIfThere } from './private-postgres.ts';
import { onPrivatePostgres, type Subject } from './subject.ts';

const creators = 50;
const checkers = 5;
/** Of the service's connections; the others go on. */
const frozenBackends = 4;

/** Reads one of the jobs that were acknowledged last. */
async function readOne({ acknowledged, history }: Creators): Promise<void> {
  const ids = [...acknowledged.values()].slice(-200);
  const id = ids[Math.floor(Math.random() * ids.length)];
  if (id !== undefined) await history.ask({ path: `/v1/jobs/${id}` });
}

/** Stops some of the service's backends for so long; those that work first, because they hold what others wait for. */
async function freeze(database: pg.Client, seconds: number): Promise<void> {
  const { rows } = await database.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'vaga' ORDER BY state = 'active' DESC, random() LIMIT $1`,
    [frozenBackends],
  );
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
  await sleep(seconds * 1000);
  for (const { pid } of rows) signalIfThere(pid, 'SIGCONT');
}

async function tryOn(postgres: PrivatePostgres, subject: Subject, freezes: readonly number[]): Promise<Outcome> {
  const database = new pg.Client(postgres.url);
  await database.connect();
  const load = new Creators(subject.origin, subject.token, creators);
  for (let checker = 0; checker < checkers; checker++) load.start(() => readOne(load), 5);
  for (const seconds of freezes) {
    await load.progress(200);
    await freeze(database, seconds);
    await load.progress(200);
  }
  await load.stop();
  await database.end();
  const lived = subject.service.running;
  return report(freezes, load, lived, await checkJobs(subject.place, subject.companyId, load));
}

function report(freezes: readonly number[], load: Creators, lived: boolean, found: CheckedJobs): Outcome {
  const reads = load.history.seen.filter(({ operation }) => operation === 'read');
  return {
    figures:
      `${frozenBackends} backends frozen for ${freezes.join(', ')} s under ${creators} creators: ` +
      `${whole(load.acknowledged.size)} acknowledged, ${found.lost} lost, ${found.duplicates} duplicates, usage ${whole(found.used)} of ` +
      `${whole(found.jobs)} jobs; ${whole(reads.length)} reads; ${whole(load.history.count(503))} answers 503; ${found.history.figures}`,
    broken: [
      ...brokenOf({
        ...promisesAboutJobs(found),
        'the process lives on': lived,
        'jobs were read meanwhile': reads.length > 0,
        'a read is answered with 200 or 503': reads.every(({ status }) => status === 200 || status === 503),
      }),
      ...load.wrong,
    ],
  };
}

export const freezeBackends: Fault = {
  name: 'freeze-backends',
  run: (scale) =>
    onPrivatePostgres((postgres, subject) => tryOn(postgres, subject, scale === 'full' ? [3, 8, 20, 3, 8, 20] : [8])),
};
