import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Schemas } from '../../src/contract/types.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { addressOf } from '../helper/address.ts';
import { databaseUrl, newCompany, newJob, server } from '../helper/fixtures.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import { createServerDatabase } from '../helper/test-database.ts';

const run = promisify(execFile);

async function readJob({ address }: ServiceProcess, secret: string, path: string) {
  const answer = await fetch(address + path, { headers: { Authorization: `Bearer ${secret}` } });
  return { status: answer.status, body: await answer.json() };
}

describe('backup and restore as documented', () => {
  const running: ServiceProcess[] = [];
  afterEach(() => Promise.all(running.splice(0).map((service) => service.stop())));
  const start = async (env: Record<string, string>, until = '"listening"'): Promise<ServiceProcess> => {
    const service = await ServiceProcess.start(env, until);
    running.push(service);
    return service;
  };

  it('the embedded database: a copy of its folder works elsewhere', async () => {
    const [folder, elsewhere] = [ownFolder(), ownFolder()];
    const first = await start({ DATA_DIR: join(folder, 'data') }, 'system"}\'\n');
    const secret = /sandbox +(vaga_\S+)/.exec(first.output)?.[1] ?? '';
    const post = ({ address }: ServiceProcess) =>
      fetch(`${address}/sandbox/v1/jobs`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'kept' },
        body: JSON.stringify(minimalJob),
      });
    const made = await post(first);
    expect(made.status).to.equal(201);
    const path = made.headers.get('location') ?? '';
    const before = await readJob(first, secret, path);
    await first.stop();
    await run('tar', ['czf', 'vaga.tgz', 'data'], { cwd: folder });
    await run('tar', ['xzf', join(folder, 'vaga.tgz')], { cwd: elsewhere });
    const second = await start({ DATA_DIR: join(elsewhere, 'data') });
    expect(await readJob(second, secret, path)).to.deep.equal(before);
    const replay = await post(second);
    expect([replay.status, replay.headers.get('idempotent-replayed')]).to.deep.equal([200, 'true']);
  });

  it('PostgreSQL: pg_dump and pg_restore into an empty database', async function () {
    const url = databaseUrl();
    if (url === undefined || !existsSync('/usr/bin/pg_dump')) return this.skip();
    const { acme, writer, id } = await newJob('sandbox');
    const { body } = await writer.get(`/jobs/${id}`);
    const dump = join(ownFolder(), 'vaga.dump');
    await run('pg_dump', ['--format=custom', '--file', dump, url]);
    const restored = await createServerDatabase();
    try {
      await run('pg_restore', ['--dbname', restored.url, dump]);
      const service = await start({ DATABASE_URL: restored.url, NODE_ENV: 'production' });
      const job = await readJob(service, await acme.secret('sandbox', 'write'), `/sandbox/v1/jobs/${id}`);
      expect(job).to.deep.equal({ status: 200, body });
      await service.stop();
    } finally {
      await restored.drop();
    }
  });
});

const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');
/** The shell blocks of README that call the service, in order. */
const blocks = [...readme.matchAll(/^```sh\n([^`]*)^```$/gm)]
  .map(([, block = '']) => block)
  .filter((block) => /\bcurl /.test(block));

const eachSaysItsStatus = `curl() { command curl -w '\\nSTATUS %{http_code}\\n' "$@"; }\n`;

describe('the commands of README', () => {
  it('every curl command answers as README says, and its job is in the category of electricians', async () => {
    const acme = await newCompany();
    const reader = await acme.reader();
    const address = addressOf(server());
    const env = {
      PATH: process.env.PATH ?? '',
      TOKEN: await acme.secret('sandbox', 'write'),
      API: `${address}/sandbox/v1`,
      MCP: `${address}/sandbox/mcp`,
    };
    const jobs = async (): Promise<Schemas['Job'][]> => (await reader.get('/jobs')).body.data;
    const statuses: string[][] = [];
    for (const block of blocks) {
      const [made] = await jobs();
      const pasted = block.replace('$API/jobs/1', `$API/jobs/${made?.id}`);
      const { stdout } = await run('bash', ['-c', `${eachSaysItsStatus}${pasted}`], { env });
      statuses.push([...stdout.matchAll(/^STATUS (\d+)$/gm)].map(([, status = '']) => status));
    }
    expect(statuses).to.deep.equal([
      ['200', '200', '200', '200'],
      ['201'],
      ['200', '422', '204', '200'],
      ['000', '200'],
      ['200'],
    ]);
    const categories: Schemas['Category'][] = (await reader.get('/categories')).body.data;
    const electricians = categories.find(({ name }) => name === 'Eletricistas')?.id;
    expect((await jobs()).map(({ category_id }) => category_id)).to.deep.equal([electricians, electricians]);
    const named = [...readme.matchAll(/category_id"?: (\d+)/g)].map(([, id]) => Number(id));
    expect(named).to.deep.equal(Array(3).fill(electricians));
  });
});
