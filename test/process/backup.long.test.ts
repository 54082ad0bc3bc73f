import { execFile } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { migrateServer } from '../../src/database/migrations.ts';
import type { Database } from '../../src/database/open.ts';
import { createJob } from '../../src/operations/jobs/change-job-sql.ts';
import { createUser } from '../../src/operations/users/people/create-account.ts';
import { runInProcess } from '../cli/run-cli.ts';
import { skipIn } from '../faults/fault.ts';
import { PrivatePostgres } from '../faults/private-postgres.ts';
import { makeCompany, operatorOf, placeAt, withStore } from '../faults/subject.ts';
import { databaseUrl, newJob } from '../helper/fixtures.ts';
import { guide, guideCommands } from '../helper/guide.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import { createServerDatabase, onCitus, onServer } from '../helper/test-database.ts';

const run = promisify(execFile);

async function readJob({ address }: ServiceProcess, secret: string, path: string) {
  const answer = await fetch(address + path, { headers: { Authorization: `Bearer ${secret}` } });
  return { status: answer.status, body: await answer.json() };
}

/** A company with a person, and a job of each environment. */
async function makeFullCompany(store: Database): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  const { companyId } = await makeCompany(store);
  const [email, password] = [`ana-${companyId}@example.com`, 'uma frase que é longa'];
  await createUser(operatorOf(store), { companyId, email, role: 'main', password });
  for (const environment of ['production', 'sandbox'] as const)
    await createJob(
      store.db,
      { companyId, environment },
      {
        ...{
          key: 'one',
          hashes: {},
          checksDistricts: false,
          status: 'pending',
          actor: 'credential:1',
          now: new Date(),
        },
        entitlement: {
          allowance: environment === 'sandbox' ? 'sandbox' : 'subscription',
          ...{ accessType: 'subscription', limit: 100 },
          period: environment === 'sandbox' ? null : { start: today, end: today },
        },
        fields: { ...minimalJob, salary_negotiable: false },
      },
    );
}

/** What a database lacks according to `doctor --restored`. */
async function missingIn(DATABASE_URL: string, of = 'rows'): Promise<string[]> {
  const { stdout } = await runInProcess(['doctor', '--restored', '--json'], { settings: { DATABASE_URL } });
  const rows = JSON.parse(stdout).checks.filter(({ check }: { check: string }) => check === of);
  expect(rows).to.not.deep.equal([]);
  return rows.flatMap(({ ok, found }: { ok: boolean; found: string }) => (ok ? [] : [found]));
}

describe('backup and restore as documented', () => {
  const running: ServiceProcess[] = [];
  afterEach(() => Promise.all(running.splice(0).map((service) => service.stop())));
  const start = async (env: Record<string, string>, until?: string): Promise<ServiceProcess> => {
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
    await run('sh', ['-ec', guideCommands('tar czf vaga.tgz')], { cwd: folder });
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

  it('PostgreSQL: recovery from a base backup and the archived log, up to a time', async function () {
    const archive = ownFolder();
    chmodSync(archive, 0o777);
    const settings = `archive_mode = on\narchive_command = 'cp %p ${archive}/%f'\n`;
    const postgres = await PrivatePostgres.make(settings).catch(skipIn(this));
    const servers = [postgres];
    try {
      await migrateServer(postgres.url);
      const backup = await postgres.backUp();
      servers.push(backup);
      const time = await withStore(
        placeAt(postgres.url, async () => undefined),
        async (store) => {
          await makeFullCompany(store);
          const [row] = await store.db.$queryRaw<{ now: string }[]>`SELECT clock_timestamp()::text AS now`;
          await makeFullCompany(store);
          await store.db.$executeRaw`SELECT pg_switch_wal()`;
          return row?.now;
        },
      );
      await postgres.stop('fast');
      const [words = ''] = /To recover, .*?and start\./s.exec(guide) ?? [];
      const [promotes] = /recovery_target_action = \w+/.exec(words) ?? [];
      const until = `recovery_target_time = '${time}'\n${promotes}\n`;
      await backup.recover(`restore_command = 'cp ${archive}/%f %p'\n${until}`);
      expect(await missingIn(backup.url)).to.deep.equal([]);
      await withStore(
        placeAt(backup.url, async () => undefined),
        async (store) => {
          expect(await store.db.job.count()).to.equal(2);
          await makeFullCompany(store);
        },
      );
    } finally {
      for (const server of servers) await server.remove();
    }
  });

  it('ops doctor --restored tells a whole copy from one that lacks a table, a key or a counter', async function () {
    if (databaseUrl() === undefined || onCitus || !existsSync('/usr/bin/pg_dump')) return this.skip();
    const [source, copy] = [await createServerDatabase(), await createServerDatabase()];
    await migrateServer(source.url);
    await withStore(
      placeAt(source.url, async () => undefined),
      makeFullCompany,
    );
    // As after a plan with another first day, which keeps the month's count.
    const kept = `INSERT INTO posting_usage SELECT company_id, allowance, period_start + 1, used FROM posting_usage
       WHERE allowance <> 'sandbox'`;
    expect((await onServer(source.url, (db) => db.query(kept))).rowCount).to.be.above(0);
    const dump = join(ownFolder(), 'vaga.dump');
    await run('pg_dump', ['--format=custom', '--file', dump, source.url]);
    await run('pg_restore', ['--exit-on-error', '--dbname', copy.url, dump]);
    const missing = () => missingIn(copy.url);
    expect(await missing()).to.deep.equal([]);
    await onServer(copy.url, async (db) => {
      await db.query('SET session_replication_role = replica; CREATE SCHEMA kept');
      for (const [table, problem] of [
        ['jobs', '2 histories whose job is gone'],
        ['job_events', '2 jobs without the first event of their history'],
        ['idempotency_keys', '2 jobs without their idempotency key'],
        ['posting_usage', '1 sandboxes whose count is not that of their keys'],
        ['credentials', '2 issued credentials that are gone'],
        ['users', '1 people who are gone'],
        ['audit_entries', '2 credentials whose audit entry is gone'],
      ] as const) {
        await db.query(`CREATE TABLE kept.${table} AS TABLE ${table}; DELETE FROM ${table}`);
        expect(await missing(), table).to.include(problem);
        const { rows: own } = await db.query(
          `SELECT string_agg(quote_ident(attname), ', ') AS columns FROM pg_attribute
            WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
          [table],
        );
        await db.query(`INSERT INTO ${table} (${own[0].columns}) SELECT ${own[0].columns} FROM kept.${table}`);
      }
      await db.query(`SELECT setval('jobs_id_seq', 1)`);
      expect(await missing()).to.deep.equal(['1 sequences behind their table']);
      await db.query(`SELECT setval('jobs_id_seq', 2); ALTER TABLE page_sessions DROP CONSTRAINT page_sessions_pkey`);
      const parts = await missingIn(copy.url, 'schema');
      expect(parts).to.deep.equal(['the primary key page_sessions_pkey of page_sessions is missing']);
      await db.query('ALTER TABLE job_events RENAME TO moved');
      expect(await missingIn(copy.url, 'migrations')).to.deep.equal(['the database lacks the table job_events']);
    });
    for (const database of [source, copy]) await database.drop();
  });
});

describe('a dump of which pg_restore restored only the beginning', () => {
  it('is told from a whole copy, wherever it ends after the rows', async function () {
    if (databaseUrl() === undefined || onCitus || !existsSync('/usr/bin/pg_dump')) return this.skip();
    const source = await createServerDatabase();
    await migrateServer(source.url);
    await withStore(
      placeAt(source.url, async () => undefined),
      makeFullCompany,
    );
    const dump = join(ownFolder(), 'vaga.dump');
    await run('pg_dump', ['--format=custom', '--file', dump, source.url]);
    const { stdout } = await run('pg_restore', ['--list', dump]);
    const entries = stdout.split('\n').filter((line) => /^\d/.test(line));
    const rowsEnd = entries.findLastIndex((line) => / (TABLE DATA|SEQUENCE SET) /.test(line)) + 1;
    expect(entries.length).to.be.above(rowsEnd + 20);
    for (let end = entries.length; end >= rowsEnd; end -= 7) {
      const [list, copy] = [join(ownFolder(), 'list'), await createServerDatabase()];
      writeFileSync(list, entries.slice(0, end).join('\n'));
      await run('pg_restore', ['--exit-on-error', '-L', list, '--dbname', copy.url, dump]);
      const faults = await missingIn(copy.url, 'schema');
      expect(faults.length > 0, `${end} of ${entries.length} entries`).to.equal(end < entries.length);
      await copy.drop();
    }
    await source.drop();
  });
});
