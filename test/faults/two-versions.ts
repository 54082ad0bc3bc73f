import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrateServer } from '../../src/database/migrations.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import { createServerDatabase } from '../helper/test-database.ts';
import { checkHistory } from './check-history.ts';
import { checkJobs, promisesAboutJobs } from './check-jobs.ts';
import { Creators } from './creators.ts';
import { brokenOf, type Fault, type Outcome, Skipped, whole } from './fault.ts';
import { History } from './history.ts';
import { Loops } from './loops.ts';
import { placeAt } from './place.ts';
import { unlimited } from './subject.ts';

/** Clients that create, change, read, list and withdraw jobs, call a tool, and read the contract. */
class Mix extends Loops {
  readonly wrong = new Set<string>();
  readonly history: History;

  constructor(origin: string, token: string, clients: number) {
    super();
    this.history = new History(origin, token);
    for (let client = 0; client < clients; client++) this.start(() => this.#once(), 0);
  }

  async #once(): Promise<void> {
    const ok = async (statuses: readonly number[], path: string, method = 'GET', body?: unknown, headers = {}) => {
      const answer = await this.history.ask({ path, method, body, headers });
      if (!answer || !statuses.includes(answer.status))
        this.wrong.add(`${method} ${path.replace(/\d+$/, 'N')} got ${answer?.status} ${JSON.stringify(answer?.body)}`);
      return answer?.body as { data?: { id?: number } } | undefined;
    };
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    const id = (await ok([201], '/v1/jobs', 'POST', minimalJob, key))?.data?.id;
    await ok([200], '/v1/jobs', 'POST', minimalJob, key);
    await ok(
      [422],
      '/v1/jobs',
      'POST',
      { ...minimalJob, category_id: 999_999 },
      { 'Idempotency-Key': crypto.randomUUID() },
    );
    await ok([200], `/v1/jobs/${id}`, 'PATCH', { title: 'Canalizador' });
    await ok([200], `/v1/jobs/${id}`);
    await ok([200], '/v1/jobs?per_page=5');
    const params = { name: 'get_job', arguments: { id } };
    const accepts = { Accept: 'application/json, text/event-stream' };
    await ok([200], '/mcp', 'POST', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, accepts);
    await ok([204], `/v1/jobs/${id}`, 'DELETE');
    await ok([200], '/openapi.json');
  }
}

/** The version before serves a database while this one migrates it, and then both serve it. */
async function serveTwice(previous: string, seconds: number): Promise<Outcome> {
  const { url, drop } = await createServerDatabase();
  const env = { ...unlimited, NODE_ENV: 'production', DATABASE_URL: url };
  const npm = async (...words: string[]) =>
    (await promisify(execFile)('npm', ['run', '-s', ...words], { cwd: previous, env: { ...process.env, ...env } }))
      .stdout;
  const services: ServiceProcess[] = [];
  const loads: (Creators | Mix)[] = [];
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
    const mixes = [new Mix(before, mixed.token, 2)];
    loads.push(creators, ...mixes);
    await creators.progress(seconds * 10);
    await migrateServer(url);
    await creators.progress(seconds * 10);
    const now = await start();
    const after = new Mix(now, mixed.token, 2);
    mixes.push(after);
    loads.push(after);
    await creators.progress(seconds * 20);
    await Promise.all(loads.map((load) => load.stop()));
    const found = await checkJobs(placeAt(url, drop), creating.id, creators);
    const checked = await checkHistory(mixes.flatMap(({ history }) => history.seen));
    return {
      figures:
        `${whole(creators.acknowledged.size)} creates acknowledged by the version before, ${found.lost} lost, ${creators.history.count(503)} answers 503; ` +
        `${found.history.figures}; of both versions ${checked.figures}`,
      broken: [
        ...brokenOf({ ...promisesAboutJobs(found), ...checked.promise }),
        ...creators.wrong,
        ...mixes.flatMap(({ wrong }) => [...wrong]),
      ],
    };
  } finally {
    await Promise.all(loads.map((load) => load.stop()));
    for (const service of services) service.signal('SIGTERM');
    await Promise.all(services.map((service) => service.ended()));
    await drop();
  }
}

export const twoVersions: Fault = {
  name: 'two-versions',
  run: async (scale) => {
    const { PREVIOUS_BUILD: previous = '' } = process.env;
    if (!existsSync(join(previous, 'dist', 'src', 'main.js')))
      throw new Skipped('PREVIOUS_BUILD does not name the folder of a build of the version before');
    return serveTwice(previous, scale === 'full' ? 60 : 5);
  },
};
