import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { databaseUrl, newCompany } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import { createServerDatabase } from '../helper/test-database.ts';

const run = promisify(execFile);

describe('backup and restore as documented', function () {
  this.timeout(120_000);
  let folder: string;
  const running: ServiceProcess[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vaga-backup-'));
  });
  afterEach(async () => {
    for (const service of running.splice(0)) {
      service.signal('SIGTERM');
      await service.ended();
    }
    await rm(folder, { recursive: true, force: true });
  });
  const start = async (until: string, env: Record<string, string>): Promise<ServiceProcess> => {
    const service = await ServiceProcess.start(env, until);
    running.push(service);
    return service;
  };
  const readJob = async (service: ServiceProcess, secret: string, path: string) => {
    const answer = await fetch(service.address + path, { headers: { Authorization: `Bearer ${secret}` } });
    return { status: answer.status, body: await answer.json() };
  };

  it('the embedded database: a copy of its folder works elsewhere', async () => {
    const first = await start('system"}\'\n', { DATA_DIR: join(folder, 'data') });
    const secret = /sandbox +(vaga_\S+)/.exec(first.output)?.[1] ?? '';
    const headers = {
      Authorization: `Bearer ${secret}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'kept',
    };
    const body = JSON.stringify(minimalJob);
    const made = await fetch(`${first.address}/sandbox/v1/jobs`, { method: 'POST', headers, body });
    expect(made.status).to.equal(201);
    const path = made.headers.get('location') ?? '';
    const before = await readJob(first, secret, path);
    first.signal('SIGTERM');
    await first.ended();
    await run('tar', ['czf', 'vaga.tgz', 'data'], { cwd: folder });
    const elsewhere = join(folder, 'elsewhere');
    await mkdir(elsewhere);
    await run('tar', ['xzf', join(folder, 'vaga.tgz')], { cwd: elsewhere });
    const second = await start('listening', { DATA_DIR: join(elsewhere, 'data') });
    expect(await readJob(second, secret, path)).to.deep.equal(before);
    const replay = await fetch(`${second.address}/sandbox/v1/jobs`, { method: 'POST', headers, body });
    expect([replay.status, replay.headers.get('idempotent-replayed')]).to.deep.equal([200, 'true']);
  });

  it('PostgreSQL: pg_dump and pg_restore into an empty database', async function () {
    const url = databaseUrl();
    if (url === undefined || !existsSync('/usr/bin/pg_dump')) return this.skip();
    const acme = await newCompany();
    const { body } = await (await acme.writer()).create(minimalJob, 'kept');
    const dump = join(folder, 'vaga.dump');
    await run('pg_dump', ['--format=custom', '--file', dump, url]);
    const restored = await createServerDatabase();
    try {
      await run('pg_restore', ['--dbname', restored.url, dump]);
      const service = await start('listening', { DATABASE_URL: restored.url, NODE_ENV: 'production' });
      const secret = await acme.secret('sandbox', 'write');
      const job = await readJob(service, secret, `/sandbox/v1/jobs/${body.data.id}`);
      expect(job).to.deep.equal({ status: 200, body: { data: body.data } });
      service.signal('SIGTERM');
      await service.ended();
    } finally {
      await restored.drop();
    }
  });
});
