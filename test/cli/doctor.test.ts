import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { dirname, join } from 'node:path';
import FakeTimers from '@sinonjs/fake-timers';
import { expect } from 'chai';
import pg from 'pg';
import { checkNode } from '../../src/cli/doctor/check-machine.ts';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { backupAgeSeconds } from '../../src/config.ts';
import { migrateServer } from '../../src/database/migrations.ts';
import { openDatabase } from '../../src/database/open.ts';
import { skipIn } from '../faults/fault.ts';
import { PrivatePostgres } from '../faults/private-postgres.ts';
import { addressOf, portOf } from '../helper/address.ts';
import { makeCertificate } from '../helper/certificate.ts';
import { startApp } from '../helper/fixtures.ts';
import { freePort } from '../helper/free-port.ts';
import { rolesOfGuide } from '../helper/guide-roles.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import { onServer } from '../helper/test-database.ts';
import { type Ran, runInProcess, runProcess } from './run-cli.ts';

type Settings = Record<string, string>;
let folder: string;

/** Returns the findings of a check. Expects that exit code, flag and findings agree. */
function findingsOf({ exitCode, stdout, stderr }: Ran): (Finding & { ok: boolean })[] {
  expect(stderr).to.equal('');
  const { ok, checks } = JSON.parse(stdout);
  expect(ok, stdout).to.equal(exitCode === 0);
  for (const finding of checks) expect(finding.ok).to.equal(finding.fix === undefined);
  expect(ok).to.equal(checks.every((finding: { ok: boolean }) => finding.ok));
  // The tests run on Node 20 too, whose support has ended.
  return checks.filter(({ check }: Finding) => check !== 'node');
}

const examine = async (settings: Settings): Promise<(Finding & { ok: boolean })[]> =>
  findingsOf(await runInProcess(['doctor', '--json'], { settings: { DATA_DIR: join(folder, 'none'), ...settings } }));

/** The wrong findings of one check or of all, one line each. */
const problemsOf = async (settings: Settings, of = ''): Promise<string> =>
  (await examine(settings))
    .flatMap(({ check, found, fix }) => (fix && check.startsWith(of) ? [`${check}: ${found}; ${fix}`] : []))
    .join('\n');

/** Runs `work` with this machine's clock ahead of all others. */
async function aheadOfOthers(seconds: number, work: () => Promise<void>): Promise<void> {
  const clock = FakeTimers.install({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
  try {
    await work();
  } finally {
    clock.uninstall();
  }
}

/** What may be done to a migrated database, what undoes it, and what is said of it. */
const damages = [
  ['REVOKE INSERT ON jobs FROM vaga_service', 'GRANT INSERT ON jobs TO vaga_service', 'read and write the table jobs'],
  ['REVOKE UPDATE ON jobs FROM vaga_service', 'GRANT UPDATE ON jobs TO vaga_service', 'read and write the table jobs'],
  [
    'REVOKE EXECUTE ON FUNCTION hold_rights FROM PUBLIC',
    'GRANT EXECUTE ON FUNCTION hold_rights TO PUBLIC',
    'hold_rights',
  ],
  [
    'REVOKE EXECUTE ON FUNCTION folded_text FROM PUBLIC',
    'GRANT EXECUTE ON FUNCTION folded_text TO PUBLIC',
    'folded_text',
  ],
  [
    'ALTER TABLE credentials ENABLE ROW LEVEL SECURITY',
    'ALTER TABLE credentials DISABLE ROW LEVEL SECURITY',
    'may not read all rows of the table credentials (row-level security)',
  ],
  [
    'ALTER INDEX jobs_updated_idx RENAME TO gone',
    'ALTER INDEX gone RENAME TO jobs_updated_idx',
    'the index jobs_updated_idx of jobs is missing',
  ],
  [
    `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'plans_name_key'::regclass`,
    'REINDEX INDEX plans_name_key',
    'the unique index plans_name_key of plans is invalid',
  ],
  [
    `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'users_pkey'::regclass`,
    'REINDEX INDEX users_pkey',
    'the primary key users_pkey of users is invalid',
  ],
  [
    'ALTER TABLE jobs DROP CONSTRAINT jobs_district_id_fkey',
    'ALTER TABLE jobs ADD CONSTRAINT jobs_district_id_fkey FOREIGN KEY (district_id) REFERENCES districts NOT VALID',
    'the foreign key jobs_district_id_fkey of jobs is missing',
  ],
  [
    'SELECT',
    'ALTER TABLE jobs VALIDATE CONSTRAINT jobs_district_id_fkey',
    'the foreign key jobs_district_id_fkey of jobs is invalid',
  ],
  [
    'ALTER TABLE jobs DISABLE TRIGGER ALL',
    'ALTER TABLE jobs ENABLE TRIGGER ALL',
    'jobs_category_id_fkey of jobs is invalid',
  ],
  [
    'ALTER SEQUENCE jobs_id_seq OWNED BY NONE',
    'ALTER SEQUENCE jobs_id_seq OWNED BY jobs.id',
    'the sequence jobs_id_seq of jobs is missing',
  ],
  [
    'ALTER TABLE companies ALTER verified DROP DEFAULT',
    'ALTER TABLE companies ALTER verified SET DEFAULT false',
    'default of the column verified',
  ],
  [
    'ALTER TABLE jobs ALTER title DROP NOT NULL',
    'ALTER TABLE jobs ALTER title SET NOT NULL',
    'the NOT NULL of the column title of jobs is missing',
  ],
  [
    'ALTER TABLE job_events SET UNLOGGED',
    'ALTER TABLE job_events SET LOGGED',
    'the write-ahead log of job_events is missing',
  ],
  ['ALTER TABLE plans RENAME TO gone', 'ALTER TABLE gone RENAME TO plans', 'lacks the table plans'],
  ['ALTER TABLE jobs RENAME title TO gone', 'ALTER TABLE jobs RENAME gone TO title', 'lacks the column jobs.title'],
  ['ALTER TYPE protocol RENAME TO gone', 'ALTER TYPE gone RENAME TO protocol', 'lacks the type protocol'],
  ['ALTER SEQUENCE jobs_id_seq RENAME TO gone', 'ALTER SEQUENCE gone RENAME TO jobs_id_seq', 'sequence jobs_id_seq'],
  ['ALTER FUNCTION hold_rights RENAME TO gone', 'ALTER FUNCTION gone RENAME TO hold_rights', 'from functions.sql; run'],
] as const;

describe('ops doctor', () => {
  before(() => {
    folder = ownFolder();
  });

  it('finds nothing wrong before a first start, and creates no folder', async () => {
    const dataDir = join(folder, 'none');
    const ran = await runInProcess(['doctor'], { settings: { DATA_DIR: dataDir } });
    const isSupported = checkNode(process.versions.node).fix === undefined;
    expect(ran).to.deep.include({ exitCode: isSupported ? 0 : 1, stderr: '' });
    expect(ran.stdout.replace(/^(ok|WRONG): node: .*\n/m, '')).to.match(/^(ok: .+\n)+$/);
    expect(existsSync(dataDir)).to.equal(false);
    const restored = await runInProcess(['doctor', '--restored'], { settings: { DATA_DIR: dataDir } });
    expect(restored.stdout).to.match(/^WRONG: rows: they were not read; start the service on the folder/m);
  });

  it('names wrong settings without printing secrets', async () => {
    const address = 'https://127.0.0.1:9';
    for (const [settings, said] of [
      [{ DATABASE_URL: 'mysql://root:hunter2@db/x' }, /^settings: DATABASE_URL must be .*$/],
      [{ PUBLIC_URL: address }, /TRUST_PROXY/],
      [{ HOST: '0.0.0.0' }, /TRUST_PROXY/],
      [{ HOST: '0.0.0.0' }, /PUBLIC_URL is not set/],
      [{ PUBLIC_URL: 'http://127.0.0.1:9' }, /PUBLIC_URL is an http address/],
      [{ PUBLIC_URL: address, TRUST_PROXY: 'loopback' }, /NODE_ENV=production/],
      [{ HOST: '192.0.2.77' }, /^settings: HOST cannot be used: listen EADDRNOTAVAIL/m],
      [{ HOST: ' ' }, /^settings: HOST cannot be used: /m],
      [
        { METRICS_PORT: '0', METRICS_HOST: '192.0.2.77' },
        /^settings: METRICS_HOST cannot be used: listen EADDRNOTAVAIL/,
      ],
      [
        { REQUEST_TIMEOUT_SECONDS: '120' },
        /^settings: REQUEST_TIMEOUT_SECONDS must be .* from 1 to 119, .*does not start$/,
      ],
      [{ NODE_ENV: 'production', DATA_DIR: '' }, /set DATABASE_URL, or DATA_DIR/],
      [{ PUBLIC_URI: address }, /^settings: PUBLIC_URI is not a setting; rename it if PUBLIC_URL is meant$/],
      [
        { TRUST_PROXY: '0.0.0.0/0' },
        /^settings: TRUST_PROXY must name the proxies: "0.0.0.0\/0" would trust everybody;/,
      ],
      [{ TRUST_PROXIES: '1' }, /^settings: TRUST_PROXIES is not a setting; rename it if TRUST_PROXY is meant$/],
      [
        { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/vaga?schema=other&sslmode=disable&connect_timeout=9' },
        /^settings: DATABASE_URL has the parameter schema, which nothing reads; remove it; for a schema, set search_path [^\n]*$/,
      ],
      [
        { DATABASE_URL: 'postgres://u@127.0.0.1:1/vaga?pgbouncer=true&pgbouncer=true&oauth_issuer=x' },
        /^settings: DATABASE_URL has the parameter pgbouncer, which nothing reads; [^\n]*$/,
      ],
      [
        { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/vaga?lock_timeout=9' },
        /^settings: DATABASE_URL must not set lock_timeout, which would replace the service's: set DATABASE_STATEMENT_/,
      ],
      [{ DATABASE_URI: 'hunter2', TRUSTED_PROXY: '::1' }, / DATABASE_URL is meant\n.* TRUST_PROXY is meant/],
    ] as const) {
      const problems = await problemsOf({ NODE_ENV: '', ...settings }, 'settings');
      expect(problems).to.match(said).and.not.include('hunter2');
    }
  });

  it('names the parameters of DATABASE_URL that only the programs of PostgreSQL read', async () => {
    const ours = 'sslmode=disable&application_name=a&options=-c%20a.b%3D1';
    const theirs = ['channel_binding', 'sslcrl', 'target_session_attrs', 'passfile', 'dbname', 'connect_timeout'];
    const DATABASE_URL = `postgres://u@127.0.0.1:1/vaga?${ours}${theirs.map((name) => `&${name}=x&${name}=y`).join('')}`;
    const found = (await examine({ DATABASE_URL })).filter(({ check }) => check === 'settings');
    expect(found).to.deep.equal([
      { check: 'settings', found: 'valid', ok: true },
      ...theirs.map((name) => ({
        check: 'settings',
        found: `the service does not read ${name} of DATABASE_URL, only pg_dump and psql do`,
        ok: true,
      })),
    ]);
  });

  it('ignores variables of other programs, and says that a session secret is no longer needed', async () => {
    const names = 'PATH HOME HOSTNAME HOSTS PORTS TZ DATA LOG DATABASE_NAME NODE_PATH NODE_VERSION';
    const others = `${names} NODE_OPTIONS XDG_DATA_DIRS PGDATA SERVER_PORT VAGA_PORT VAGA_SERVICE_HOST METRICS_PATH LOG_FILE`;
    const env = Object.fromEntries(others.split(' ').map((name) => [name, 'x']));
    const all = { ...process.env, ...env, PUBLIC_URI: 'x', PUBLIC_URL: '', DATABASE_URL: '' };
    expect(await problemsOf(all, 'settings')).to.match(/^[^\n]*PUBLIC_URI[^\n]*$/);
    const findings = await examine({ SESSION_SECRET: 'x'.repeat(32) });
    const said = 'valid; SESSION_SECRET is no longer needed a day after an upgrade';
    expect(findings.map(({ found }) => found)).to.include(said);
  });

  it('reports an old Node.js, and a low limit of open files', async function () {
    for (const old of ['18.20.8', '20.18.3']) expect(checkNode(old).fix, old).to.include('20.19');
    for (const ended of ['20.20.2', '23.11.1']) expect(checkNode(ended).found, ended).to.match(/no security fixes/);
    for (const good of ['22.0.0', '24.21.0', '26.1.0']) expect(checkNode(good).fix, good).to.equal(undefined);
    if (process.platform !== 'linux') this.skip();
    const settings = { DATA_DIR: join(folder, 'none') };
    const ran = await runProcess(['doctor', '--json'], { settings, openFilesMax: 512 });
    const problems = findingsOf(ran).filter(({ ok }) => !ok);
    expect(problems.map(({ check, found }) => `${check}: ${found}`)).to.deep.equal(['open files: at most 512']);
  });

  it('reports extra certificates that are missing or invalid', async () => {
    const { certificate } = makeCertificate(folder, 'ca.example', 'extra');
    const file = join(folder, 'text.pem');
    writeFileSync(file, 'no certificate');
    for (const [named, said] of [
      [certificate, /^$/],
      [
        file,
        /^extra certificates: NODE_EXTRA_CA_CERTS names no certificate in PEM: .*; correct it: Node.js goes on without/,
      ],
      [join(folder, 'missing.pem'), /^extra certificates: NODE_EXTRA_CA_CERTS cannot be read: ENOENT/],
    ] as const)
      expect(await problemsOf({ NODE_EXTRA_CA_CERTS: named })).to.match(said);
  });

  it('reports a data folder that is a file, has a long path, or has little disk space', async function () {
    const file = join(folder, 'file');
    writeFileSync(file, '', { mode: 0o600 });
    expect(await problemsOf({ DATA_DIR: file })).to.match(/^data folder: DATA_DIR cannot be written: /);
    const long = join(folder, 'x'.repeat(80));
    expect(await problemsOf({ DATA_DIR: long })).to.match(
      /^data folder: .* allows at most 85; set DATA_DIR to another folder$/,
    );
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return this.skip();
    }
    try {
      const problems = await problemsOf({ DATA_DIR: join(disk, 'data') });
      expect(problems).to.match(/^data folder: 0\.0 GB are free in \S+\/disk; free some space: /);
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  });

  it('reports a data folder on which the service does not start, in the words of the start', async () => {
    for (const [name, content, said] of [
      ['moved', 'elsewhere', /^database: the database in \S+ was moved to elsewhere: set DATABASE_URL, /],
      ['moving', '{"place":"elsewhere"}', /^database: the move of the database in \S+ to elsewhere is not finished: /],
      ['pg', '', /^database: \S+pg is not a folder; correct it: the service does not start$/],
      ['pg/PG_VERSION', '17\n', /^database: the database in \S+ is of PostgreSQL "17", and this release has \d+;/],
    ] as const) {
      const dataDir = join(ownFolder(), 'data');
      const file = join(dataDir, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      const problems = await problemsOf({ DATA_DIR: dataDir });
      expect(problems).to.match(said);
      const message = await openDatabase({ dataDir }).then(String, (error: Error) => error.message);
      expect(problems).to.include(`database: ${message}; `);
    }
  });

  it('examines the embedded database of a running service beside it', async () => {
    const dataDir = join(folder, 'running');
    const service = await openDatabase({ dataDir });
    try {
      const findings = await examine({ DATA_DIR: dataDir });
      expect(findings.map(({ ok }) => ok)).to.not.include(false);
      expect(findings.map(({ check, found }) => `${check}: ${found}`)).to.include.members([
        `database: embedded in ${dataDir}, and served`,
        'migrations: all are applied',
        'time zone: Europe/Lisbon',
      ]);
      // Darwin in Node.js, Acre in PostgreSQL.
      const problems = await problemsOf({ DATA_DIR: dataDir, SERVICE_TIMEZONE: 'ACT' });
      expect(problems).to.match(/^time zone: PostgreSQL and Node\.js disagree about ACT; set SERVICE_TIMEZONE/);
      await service.db.serviceState.create({ data: { name: 'maintenance', value: { since: '2026-11-29T10:00:00Z' } } });
      const PUBLIC_URL = addressOf(await startApp({}, { database: service }));
      const during = await examine({ DATA_DIR: dataDir, PUBLIC_URL });
      expect(during.filter(({ check }) => /^(maintenance|public address)$/.test(check))).to.deep.equal([
        {
          check: 'maintenance',
          found: 'the API answers 503 since 2026-11-29T10:00:00Z',
          fix: 'run vaga maintenance off when the work is done: it never ends by itself',
          ok: false,
        },
        { check: 'public address', found: `${PUBLIC_URL} reaches the service, which sees https`, ok: true },
      ]);
    } finally {
      await service.close();
    }
  });

  it('checks a PostgreSQL server: migrations, clock, time zones, encoding, connections, and whether it accepts writes', async function () {
    const postgres = await PrivatePostgres.make().catch(skipIn(this));
    const { owner, service } = await rolesOfGuide(postgres);
    const superuser = Object.assign(new URL(service), { username: 'postgres' }).href;
    const run = (sql: string) => onServer(superuser, (client) => client.query(sql));
    const own = { DATABASE_URL: service };
    const expectOwn = async (said: RegExp, more: Settings = {}): Promise<void> => {
      expect(await problemsOf({ ...own, ...more })).to.match(said);
    };
    /** A change on the command line names the same next steps. */
    const expectCommand = async (said: RegExp): Promise<void> => {
      const { exitCode, stderr } = await runInProcess(['company', 'create', '--name', 'Oficina'], { settings: own });
      expect([exitCode, stderr.replace(/^error: the database cannot be used: .*\n$/, '')], stderr).to.deep.equal([
        1,
        '',
      ]);
      expect(stderr).to.match(said);
    };
    try {
      await expectOwn(/^migrations: \d+ are missing, from \w+_init; run npm run migrate$/);
      await migrateServer(owner);
      await expectOwn(/^$/);
      await expectOwn(/^database: the role of DATABASE_URL is a superuser; use one that/, { DATABASE_URL: superuser });
      await expectOwn(/^database: the role of DATABASE_URL owns the tables; use the one/, { DATABASE_URL: owner });
      // What an operator has added is no fault.
      await run('CREATE TABLE notes (text text); CREATE INDEX notes_idx ON jobs (title)');
      await expectOwn(/^$/);
      for (const [damage, repair, said] of damages) {
        await run(damage);
        const problems = await problemsOf(own);
        expect(problems, damage)
          .to.include(said)
          .and.match(/^(database|migrations|schema): .*$/);
        await run(repair);
      }
      for (const [grant, surplus] of [
        ['UPDATE, DELETE ON audit_entries TO vaga_service', 'UPDATE ON audit_entries, DELETE ON audit_entries'],
        ['UPDATE (action) ON audit_entries TO vaga_service', 'UPDATE ON audit_entries'],
        [
          'INSERT, TRUNCATE ON _prisma_migrations TO PUBLIC',
          'INSERT ON _prisma_migrations, TRUNCATE ON _prisma_migrations',
        ],
      ]) {
        await run(`GRANT ${grant}`);
        const found = await problemsOf(own);
        expect(found).to.match(/^database: the role of DATABASE_URL has rights [^\n]*; run npm run migrate, [^\n]*$/);
        expect(found).to.include(`should have: ${surplus}; `);
        await migrateServer(owner);
        await expectOwn(/^$/);
      }
      await run('GRANT vaga_owner TO vaga_service');
      await expectOwn(
        /^database: [^\n]* should have: UPDATE ON audit_entries, [^\n]*, or end its membership in the role that has them$/,
      );
      await run('REVOKE vaga_owner FROM vaga_service');
      await run('REVOKE USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public FROM vaga_service');
      await expectOwn(/^database: the role of DATABASE_URL may not use the sequence \w+; /);
      const refused = await ServiceProcess.start({ DATABASE_URL: service });
      expect(refused.errors).to.match(/^vaga: DATABASE_URL: the role may not use the sequence \w+\n$/);
      await run('GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO vaga_service');
      await run('DROP FUNCTION hold_rights');
      const message = await openDatabase({ databaseUrl: service, dataDir: 'unused' }).then(String, String);
      expect(message).to.equal('Error: the database lacks migration functions.sql: run npm run migrate');
      expect((await migrateServer(owner)).applied).to.deep.equal(['functions.sql']);
      await expectOwn(/^$/);
      const columns = 'id, checksum, migration_name, finished_at';
      await run(`INSERT INTO _prisma_migrations (${columns}) VALUES ('1', '', '2999_more', now())`);
      const found = (await examine(own)).map((finding) => finding.found);
      expect(found).to.include('all are applied, 2999_more of a later version too');
      const { host } = new URL(service);
      expect(found.join('\n')).to.match(
        new RegExp(`^PostgreSQL 1\\d\\S* .*database vaga at ${host}, as vaga_service; `, 'm'),
      );
      await aheadOfOthers(120, () => expectOwn(/^database clock: 1[12]\d s behind this machine; synchronise/));
      const zone = 'US/Pacific-New';
      await expectOwn(/^time zone: PostgreSQL does not know US\/Pacific-New; /, { SERVICE_TIMEZONE: zone });
      await expectOwn(/^time zone: PostgreSQL and Node\.js disagree about ACT; /, { SERVICE_TIMEZONE: 'ACT' });
      await run(`ALTER DATABASE vaga SET default_transaction_isolation = serializable;
        ALTER DATABASE vaga SET standard_conforming_strings = off`);
      await expectOwn(/^$/);
      const created = await runInProcess(['company', 'create', '--name', "\\'"], { settings: own });
      expect(created).to.deep.include({ exitCode: 0, stderr: '' });
      await run(`ALTER DATABASE vaga RESET ALL; ALTER DATABASE vaga SET search_path = nope`);
      const nowhere =
        /^migrations: none of the schemas in search_path \(nope\) exists, .*; correct search_path of the/m;
      await expectOwn(nowhere);
      expect(await migrateServer(owner).catch(String)).to.match(/^Error: none of the schemas in search_path \(nope\)/);
      await run('ALTER DATABASE vaga RESET ALL');
      await run('ALTER DATABASE vaga SET default_transaction_read_only = on');
      await expectOwn(/^database: it is read-only; /);
      await expectCommand(
        /: cannot execute .* in a read-only transaction; point DATABASE_URL at the primary, and see /,
      );
      await run('SET transaction_read_only = off; ALTER DATABASE vaga RESET default_transaction_read_only');
      await run('REVOKE INSERT ON audit_entries FROM vaga_service');
      await expectCommand(
        /: permission denied for table audit_entries; give the role its rights again, or use the one of /,
      );
      await run('GRANT INSERT ON audit_entries TO vaga_service');
      for (const [code, fix] of [
        ['53100', /; free space on the disk/],
        ['55P03', /; look for locks and load/],
        ['57014', /; look for locks and load/],
      ] as const) {
        await run(`CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'said by it' USING ERRCODE = '${code}'; END $$;
          CREATE OR REPLACE TRIGGER fails BEFORE INSERT ON companies EXECUTE FUNCTION fail()`);
        await expectCommand(/: said by it; /);
        await expectCommand(fix);
      }
      await run('DROP FUNCTION fail CASCADE');
      const few = /^database: one process may open \d+ connections, and the server allows 97; /;
      await expectOwn(few, { DATABASE_POOL_SIZE: '200' });
      // Two processes, each with a name of its own, may need more than the server has.
      const others = ['vaga 1', 'vaga 2'].map(
        (application_name) => new pg.Client({ connectionString: service, application_name }),
      );
      for (const other of others) await other.connect();
      await expectOwn(/^database: 2 processes may open 116 connections, and the server allows 97; /, {
        DATABASE_POOL_SIZE: '50',
      });
      for (const other of others) await other.end();
      for (const [limit, none, said] of [
        ['ALTER ROLE vaga_service CONNECTION LIMIT 10', 'ALTER ROLE vaga_service CONNECTION LIMIT -1', 'role'],
        ['ALTER DATABASE vaga CONNECTION LIMIT 10', 'ALTER DATABASE vaga CONNECTION LIMIT -1', 'database'],
      ] as const) {
        await run(limit);
        const found = `^database: one process may open 18 connections, and the ${said} allows 10; lower DATABASE_POOL_SIZE, or raise CONNECTION LIMIT of the ${said}; `;
        await expectOwn(new RegExp(found));
        await run(none);
      }
      await run(`INSERT INTO service_state (name, value) VALUES ('maintenance', '{"since": "2026-11-29T10:00:00Z"}')`);
      await expectOwn(/^maintenance: the API answers 503 since 2026-11-29T10:00:00Z; run vaga maintenance off [^\n]*$/);
      await run(`DELETE FROM service_state WHERE name = 'maintenance'`);
      await run(`CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`);
      const latin = service.replace(/\/vaga$/, '/latin');
      await expectOwn(/^database: its encoding is LATIN1; /m, { DATABASE_URL: latin });
      const migrated = await migrateServer(superuser.replace(/\/vaga$/, '/latin')).catch(String);
      expect(migrated).to.equal(
        "Error: the database's encoding is LATIN1: create it again with ENCODING UTF8 TEMPLATE template0",
      );
      await run(`CREATE DATABASE plain ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`);
      const plain = service.replace(/\/vaga$/, '/plain');
      await expectOwn(/^database: searches find letters beyond ASCII only as .*; create .* LC_CTYPE C\.UTF-8/m, {
        DATABASE_URL: plain,
      });
    } finally {
      await postgres.remove();
    }
  });

  it('reports settings of the server that break a promise, and takes no other setting of the role for one', async function () {
    const lost = ['fsync', 'full_page_writes', 'autovacuum', 'track_counts'];
    const postgres = await PrivatePostgres.make(lost.map((name) => `${name} = off\n`).join('')).catch(skipIn(this));
    try {
      const { owner, service } = await rolesOfGuide(postgres);
      await migrateServer(owner);
      const superuser = Object.assign(new URL(service), { username: 'postgres' }).href;
      const run = (sql: string) => onServer(superuser, (client) => client.query(sql));
      const problems = () => problemsOf({ DATABASE_URL: service });
      const said = (await problems()).split('\n');
      expect(
        said.map((line) => /^database: (\w+) is off, so .*; set \1 = on, in postgresql.conf/.exec(line)?.[1]),
      ).to.have.members(lost);
      for (const name of lost) await run(`ALTER SYSTEM SET ${name} = on`);
      await postgres.stop('fast');
      await postgres.start();
      await run(`ALTER ROLE vaga_service SET extra_float_digits = -10; ALTER ROLE vaga_service SET lock_timeout = '1s';
        ALTER ROLE vaga_service SET synchronous_commit = off`);
      expect(await problems()).to.equal('');
      await run('ALTER ROLE vaga_service SET session_replication_role = replica');
      expect(await problems()).to.match(
        /^database: session_replication_role is replica, so foreign keys are not enforced; .*$/,
      );
    } finally {
      await postgres.remove();
    }
  });

  it('names the next step by why no connection can be made', async function () {
    const postgres = await PrivatePostgres.make().catch(skipIn(this));
    const at = (change: Partial<URL>, query = '') => `${Object.assign(new URL(postgres.url), change).href}${query}`;
    const none = '/none/root.crt';
    try {
      await onServer(postgres.url, async (client) => {
        for (const name of ['none CONNECTION LIMIT 0', 'closed']) await client.query(`CREATE DATABASE ${name}`);
        await client.query(`REVOKE CONNECT ON DATABASE closed FROM PUBLIC; CREATE ROLE anyone LOGIN;
          CREATE ROLE full_one LOGIN CONNECTION LIMIT 0`);
      });
      for (const [DATABASE_URL, said] of [
        [
          at({ username: 'full_one' }),
          /too many connections for role .*; end connections .* CONNECTION LIMIT of the role/,
        ],
        [at({ username: 'anyone', pathname: '/none' }), /too many connections for database .*; end connections /],
        [at({ username: 'nobody' }), /role "nobody" does not exist .*; correct the role and the password/],
        [at({ pathname: '/gone' }), /database "gone" does not exist .*; correct the name of the database/],
        [
          at({ username: 'anyone', pathname: '/closed' }),
          /permission denied for database .*; give the role its rights/,
        ],
        [at({}, '?sslmode=verify-full'), /does not support SSL .*; correct sslmode and the files of certificates/],
        [at({}, `?sslmode=verify-full&sslrootcert=${none}`), /ENOENT.* open .*; correct sslmode and the files/],
        [at({ port: String(await freePort()) }), /ECONNREFUSED .*; start the server, or correct the host and the port/],
        [
          at({ hostname: 'nowhere.invalid' }),
          /(ENOTFOUND|EAI_AGAIN) .*; correct the host in DATABASE_URL, or the name/,
        ],
      ] as const)
        expect(await problemsOf({ DATABASE_URL }), DATABASE_URL).to.match(said);
    } finally {
      await postgres.remove();
    }
  });

  it('reports a database that does not answer, without its password', async () => {
    const port = await freePort();
    const database = { DATABASE_URL: `postgres://vaga:hunter2@127.0.0.1:${port}/vaga` };
    const problems = await problemsOf(database);
    expect(problems).to.match(
      /^database: PostgreSQL cannot be used: .*ECONNREFUSED.*\(database vaga at 127\.0\.0\.1:\d+, as vaga\)/,
    );
    expect(problems).not.to.include('hunter2');
  });

  it('reports a certificate that expires soon, is for another host, has another key, or cannot be read', async () => {
    const soon = makeCertificate(folder, 'localhost', 'soon');
    const good = makeCertificate(folder, 'localhost', 'good', 90);
    const problemsWith = (certificate: string, key: string, PUBLIC_URL = '') =>
      problemsOf({ TLS_CERT_FILE: certificate, TLS_KEY_FILE: key, PUBLIC_URL }, 'certificate');
    for (const [certificate, key, said, address] of [
      [good.certificate, good.key, /^$/, 'https://localhost:9'],
      [soon.certificate, soon.key, /it expires in [01] days; renew/, undefined],
      [good.certificate, good.key, /it is not for vaga\.example; /, 'https://vaga.example'],
      [good.certificate, soon.key, /TLS_KEY_FILE must name the key of/, undefined],
      [join(folder, 'none.pem'), good.key, /TLS_CERT_FILE cannot be read: ENOENT/, undefined],
    ] as const)
      expect(await problemsWith(certificate, key, address)).to.match(said);
    await aheadOfOthers(100 * 86_400, async () =>
      expectMatch(await problemsWith(good.certificate, good.key), /it expired on \w+ \d+ .* GMT; renew/),
    );
  });

  it('reports a backup that is old, missing, empty or of the future', async () => {
    const file = join(folder, 'vaga.dump');
    const problems = () => problemsOf({ BACKUP_FILE: file }, 'backup');
    expect(await problems()).to.match(/^backup: there is no file .*vaga\.dump; back up again/);
    expect(await problemsOf({ BACKUP_FILE: join(folder, 'x'.repeat(300)) }, 'backup')).to.match(/may enter$/);
    writeFileSync(file, '');
    expect(await problems()).to.match(/^backup: .*vaga\.dump is empty; back up again/);
    expect(backupAgeSeconds({ backupFile: file })).to.equal(Number.POSITIVE_INFINITY);
    writeFileSync(file, 'PGDMP');
    expect(await problems()).to.equal('');
    await aheadOfOthers(-240, async () => expectMatch(await problems(), /^$/));
    await aheadOfOthers(-600, async () =>
      expectMatch(await problems(), /^backup: .* in the future: a clock is wrong; /),
    );
    await aheadOfOthers(40 * 3600, async () => expectMatch(await problems(), /^backup: it is (39|40) hours old; /));
  });

  it('reports the certificate of a proxy that expires soon', async () => {
    const service = addressOf(await startApp({ TRUST_PROXY: 'loopback' }));
    for (const [name, days, said] of [
      ['ending', 1, /^certificate of the proxy: it expires in [01] days; renew it$/],
      ['lasting', 90, /^$/],
    ] as const) {
      const { certificate, key } = makeCertificate(folder, 'localhost', name, days);
      const tls = { cert: readFileSync(certificate), key: readFileSync(key) };
      const proxy = createTlsServer(tls, ({ url, headers }, response) => {
        const forwarded = { ...headers, 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
        httpRequest(`${service}${url}`, { headers: forwarded }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        }).end();
      });
      await once(proxy.listen(0, '127.0.0.1'), 'listening');
      const settings = {
        ...{
          DATA_DIR: join(folder, 'none'),
          PUBLIC_URL: `https://localhost:${portOf(proxy)}`,
          TRUST_PROXY: 'loopback',
        },
        ...{ NODE_EXTRA_CA_CERTS: certificate, NODE_ENV: 'production' },
      };
      const findings = findingsOf(await runProcess(['doctor', '--json'], { settings }));
      const ofProxy = findings.filter(({ check }) => check.endsWith('of the proxy'));
      expect(ofProxy).to.have.length(1);
      const lines = ofProxy.flatMap(({ check, found, fix }) => (fix ? [`${check}: ${found}; ${fix}`] : []));
      expect(lines.join()).to.match(said);
      proxy.closeAllConnections();
      proxy.close();
    }
  });

  it('checks whether the public address reaches the service, an untrusted proxy, something else, or nothing', async () => {
    const service = addressOf(await startApp());
    const proxy = createServer(({ url, method, headers }, response) => {
      const forwarded = { ...headers, 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
      httpRequest(`${service}${url}`, { method, headers: forwarded }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }).end();
    });
    const other = createServer((_request, response) => response.end('hello'));
    await Promise.all([proxy, other].map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
    for (const [origin, said] of [
      [service, /^$/],
      [addressOf(proxy), /takes requests through the proxy for plain http.*TRUST_PROXY$/],
      [addressOf(other), /answered 200, but not from this service; /],
      [`http://127.0.0.1:${await freePort()}`, /cannot be reached from here: connect ECONNREFUSED/],
    ] as const)
      expect(await problemsOf({ PUBLIC_URL: origin }, 'public address')).to.match(said);
    for (const server of [proxy, other]) server.close();
  });
});

const expectMatch = (text: string, expected: RegExp): void => void expect(text).to.match(expected);
