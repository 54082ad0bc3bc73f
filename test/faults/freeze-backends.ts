import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ask } from './ask.ts';
import { type CheckedJobs, checkJobs, promisesAboutJobs } from './check-jobs.ts';
import { Creators } from './creators.ts';
import { brokenOf, type Fault, type Outcome, whole } from './fault.ts';
import { Loops } from './loops.ts';
import { type PrivatePostgres, signalIfThere } from './private-postgres.ts';
import { onPrivatePostgres, type Subject } from './subject.ts';

const creators = 50;
const checkers = 5;
/** Of the service's connections; the others go on. */
const frozenBackends = 4;

/** Reads acknowledged jobs repeatedly: each must exist with the title from its creator. */
class Checkers extends Loops {
  reads = 0;
  refused = 0;
  readonly wrong: string[] = [];

  constructor({ origin, token }: Subject, { acknowledged }: Creators) {
    super();
    const check = async (): Promise<void> => {
      const all = [...acknowledged].slice(-200);
      const [key, id] = all[Math.floor(Math.random() * all.length)] ?? [];
      if (id === undefined) return;
      const answer = await ask(origin, token, { path: `/v1/jobs/${id}` });
      const title = (answer?.body as { data?: { title?: string } } | undefined)?.data?.title;
      this.reads += 1;
      if (answer?.status === 503) this.refused += 1;
      else if (answer?.status !== 200 || title !== key)
        this.wrong.push(`job ${id} of ${key} read as ${answer?.status} ${title}`);
    };
    for (let checker = 0; checker < checkers; checker++) this.start(check, 5);
  }
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
  const checks = new Checkers(subject, load);
  for (const seconds of freezes) {
    await load.progress(200);
    await freeze(database, seconds);
    await load.progress(200);
  }
  await load.stop();
  await checks.stop();
  await database.end();
  const lived = subject.service.running;
  return report(freezes, load, checks, lived, await checkJobs(subject.place, subject.companyId, load));
}

function report(
  freezes: readonly number[],
  load: Creators,
  checks: Checkers,
  lived: boolean,
  found: CheckedJobs,
): Outcome {
  return {
    figures:
      `${frozenBackends} backends frozen for ${freezes.join(', ')} s under ${creators} creators: ` +
      `${whole(load.acknowledged.size)} acknowledged, ${found.lost} lost, ${found.duplicates} duplicates, usage ${whole(found.used)} of ` +
      `${whole(found.jobs)} jobs; ${whole(checks.reads)} reads of acknowledged jobs, ${checks.wrong.length} wrong; ` +
      `${whole(load.unavailable + checks.refused)} answers 503`,
    broken: [
      ...brokenOf({
        ...promisesAboutJobs(found),
        'the process lives on': lived,
        'acknowledged jobs were read meanwhile': checks.reads > 0,
      }),
      ...load.wrong,
      ...checks.wrong,
    ],
  };
}

export const freezeBackends: Fault = {
  name: 'freeze-backends',
  run: (scale) =>
    onPrivatePostgres((postgres, subject) => tryOn(postgres, subject, scale === 'full' ? [3, 8, 20, 3, 8, 20] : [8])),
};
