import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { isAtRest } from '../helper/edited-project.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import { createServerDatabase } from '../helper/test-database.ts';
import { checkHistory, checkJobs } from './check-jobs.ts';
import { Creators } from './creators.ts';
import { type Fault, none, type Outcome, outcome } from './fault.ts';
import { History } from './history.ts';
import { Loops } from './loops.ts';
import { placeAt, unlimited } from './subject.ts';
import { type Client, clientOf, sendOne } from './traffic.ts';

/**
 * The oldest build serves a database while the newer ones migrate it. Then the newest serves beside it, then beside each older one that
 * starts again, and at last the older ones serve alone.
 */
async function serveTwice(olders: readonly string[], newer: string, seconds: number): Promise<Outcome> {
  const [first = ''] = olders;
  const { url, drop } = await createServerDatabase();
  const env = { ...unlimited, NODE_ENV: 'production', DATABASE_URL: url };
  const run = async (root: string, script: string, ...words: string[]) => {
    const options = { cwd: root, env: { ...process.env, ...env } };
    return (await promisify(execFile)(process.execPath, [join(root, 'dist', script), ...words], options)).stdout;
  };
  const services: ServiceProcess[] = [];
  const loads: { stop(): Promise<unknown> }[] = [];
  try {
    await run(first, 'scripts/migrate.js');
    const facts = ['--plan', 'Especial', '--verified', '--production-approved', '--auto-publish'];
    const makeCompany = async (name: string): Promise<{ id: bigint; token: string }> => {
      const ops = async (...words: string[]) => JSON.parse(await run(first, 'src/cli/ops.js', ...words, '--json'));
      const id = String((await ops('company', 'create', '--name', name, ...facts)).company_id);
      const access = ['--environment', 'production', '--access', 'write'];
      return { id: BigInt(id), token: (await ops('credential', 'issue', '--company', id, ...access)).secret };
    };
    const [creating, mixed] = [await makeCompany('One'), await makeCompany('Another')];
    const start = async (root: string): Promise<ServiceProcess> => {
      const service = await ServiceProcess.listening(env, root);
      services.push(service);
      return service;
    };
    const { address: before } = await start(first);
    const creators = new Creators(before, creating.token, 4);
    const created: Client['created'] = [];
    const wrong = new Set<string>();
    const histories: History[] = [];
    /** Clients of one process. They also know the jobs created through the other. */
    const mix = (origin: string): Loops => {
      const [history, loops] = [new History(origin, mixed.token), new Loops()];
      const client = clientOf(history, created);
      for (let n = 0; n < 2; n++) loops.start(async () => wrong.add((await sendOne(client)).wrong ?? ''), 0);
      loads.push(loops);
      histories.push(history);
      return loops;
    };
    loads.push(creators);
    mix(before);
    await creators.progress(seconds * 10);
    // One release at a time, in their order.
    for (const next of [...olders.slice(1), newer]) await run(next, 'scripts/migrate.js');
    await creators.progress(seconds * 10);
    const now = await start(newer);
    const ofNewer = mix(now.address);
    await creators.progress(seconds * 20);
    for (const older of olders) {
      const migrated = await run(older, 'scripts/migrate.js');
      if (!migrated.includes('up to date')) wrong.add(`migrate of an older version: ${migrated}`);
      mix((await start(older)).address);
    }
    await creators.progress(seconds * 10);
    await ofNewer.stop();
    await now.stop();
    await creators.progress(seconds * 10);
    await Promise.all(loads.map((load) => load.stop()));
    wrong.delete('');
    const found = await checkJobs({ place: placeAt(url, drop), companyId: creating.id }, creators);
    // Each version has its own ETags: to the other version, such a job counts as changed.
    const seen = histories.flatMap((history) => history.seen);
    const checked = await checkHistory(seen.map((one) => ({ ...one, shown: { ...one.shown, etag: undefined } })));
    return outcome(
      `creates of the first version: ${found.figures}; of ${olders.length + 1} versions ${checked.figures}`,
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

/** Everything that a migration may add, and a function that writes the new column. */
const additions = `
  ALTER TABLE jobs ADD COLUMN shift text, ADD COLUMN shifts int NOT NULL DEFAULT 1;
  CREATE TABLE shifts (company_id bigint NOT NULL, id bigint GENERATED BY DEFAULT AS IDENTITY, name text NOT NULL, PRIMARY KEY (company_id, id));
  CREATE INDEX jobs_shift_idx ON jobs (company_id, environment, shift);`;

/** A build of this version with one more migration, like the next version. The caller removes its folder. */
async function makeNextBuild(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'vaga-next-'));
  for (const name of await readdir(packageRoot))
    if (!['dist', 'prisma', 'package.json'].includes(name)) await symlink(join(packageRoot, name), join(root, name));
  const filter = (path: string) => !path.endsWith('.tar') && isAtRest(path);
  for (const name of ['prisma', 'package.json', 'dist'])
    await cp(join(packageRoot, name), join(root, name), { recursive: true, filter });
  const migration = join(root, 'prisma', 'migrations', '29990101000000_shifts');
  await mkdir(migration);
  await writeFile(join(migration, 'migration.sql'), additions);
  const functions = join(root, 'prisma', 'functions.sql');
  const before = await readFile(functions, 'utf8');
  const [names, values] = ['INSERT INTO jobs (\n', ') VALUES (\n'];
  const after = before.replace(names, `${names}shift, `).replace(values, `${values}'day', `);
  if (after.length !== before.length + "shift, 'day', ".length) throw new Error('try_create_job has another insert');
  await writeFile(functions, after);
  return root;
}

export const twoVersions: Fault = {
  name: 'two-versions',
  promise:
    'the release before, this version and the next one serve a database that the next one migrates under load, and start again on it: nothing is lost, and every answer is right',
  run: async (scale) => {
    const { PREVIOUS_BUILD: released = '' } = process.env;
    // A shallow clone has no release before.
    const hasReleased = existsSync(join(released, 'dist', 'src', 'main.js'));
    const newer = await makeNextBuild();
    try {
      return await serveTwice([...(hasReleased ? [released] : []), packageRoot], newer, scale === 'full' ? 60 : 5);
    } finally {
      await rm(newer, { recursive: true });
    }
  },
};
