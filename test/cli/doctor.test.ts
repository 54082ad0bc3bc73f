import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import FakeTimers from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { checkNode } from '../../src/cli/doctor/check-machine.ts';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { migrateServer } from '../../src/database/migrations.ts';
import { openDatabase } from '../../src/database/open.ts';
import { Skipped } from '../faults/fault.ts';
import { PrivatePostgres } from '../faults/private-postgres.ts';
import { addressOf } from '../helper/address.ts';
import { makeCertificate } from '../helper/certificate.ts';
import { startApp } from '../helper/fixtures.ts';
import { freePort } from '../helper/free-port.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import { onServer } from '../helper/test-database.ts';
import { type Ran, runInProcess, runProcess } from './run-cli.ts';

type Settings = Record<string, string>;

const sessionSecret = 'only-for-tests-and-long-enough-1234';
let folder: string;

/** The findings of a check, and that exit code, flag and findings agree. */
function findingsOf({ exitCode, stdout, stderr }: Ran): (Finding & { ok: boolean })[] {
  expect(stderr).to.equal('');
  const { ok, checks } = JSON.parse(stdout);
  expect(ok, stdout).to.equal(exitCode === 0);
  for (const finding of checks) expect(finding.ok).to.equal(finding.fix === undefined);
  expect(ok).to.equal(checks.every((finding: { ok: boolean }) => finding.ok));
  return checks;
}

const examine = async (settings: Settings): Promise<(Finding & { ok: boolean })[]> =>
  findingsOf(await runInProcess(['doctor', '--json'], { settings: { DATA_DIR: join(folder, 'none'), ...settings } }));

const problemsOf = async (settings: Settings): Promise<string[]> =>
  (await examine(settings)).flatMap(({ check, found, fix }) => (fix ? [`${check}: ${found}; ${fix}`] : []));

describe('ops doctor', function () {
  this.timeout(120_000);

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'vaga-doctor-'));
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('finds nothing wrong with a first try, and makes no folder', async () => {
    const dataDir = join(folder, 'none');
    const ran = await runInProcess(['doctor'], { settings: { DATA_DIR: dataDir } });
    expect(ran).to.deep.include({ exitCode: 0, stderr: '' });
    expect(ran.stdout)
      .to.match(/^(ok: .+\n)+$/)
      .and.to.include('no service runs on it, so it is not opened');
    expect(existsSync(dataDir)).to.equal(false);
  });

  it('an invalid setting is one finding, without its secret', async () => {
    const [problem, ...more] = await problemsOf({ DATABASE_URL: 'mysql://root:hunter2@db/x' });
    expect(problem)
      .to.match(/^settings: DATABASE_URL must be a postgresql:\/\/ address/)
      .and.not.to.include('hunter2');
    expect(more).to.deep.equal([]);
  });

  const unsuitable: [title: string, settings: Settings, said: RegExp][] = [
    ['a public address but no sign of https', { PUBLIC_URL: 'https://127.0.0.1:9' }, /TRUST_PROXY/],
    ['a host that others reach, without https', { HOST: '0.0.0.0' }, /TRUST_PROXY/],
    ['a host that others reach, without an address', { HOST: '0.0.0.0' }, /PUBLIC_URL is not set/],
    ['a public http address', { PUBLIC_URL: 'http://127.0.0.1:9' }, /PUBLIC_URL is an http address/],
    ['a public demo company', { PUBLIC_URL: 'https://127.0.0.1:9', TRUST_PROXY: 'loopback' }, /NODE_ENV=production/],
    ['no secret for sessions on a server', { DATABASE_URL: 'postgres://127.0.0.1:9/x' }, /SESSION_SECRET is not set/],
  ];
  for (const [title, settings, said] of unsuitable)
    it(`settings: ${title}`, async () => {
      const own = (await problemsOf({ NODE_ENV: '', ...settings })).filter((line) => line.startsWith('settings: '));
      expect(own.join('\n')).to.match(said);
    });

  it('an old Node.js', () => {
    for (const old of ['18.20.8', '20.18.3']) expect(checkNode(old).fix, old).to.equal('use Node.js 20.19 or newer');
    for (const good of ['20.19.0', '22.0.0', '24.21.0']) expect(checkNode(good).fix, good).to.equal(undefined);
  });

  it('a low limit of open files', async function () {
    if (process.platform !== 'linux') this.skip();
    const settings = { DATA_DIR: join(folder, 'none') };
    const ran = await runProcess(['doctor', '--json'], { settings, openFilesMax: 512 });
    const problems = findingsOf(ran).filter(({ ok }) => !ok);
    expect(problems.map(({ check, found }) => `${check}: ${found}`)).to.deep.equal(['open files: at most 512']);
  });

  it('a data folder that is a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '', { mode: 0o600 });
    const problems = await problemsOf({ DATA_DIR: file });
    expect(problems.join()).to.match(/^data folder: DATA_DIR cannot be written: /);
  });

  it('a data folder on a disk with little space', async function () {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return this.skip();
    }
    try {
      const problems = await problemsOf({ DATA_DIR: join(disk, 'data') });
      expect(problems.join()).to.match(/^data folder: 0\.0 GB are free in \S+\/disk; free some space: /);
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  describe('the embedded database of a running service', () => {
    it('is examined beside it', async () => {
      const dataDir = join(folder, 'running');
      const service = await openDatabase({ dataDir });
      try {
        const findings = await examine({ DATA_DIR: dataDir });
        expect(findings.map(({ ok }) => ok)).to.not.include(false);
        expect(findings.map(({ check, found }) => `${check}: ${found}`)).to.include.members([
          `database: embedded in ${dataDir}, served by process ${process.pid}`,
          'migrations: all are applied',
          'time zone: Europe/Lisbon',
        ]);
        // Darwin in Node.js, Acre in PostgreSQL.
        const [problem] = await problemsOf({ DATA_DIR: dataDir, SERVICE_TIMEZONE: 'ACT' });
        expect(problem).to.match(/^time zone: PostgreSQL and Node\.js disagree about ACT; set SERVICE_TIMEZONE/);
      } finally {
        await service.close();
      }
    });
  });

  describe('a PostgreSQL server', () => {
    let postgres: PrivatePostgres;
    let settings: Settings;
    const run = (sql: string) => onServer(postgres.url, (client) => client.query(sql));
    const ownProblems = (more: Settings = {}) => problemsOf({ ...settings, ...more });

    before(async function () {
      try {
        postgres = await PrivatePostgres.make();
      } catch (error) {
        if (error instanceof Skipped) this.skip();
        throw error;
      }
      settings = { DATABASE_URL: postgres.url, SESSION_SECRET: sessionSecret };
    });

    after(async () => postgres?.remove());

    it('without migrations, with all, with an unfinished and with a newer one', async () => {
      expect((await ownProblems()).join()).to.match(
        /^migrations: \d+ are missing, from \w+_init; run npm run migrate$/,
      );
      await migrateServer(postgres.url);
      expect(await ownProblems()).to.deep.equal([]);
      await run('UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE $$%_init$$');
      expect((await ownProblems()).join()).to.match(
        /^migrations: \w+_init did not finish; see "prisma migrate resolve"/,
      );
      await run('UPDATE _prisma_migrations SET finished_at = now()');
      await run(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', '', '2999_more', now())`,
      );
      expect((await ownProblems()).join()).to.match(/^migrations: 2999_more is of a newer version/);
      await run(`DELETE FROM _prisma_migrations WHERE id = '1'`);
    });

    it('whose clock is not that of this machine', async () => {
      const clock = FakeTimers.install({ toFake: ['Date'], now: Date.now() + 120_000 });
      try {
        expect((await ownProblems()).join()).to.match(/^database clock: 1[12]\d s behind this machine; synchronise/);
      } finally {
        clock.uninstall();
      }
    });

    it('that does not know the time zone, or another one of that name', async () => {
      const unknown = await ownProblems({ SERVICE_TIMEZONE: 'US/Pacific-New' });
      expect(unknown.join()).to.match(/^time zone: PostgreSQL does not know US\/Pacific-New; /);
      const other = await ownProblems({ SERVICE_TIMEZONE: 'ACT' });
      expect(other.join()).to.match(/^time zone: PostgreSQL and Node\.js disagree about ACT; /);
    });

    it('that is read-only, without autovacuum, or allows too few connections', async () => {
      await run('ALTER DATABASE postgres SET default_transaction_read_only = on');
      expect((await ownProblems()).join()).to.match(/^database: it is read-only; /);
      await run('SET transaction_read_only = off; ALTER DATABASE postgres RESET default_transaction_read_only');
      const few = await ownProblems({ DATABASE_POOL_SIZE: '200' });
      expect(few.join()).to.match(/^database: one process may open 208 connections, and the server allows 97; /);
      await run('ALTER SYSTEM SET autovacuum = off');
      await postgres.stop('fast');
      await postgres.start();
      expect((await ownProblems()).join()).to.match(/^database: autovacuum is off/);
    });

    it('with a database in another encoding', async () => {
      await run(`CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`);
      const url = postgres.url.replace(/\/postgres$/, '/latin');
      expect((await ownProblems({ DATABASE_URL: url })).join('\n')).to.include('database: its encoding is LATIN1; ');
    });

    it('that does not answer, without its password', async () => {
      const url = `postgres://vaga:hunter2@127.0.0.1:${await freePort()}/vaga`;
      const [problem, ...more] = await ownProblems({ DATABASE_URL: url });
      expect(problem)
        .to.match(/^database: PostgreSQL cannot be used: connect ECONNREFUSED/)
        .and.not.to.include('hunter2');
      expect(more).to.deep.equal([]);
    });
  });

  describe('Redis', () => {
    const servers: ChildProcess[] = [];

    /** A server of its own; undefined where it is not installed. */
    async function startRedis(...options: string[]): Promise<string | undefined> {
      const port = await freePort();
      const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...options];
      const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
      const isStarted = new Promise<boolean>((resolve) => {
        server.once('error', () => resolve(false));
        server.stdout.on('data', (text: Buffer) => text.includes('Ready to accept connections') && resolve(true));
      });
      servers.push(server);
      return (await isStarted) ? `redis://127.0.0.1:${port}` : undefined;
    }

    afterEach(() => {
      for (const server of servers.splice(0)) server.kill();
    });

    const wrongServers: [title: string, options: string[], said: RegExp][] = [
      [
        'that forgets counts',
        ['--maxmemory', '10mb', '--maxmemory-policy', 'allkeys-lru'],
        /^redis: with maxmemory-policy allkeys-lru it forgets .*; set maxmemory-policy to noeviction$/,
      ],
      ['that takes no writes', ['--replicaof', '127.0.0.1', '1'], /^redis: it is a replica and takes no writes; /],
      ['that wants a password', ['--requirepass', 'hunter2'], /^redis: it cannot be used, .*: NOAUTH/],
    ];
    for (const [title, options, said] of wrongServers)
      it(title, async function () {
        const url = await startRedis(...options);
        if (!url) return this.skip();
        expect((await problemsOf({ REDIS_URL: url })).join('\n')).to.match(said);
      });

    it('that is as it should be, until its clock is not that of this machine', async function () {
      const url = await startRedis('--maxmemory', '10mb', '--maxmemory-policy', 'noeviction');
      if (!url) return this.skip();
      expect(await problemsOf({ REDIS_URL: url })).to.deep.equal([]);
      const clock = FakeTimers.install({ toFake: ['Date'], now: Date.now() - 120_000 });
      try {
        const [problem] = await problemsOf({ REDIS_URL: url });
        expect(problem).to.match(/^redis clock: 1[12]\d s ahead of this machine; synchronise/);
      } finally {
        clock.uninstall();
      }
    });

    it('that does not answer, without its password', async () => {
      const [problem] = await problemsOf({ REDIS_URL: `redis://:hunter2@127.0.0.1:${await freePort()}` });
      expect(problem)
        .to.match(/^redis: it cannot be used, .*ECONNREFUSED/)
        .and.not.to.include('hunter2');
    });
  });

  describe('the certificate', () => {
    const certificateProblems = async (certificate: string, key: string, more: Settings = {}) => {
      const settings = { TLS_CERT_FILE: certificate, TLS_KEY_FILE: key, ...more };
      return (await problemsOf(settings)).filter((line) => line.startsWith('certificate: ')).join('\n');
    };

    it('that expires soon, is for another host, has another key, or cannot be read', async () => {
      const own = join(folder, 'certificates');
      mkdirSync(own);
      const soon = makeCertificate(own, 'localhost', 'soon');
      const good = makeCertificate(own, 'localhost', 'good', 90);
      expect(await certificateProblems(good.certificate, good.key, { PUBLIC_URL: 'https://localhost:9' })).to.equal('');
      expect(await certificateProblems(soon.certificate, soon.key)).to.match(/it expires in [01] days; renew/);
      expect(await certificateProblems(good.certificate, good.key, { PUBLIC_URL: 'https://vaga.example' })).to.match(
        /it is not for vaga\.example; use a certificate for the host of PUBLIC_URL/,
      );
      expect(await certificateProblems(good.certificate, soon.key)).to.match(/TLS_KEY_FILE must name the key of/);
      expect(await certificateProblems(join(own, 'none.pem'), good.key)).to.match(
        /TLS_CERT_FILE cannot be read: ENOENT/,
      );
      const clock = FakeTimers.install({ toFake: ['Date'], now: Date.now() + 100 * 86_400_000 });
      try {
        expect(await certificateProblems(good.certificate, good.key)).to.match(/it expired on \w+ \d+ .* GMT; renew/);
      } finally {
        clock.uninstall();
      }
    });
  });

  describe('the public address', () => {
    const proxies: Server[] = [];

    async function serve(listener: RequestListener): Promise<string> {
      const server = createServer(listener).listen(0, '127.0.0.1');
      proxies.push(server);
      await new Promise((resolve) => server.once('listening', resolve));
      return addressOf(server);
    }

    const addressProblems = async (origin: string) =>
      (await problemsOf({ PUBLIC_URL: origin })).filter((line) => line.startsWith('public address: ')).join('\n');

    after(() => {
      for (const proxy of proxies) proxy.close();
    });

    it('that reaches the service', async () => {
      expect(await addressProblems(addressOf(await startApp()))).to.equal('');
    });

    it('of a proxy that the service does not trust', async () => {
      const { port } = new URL(addressOf(await startApp()));
      const proxy = await serve(({ url, method, headers }, response) => {
        const forwarded = { ...headers, 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
        httpRequest({ port, host: '127.0.0.1', path: url, method, headers: forwarded }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        }).end();
      });
      expect(await addressProblems(proxy)).to.match(/takes requests through the proxy for plain http.*TRUST_PROXY$/);
    });

    it('and the headers that its proxy sets', async () => {
      const metricsPort = await freePort();
      const settings = { TRUST_PROXY: '127.0.0.1', METRICS_PORT: String(metricsPort) };
      const found = async (more: Settings = settings) =>
        (await examine(more))
          .filter(({ check }) => check === 'proxy headers')
          .map((finding) => finding.fix ?? finding.found);
      expect(await found({ METRICS_PORT: String(metricsPort) })).to.deep.equal([]);
      expect(await found({ TRUST_PROXY: '127.0.0.1' })).to.deep.equal(['not known, because METRICS_PORT is not set']);
      expect(await found()).to.deep.equal(['not known, because no service answers on METRICS_PORT']);
      const dataDir = join(folder, 'behind');
      for (const [trusted, expected] of [
        ['203.0.113.7', ['none since the start of the service', 'name the address of the proxy in TRUST_PROXY']],
        ['127.0.0.1', ['none since the start of the service', 'let the proxy set x-forwarded-proto']],
      ] as const) {
        const service = await ServiceProcess.start(
          { ...settings, DATA_DIR: dataDir, TRUST_PROXY: trusted },
          '"listening"',
        );
        const send = (headers: Record<string, string>) => fetch(`${service.address}/healthz`, { headers });
        const seen = [await found()];
        await send({ 'X-Forwarded-For': '198.51.100.1' });
        seen.push(await found());
        expect(seen.flat(), trusted).to.deep.equal(expected);
        await send({ 'X-Forwarded-For': '198.51.100.1', 'X-Forwarded-Proto': 'https' });
        if (trusted === '127.0.0.1')
          expect(await found()).to.deep.equal(['x-forwarded-for, x-forwarded-proto from trusted proxies']);
        service.signal('SIGTERM');
        await service.ended();
      }
    });

    it('of something else, or of nothing', async () => {
      const other = await serve((_request, response) => response.end('hello'));
      expect(await addressProblems(other)).to.match(/answered 200, but not from this service; /);
      expect(await addressProblems(`http://127.0.0.1:${await freePort()}`)).to.match(
        /cannot be reached from here: connect ECONNREFUSED/,
      );
    });
  });
});
