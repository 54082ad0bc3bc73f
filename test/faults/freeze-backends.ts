import { setTimeout as sleep } from 'node:timers/promises';
import { onServer } from '../helper/test-database.ts';
import { checkJobs } from './check-jobs.ts';
import { Creators } from './creators.ts';
import { type Fault, type Outcome, outcome, whole } from './fault.ts';
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
async function freeze({ url }: PrivatePostgres, seconds: number): Promise<void> {
  const sql = `SELECT pid FROM pg_stat_activity WHERE application_name = 'vaga' ORDER BY state = 'active' DESC, random() LIMIT $1`;
  const { rows } = await onServer(url, (client) => client.query<{ pid: number }>(sql, [frozenBackends]));
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
  await sleep(seconds * 1000);
  for (const { pid } of rows) signalIfThere(pid, 'SIGCONT');
}

async function tryOn(postgres: PrivatePostgres, subject: Subject, freezes: readonly number[]): Promise<Outcome> {
  const load = new Creators(subject.origin, subject.token, creators);
  for (let checker = 0; checker < checkers; checker++) load.start(() => readOne(load), 5);
  for (const seconds of freezes) {
    await load.progress(200);
    await freeze(postgres, seconds);
    await load.progress(200);
  }
  await load.stop();
  const lived = subject.service.running;
  const found = await checkJobs(subject, load);
  const reads = load.history.seen.filter(({ operation }) => operation === 'read');
  return outcome(
    `${frozenBackends} backends frozen for ${freezes.join(', ')} s under ${creators} creators: ${whole(reads.length)} reads; ${found.figures}`,
    found.promises,
    {
      'the process lives on': lived,
      'jobs were read meanwhile': reads.length > 0,
      'a read is answered with 200 or 503': reads.every(({ status }) => status === 200 || status === 503),
    },
  );
}

export const freezeBackends: Fault = {
  name: 'freeze-backends',
  promise:
    'backends that freeze for longer than the service waits lose nothing that was acknowledged and give no wrong read',
  run: (scale) =>
    onPrivatePostgres((postgres, subject) => tryOn(postgres, subject, scale === 'full' ? [3, 8, 20, 3, 8, 20] : [8])),
};
