import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrateServer } from '../../src/database/migrations.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import { createServerDatabase } from '../helper/test-database.ts';
import { checkHistory, checkJobs } from './check-jobs.ts';
import { Creators } from './creators.ts';
import { type Fault, none, type Outcome, outcome, Skipped } from './fault.ts';
import { History } from './history.ts';
import { Loops } from './loops.ts';
import { placeAt, unlimited } from './subject.ts';
import { type Client, clientOf, sendOne } from './traffic.ts';

/** The version before serves a database while this one migrates it, and then both serve it. */
async function serveTwice(previous: string, seconds: number): Promise<Outcome> {
  const { url, drop } = await createServerDatabase();
  const env = { ...unlimited, NODE_ENV: 'production', DATABASE_URL: url };
  const npm = async (...words: string[]) =>
    (await promisify(execFile)('npm', ['run', '-s', ...words], { cwd: previous, env: { ...process.env, ...env } }))
      .stdout;
  const services: ServiceProcess[] = [];
  const loads: Loops[] = [];
  try {
    await npm('migrate');
    const facts = ['--plan', 'Especial', '--verified', '--production-approved', '--auto-publish'];
    const makeCompany = async (name: string): Promise<{ id: bigint; token: string }> => {
      const made = await npm('ops', '--', 'company', 'create', '--name', name, ...facts, '--json');
      const id = String(JSON.parse(made).company_id);
      const access = ['--environment', 'production', '--access', 'write'];
      const issued = await npm('ops', '--', 'credential', 'issue', '--company', id, ...access, '--json');
      return { id: BigInt(id), token: JSON.parse(issued).secret };
    };
    const [creating, mixed] = [await makeCompany('One'), await makeCompany('Another')];
    const start = async (root?: string): Promise<string> => {
      const service = await ServiceProcess.start(env, '"listening"', root);
      services.push(service);
      return service.address;
    };
    const before = await start(previous);
    const creators = new Creators(before, creating.token, 4);
    const created: Client['created'] = [];
    const wrong = new Set<string>();
    /** Clients of a version, which know the jobs that were created by the other too. */
    const mix = (origin: string): History => {
      const [history, loops] = [new History(origin, mixed.token), new Loops()];
      const client = clientOf(history, created);
      for (let n = 0; n < 2; n++) loops.start(async () => wrong.add((await sendOne(client)).wrong ?? ''), 0);
      loads.push(loops);
      return history;
    };
    loads.push(creators);
    const histories = [mix(before)];
    await creators.progress(seconds * 10);
    await migrateServer(url);
    await creators.progress(seconds * 10);
    const now = await start();
    histories.push(mix(now));
    await creators.progress(seconds * 20);
    await Promise.all(loads.map((load) => load.stop()));
    wrong.delete('');
    const found = await checkJobs({ place: placeAt(url, drop), companyId: creating.id }, creators);
    // An ETag is its version's: to the other it is that of a job that has changed.
    const seen = histories.flatMap((history) => history.seen);
    const checked = await checkHistory(seen.map((one) => ({ ...one, shown: { ...one.shown, etag: undefined } })));
    return outcome(
      `creates of the version before: ${found.figures}; of both versions ${checked.figures}`,
      found.promises,
      checked.promises,
      none('unexpected answer', [...wrong]),
    );
  } finally {
    await Promise.all(loads.map((load) => load.stop()));
    await Promise.all(services.map((service) => service.stop()));
    await drop();
  }
}

export const twoVersions: Fault = {
  name: 'two-versions',
  promise:
    'the release before and this version serve one database, which is migrated under load: nothing is lost, and every answer is right',
  run: async (scale) => {
    const { PREVIOUS_BUILD: previous = '' } = process.env;
    if (!existsSync(join(previous, 'dist', 'src', 'main.js')))
      throw new Skipped('PREVIOUS_BUILD does not name the folder of a build of the version before');
    return serveTwice(previous, scale === 'full' ? 60 : 5);
  },
};
