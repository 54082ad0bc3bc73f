import { existsSync } from 'node:fs';
import { symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { migrateServer } from '../../src/database/migrations.ts';
import { openDatabase } from '../../src/database/open.ts';
import { type Ran, runInProcess, runProcess } from '../cli/run-cli.ts';
import { unlimited } from '../faults/subject.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { PageClient, textOf } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import {
  createPlainDatabase,
  createServerDatabase,
  onCitus,
  onServer,
  type ServerDatabase,
  serverUrl,
} from '../helper/test-database.ts';
import { times, until } from '../helper/times.ts';

type Rows = Readonly<Record<string, readonly string[]>>;
type Query = (sql: string) => Promise<{ text: string }[]>;

const tables = `SELECT relname AS text FROM pg_class
  WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname <> '_prisma_migrations' ORDER BY 1`;

/** Every row of every table, and the position of every sequence. */
async function everything(query: Query): Promise<Rows> {
  const found: Record<string, string[]> = {};
  const texts = async (sql: string) => (await query(sql)).map(({ text }) => text);
  for (const table of await texts(tables))
    found[table] = await texts(
      `SELECT replace(to_jsonb(t)::text, '+00:00', '') AS text FROM ${table} t ORDER BY to_jsonb(t)::text COLLATE "C"`,
    );
  found.sequences = await texts(
    `SELECT concat(sequencename, ' ', last_value) AS text FROM pg_sequences WHERE schemaname = current_schema() ORDER BY 1`,
  );
  return found;
}

const ofServer = (url: string): Promise<Rows> =>
  onServer(url, async (client) => {
    await client.query(`SET timezone = 'UTC'`);
    return everything(async (sql) => (await client.query<{ text: string }>(sql)).rows);
  });

async function ofFolder(dataDir: string): Promise<Rows> {
  const { admission, close } = await openDatabase({ dataDir });
  return everything((text) => admission.rows<{ text: string }>({ text, values: [] })).finally(close);
}

const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });

const create = (at: ServiceProcess, secret: string, key: string, base = '/v1'): Promise<Response> =>
  fetch(`${at.address}${base}/jobs`, {
    method: 'POST',
    headers: { ...bearer(secret), 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify({ ...minimalJob, title: `Título "${key}", {com} \\ sinais` }),
  });

const account = async (at: ServiceProcess, secret: string): Promise<object> =>
  (await (await fetch(`${at.address}/v1/account`, { headers: bearer(secret) })).json()).data;

describe('ops move, from the embedded database to PostgreSQL', () => {
  let target: ServerDatabase;
  let dataDir: string;
  const running: ServiceProcess[] = [];
  beforeEach(async function () {
    if (serverUrl === undefined) return this.skip();
    target = await createServerDatabase();
    dataDir = join(ownFolder(), 'data');
  });
  afterEach(async () => {
    for (const service of running.splice(0)) {
      service.signal('SIGKILL');
      await service.ended();
    }
    await target?.drop();
  });

  const start = async (settings: Record<string, string>, printed?: string): Promise<ServiceProcess> => {
    const service = await ServiceProcess.start({ ...unlimited, ...settings }, printed);
    running.push(service);
    return service;
  };
  /** A service on the folder with the demo company; it printed the company's secrets and passwords. */
  const startDemo = async () => {
    const service = await start({ DATA_DIR: dataDir }, 'API reference');
    const found = (pattern: RegExp) => pattern.exec(service.output)?.[1] ?? '';
    const [live, test] = [found(/production +(vaga_\S+)/), found(/sandbox +(vaga_\S+)/)];
    return { service, live, test, password: found(/main@example.com +(\S+)/) };
  };
  const move = (url = target.url): Promise<Ran> =>
    runInProcess(['move'], { settings: { DATA_DIR: dataDir, DATABASE_URL: url } });
  const refused = async (moving: Promise<Ran>, reason: RegExp): Promise<void> => {
    const { exitCode, stdout, stderr } = await moving;
    expect(stderr)
      .to.match(reason)
      .and.match(/^error: .*\n$/);
    expect({ exitCode, stdout }).to.deep.equal({ exitCode: 1, stdout: '' });
  };
  /** A folder in the state that a first start leaves, made without a service. */
  const makeFolder = async (): Promise<void> => (await openDatabase({ dataDir })).close();

  it('every row, key, count, person, session and id is kept; the folder is not used again', async function () {
    if (onCitus) return this.skip();
    const { service, live, test, password } = await startDemo();
    expect((await create(service, live, 'one')).status).to.equal(201);
    expect((await create(service, test, 'one', '/sandbox/v1')).status).to.equal(201);
    expect((await fetch(`${service.address}/v1/jobs/1`, { method: 'DELETE', headers: bearer(live) })).status).to.equal(
      204,
    );
    const browser = new PageClient('company', service.address);
    expect((await browser.signIn('main@example.com', password)).status).to.equal(303);
    const before = await account(service, live);
    expect(await service.stop()).to.equal(0);
    const rows = await ofFolder(dataDir);
    for (const table of [
      'jobs',
      'job_events',
      'idempotency_keys',
      'posting_usage',
      'users',
      'page_sessions',
      'request_log',
    ])
      expect(rows[table], table).to.not.deep.equal([]);

    const moved = await move();
    expect(moved).to.deep.include({ exitCode: 0, stderr: '' });
    const { host, pathname } = new URL(target.url);
    expect(moved.stdout).to.include(` tables to database ${pathname.slice(1)} at ${host}`);
    expect(await ofServer(target.url)).to.deep.equal(rows);
    expect((await move()).stdout).to.match(/^Already moved to database /);
    const again = await start({ DATA_DIR: dataDir });
    expect(again.errors).to.match(/^vaga: DATA_DIR: the database in .* was moved to .*: set DATABASE_URL.*\n$/);

    const next = await start({ DATABASE_URL: target.url });
    expect(await account(next, live)).to.deep.equal(before);
    const replay = await create(next, live, 'one');
    expect([replay.status, replay.headers.get('idempotent-replayed')]).to.deep.equal([200, 'true']);
    expect((await (await create(next, live, 'two')).json()).data.id).to.equal(3);
    const stays = PageClient.copyOf(browser, next.address);
    expect(textOf(await stays.get('/'))).to.include('Empresa de Demonstração');
    expect((await new PageClient('company', next.address).signIn('main@example.com', password)).status).to.equal(303);
  });

  it('Citus has every row that was moved before its extension was created', async function () {
    if (!onCitus) return this.skip();
    const { service, live } = await startDemo();
    expect((await create(service, live, 'one')).status).to.equal(201);
    expect(await service.stop()).to.equal(0);
    const rows = await ofFolder(dataDir);
    const plain = await createPlainDatabase();
    try {
      expect(await move(plain.url)).to.deep.include({ exitCode: 0, stderr: '' });
      await plain.join();
      await migrateServer(plain.url);
      expect(await ofServer(plain.url)).to.deep.equal(rows);
      const next = await start({ DATABASE_URL: plain.url });
      const replay = await create(next, live, 'one');
      expect([replay.status, replay.headers.get('idempotent-replayed')]).to.deep.equal([200, 'true']);
      expect(await next.stop()).to.equal(0);
    } finally {
      await plain.drop();
    }
  });

  it('PostgreSQL has every write that was acknowledged under load, and refused writers leave nothing', async function () {
    if (onCitus) return this.skip();
    const { service, live } = await startDemo();
    const acknowledged: string[] = [];
    const write = async (name: number): Promise<void> => {
      for (let n = 0; ; n++) {
        const { status } = await create(service, live, `${name}-${n}`).catch(() => ({ status: 0 }));
        if (status !== 201) return;
        acknowledged.push(`${name}-${n}`);
      }
    };
    const writing = times(4, write);
    await until(() => acknowledged.length >= 8);
    await refused(move(), /in use by another process: stop it first/);
    const operate = async (): Promise<void> => {
      for (const name of ['before', 'while it ends', 'while it moves', 'after']) {
        const settings = { DATA_DIR: dataDir };
        const { exitCode, stdout } = await runInProcess(['company', 'create', '--name', name, '--json'], { settings });
        if (exitCode === 0) acknowledged.push(`company ${JSON.parse(stdout).company_id}`);
      }
    };
    const operating = operate();
    const stopping = service.stop();
    let moved: Ran;
    do moved = await move();
    while (/in use by another process/.test(moved.stderr));
    expect(moved).to.deep.include({ exitCode: 0, stderr: '' });
    await Promise.all([stopping, operating, ...writing]);
    const { idempotency_keys: keys = [], companies = [] } = await ofServer(target.url);
    const kept = [
      ...keys.map((row) => JSON.parse(row).key),
      ...companies.map((row) => `company ${JSON.parse(row).id}`),
    ];
    expect(kept).to.include.members(acknowledged);
  });

  it('a killed move leaves no row, and the next one moves', async function () {
    if (onCitus) return this.skip();
    const settings = { DATA_DIR: dataDir, DATABASE_URL: target.url };
    await makeFolder();
    await runInProcess(['company', 'create', '--name', 'Tinta'], { settings: { DATA_DIR: dataDir } });
    await migrateServer(target.url);
    // A sequence is not set back, and the next move sets it again.
    const rowsOf = async () => ({ ...(await ofServer(target.url)), sequences: [] });
    const before = await rowsOf();
    await onServer(target.url, async (client) => {
      // The move sets sequences when it has copied every row.
      await client.query('BEGIN; ALTER SEQUENCE companies_id_seq CACHE 1');
      const moving = new AbortController();
      const ran = runProcess(['move'], { settings, signal: moving.signal });
      const isWaiting = `SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT setval%' AND wait_event_type = 'Lock'`;
      await until(() => onServer(target.url, async (other) => (await other.query(isWaiting)).rows.length > 0));
      moving.abort();
      expect((await ran).exitCode).to.equal(null);
      await client.query('ROLLBACK');
    });
    expect(await rowsOf()).to.deep.equal(before);
    expect(await move()).to.deep.include({ exitCode: 0, stderr: '' });
  });

  it('a move that ends at its commit or after it keeps the folder closed, and the next one finishes it', async function () {
    if (onCitus) return this.skip();
    await makeFolder();
    const rows = await ofFolder(dataDir);
    const operate = () => runInProcess(['plan', 'list'], { settings: { DATA_DIR: dataDir } });
    await migrateServer(target.url);
    await onServer(target.url, async (client) => {
      await client.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'at the commit'; END $$;
        CREATE CONSTRAINT TRIGGER fails AFTER INSERT ON plans DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail()`);
      await refused(move(), /^error: the move to database \S+ at .* is not finished, run it again: at the commit/);
      await client.query('DROP FUNCTION fail CASCADE');
    });
    await refused(operate(), /the move of the database in .* is not finished: run move again/);
    const other = await createServerDatabase();
    await refused(move(other.url), /to database \S+ at .* is not finished: run move again/).finally(other.drop);
    const mark = join(dataDir, 'moved');
    await symlink(join(dataDir, 'nowhere', 'file'), mark);
    await refused(move(), /^error: the move to database .* is not finished, run it again: ENOENT/);
    await unlink(mark);
    await refused(operate(), /is not finished: run move again/);
    expect((await move()).stdout).to.match(/^Moved [1-9]\d* rows of [1-9]/);
    expect(await ofServer(target.url)).to.deep.equal(rows);
    await refused(operate(), /was moved to database/);
  });

  it('an unusable target, and a folder without a database, are refused with one line and stay unchanged', async () => {
    if (onCitus) {
      await makeFolder();
      return refused(move(), /has Citus: move to one without the extension/);
    }
    await refused(move(), /there is no database in/);
    expect(existsSync(dataDir)).to.equal(false);
    await makeFolder();
    const secret = 'its-secret-password';
    await refused(move(`postgresql://vaga:${secret}@127.0.0.1:1/vaga`), /^(?!.*its-secret).*ECONNREFUSED/);
    await refused(move('https://example.com'), /DATABASE_URL must be a postgresql/);
    await refused(runInProcess(['move'], { settings: { DATA_DIR: dataDir } }), /DATABASE_URL must be set/);
    await onServer(target.url, async (client) => {
      await client.query('CREATE TABLE others (id int)');
      await refused(move(), /has other tables/);
      await client.query('DROP TABLE others');
      await migrateServer(target.url);
      await client.query(`INSERT INTO companies (name) VALUES ('Outra')`);
      const before = await ofServer(target.url);
      await refused(move(), /not empty, its table companies has rows/);
      expect(await ofServer(target.url)).to.deep.equal(before);
      await client.query('DELETE FROM companies');
      await client.query(
        `UPDATE _prisma_migrations SET migration_name = '99990101000000_later' WHERE migration_name LIKE '%request_message'`,
      );
      const later = await ofServer(target.url);
      await refused(move(), /has migration 99990101000000_later, which this version does not know/);
      await client.query(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) SELECT 'own', '', '20261124130000_request_message', now()`,
      );
      await refused(move(), /only one of the databases has the migration 99990101000000_later/);
      expect(await ofServer(target.url)).to.deep.equal(later);
    });
  });
});
