import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import pg from 'pg';
import {
  connectForEngine,
  currentSchema,
  diffToSchema,
  migrationList,
  noFilters,
  withEngine,
} from '../../scripts/generate/migration.ts';
import { type Embedded, openEmpty } from '../../src/database/embedded.ts';
import { migrateEmbedded, migrateServer, readSchemaState, requireCurrent } from '../../src/database/migrations.ts';
import { openDatabase } from '../../src/database/open.ts';
import { listMigrations, packageRoot } from '../../src/database/prisma-folder.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import {
  createServerDatabase,
  migrationsTable,
  onServer,
  type ServerDatabase,
  serverUrl,
} from '../helper/test-database.ts';

const run = promisify(execFile);
const messageOf = (work: Promise<unknown>): Promise<string> => work.then(String, (error: Error) => error.message);

/** What a database says that has been served by a later version, or has missed a migration. */
async function expectRefusals(db: pg.Pool): Promise<void> {
  const last = (await listMigrations()).at(-1) ?? '';
  const columns = 'id, checksum, migration_name, finished_at';
  await db.query(`INSERT INTO _prisma_migrations (${columns}) VALUES ('x', '', '99_later', now())`);
  expect(await messageOf(requireCurrent(db))).to.match(/migration 99_later .* does not know$/);
  await db.query(`DELETE FROM _prisma_migrations WHERE id = 'x'`);
  await db.query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = $1`, [last]);
  expect(await messageOf(requireCurrent(db))).to.match(/did not finish/);
  await db.query(`DELETE FROM _prisma_migrations WHERE migration_name = $1`, [last]);
  expect(await messageOf(requireCurrent(db))).to.equal(`the database lacks migration ${last}: run npm run migrate`);
}

/** What Prisma's own engine finds in a database that was migrated here. */
async function expectPrismaToAgree(connection: pg.PoolConfig): Promise<void> {
  const migrationsList = await migrationList();
  await withEngine(connection, async (engine) => {
    const asked = { migrationsList, filters: noFilters };
    const found = await engine.diagnoseMigrationHistory({ ...asked, optInToShadowDatabase: false });
    const agreed = { hasMigrationsTable: true, history: null, editedMigrationNames: [], failedMigrationNames: [] };
    expect(found).to.deep.include(agreed);
    const { appliedMigrationNames } = await engine.applyMigrations(asked);
    expect(appliedMigrationNames).to.deep.equal([]);
  });
}

describe('migrations on the embedded database', () => {
  let embedded: Embedded;
  let connection: pg.PoolConfig;
  let pool: pg.Pool;

  beforeEach(async () => {
    const opened = await openEmpty();
    connection = opened.connection;
    embedded = await opened.start();
    pool = new pg.Pool(connection);
  });
  afterEach(async () => {
    await pool.end();
    await embedded.close();
  });

  it('produce the schema of schema.prisma', async () => {
    expect(await diffToSchema(connection, await currentSchema())).to.equal('');
  });

  it('end with the functions of functions.sql, which are applied again if another text was', async () => {
    await migrateEmbedded(connection);
    const definitions = `SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY proname`;
    const { rows: functions } = await pool.query(definitions);
    await pool.query(`UPDATE service_state SET value = '"of another version"' WHERE name = 'functions'`);
    await pool.query('DROP FUNCTION try_create_job');
    expect(await messageOf(requireCurrent(pool))).to.match(/ lacks migration functions\.sql: run npm run migrate$/);
    expect(await migrateEmbedded(connection)).to.deep.equal(['functions.sql']);
    expect((await pool.query(definitions)).rows).to.deep.equal(functions);
    await requireCurrent(pool);
  });

  it('a change by the version before is seen by this one, and the other way round, also in one millisecond', async () => {
    await migrateEmbedded(connection);
    await pool.query(`INSERT INTO companies (id, name) VALUES (7, 'Oficina')`);
    const [at, by] = ["'2026-01-01T00:00:00Z'", "'operator'"];
    const call = async (sql: string) => (await pool.query(`SELECT refusals, (job).* FROM ${sql}`)).rows[0];
    const job = JSON.stringify(minimalJob);
    const create = `try_create_job(7, 'production', 'k', '{}', 'subscription', '2026-01-01', 2, true, 'pending', ${by}, ${at}, '${job}')`;
    let { id, revision, updated_at } = await call(create);
    const change = (name: string, read: string) =>
      call(`${name}(7, 'production', ${id}, ${read}, true, 'pending', ${by}, ${at}, '{"title": "${name}"}')`);
    for (const name of ['try_update_job', 'try_patch_job', 'try_patch_job', 'try_update_job', 'try_update_job']) {
      const read = { try_update_job: `${revision}`, try_patch_job: `'${updated_at.toISOString()}'` };
      const changed = await change(name, read[name as keyof typeof read]);
      expect([changed.refusals, changed.title]).to.deep.equal([[], name]);
      for (const [late, before] of Object.entries(read))
        expect((await change(late, before)).refusals, `${late} after ${name}`).to.deep.equal(['changed']);
      ({ revision, updated_at } = changed);
    }
    const decided = `'inactive', NULL, 'withdrawn', ${by}, ${at}`;
    const decide = async (name: string, version: string, last = '') =>
      (await call(`${name}(7, 'production', ${id}, ${version}, NULL, ${decided}${last})`)).refusals;
    expect(await decide('try_decide_job', `${revision - 1}`)).to.deep.equal(['changed']);
    const version = `'{${updated_at.toISOString()}/pending}'`;
    expect(await decide('try_set_status', version, `, '2026-01-01'`)).to.deep.equal([]);
  });

  it('are applied once', async () => {
    const known = await listMigrations();
    expect(await readSchemaState(pool)).to.deep.equal({ kind: 'behind', missing: known });
    expect(await migrateEmbedded(connection)).to.deep.equal([...known, 'functions.sql']);
    expect(await readSchemaState(pool)).to.deep.equal({ kind: 'current' });
    expect(await migrateEmbedded(connection)).to.deep.equal([]);
    await expectPrismaToAgree(connection);
    await expectRefusals(pool);
  });

  it('an interrupted one is applied again', async () => {
    await migrateEmbedded(connection);
    await pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const adapter = await connectForEngine(connection);
    const [first] = await listMigrations();
    const interrupted = `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', 'a;b', '${first}')`;
    await adapter.executeScript(`${migrationsTable}; ${interrupted}`);
    await adapter.dispose();
    expect(await migrateEmbedded(connection)).to.deep.equal([...(await listMigrations()), 'functions.sql']);
    expect(await readSchemaState(pool)).to.deep.equal({ kind: 'current' });
  });
});

describe('migrations on a server', () => {
  let own: ServerDatabase;
  let url: string;
  let pool: pg.Pool;

  before(async function () {
    if (!serverUrl) return this.skip();
    own = await createServerDatabase();
    ({ url } = own);
    pool = new pg.Pool({ connectionString: url });
  });
  after(async () => {
    await pool?.end();
    await own?.drop();
  });

  it('a database without migrations is refused at the start', async () => {
    const message = await messageOf(openDatabase({ databaseUrl: url, dataDir: 'unused' }));
    expect(message).to.match(/^the database lacks migration .*: run npm run migrate$/);
  });

  it('of ten simultaneous processes one applies them', async () => {
    const script = join(packageRoot, 'dist/scripts/migrate.js');
    const env = { PATH: process.env.PATH, DATABASE_URL: url };
    const migrate = async () => (await run(process.execPath, [script], { env })).stdout.trim();
    const [first = '', ...others] = (await Promise.all(Array.from({ length: 10 }, migrate))).sort();
    expect(first.split('\n')[0]).to.equal(`applied ${(await listMigrations()).join(', ')}, functions.sql`);
    expect(others).to.deep.equal(Array(9).fill('the database is up to date'));
    const database = await openDatabase({ databaseUrl: url, dataDir: 'unused' });
    expect(database.kind).to.equal('server');
    expect(await database.db.district.count()).to.equal(20);
    await database.close();
  });

  it('they wait while Prisma migrates, also for longer than the statement timeout of the database', async () => {
    const name = new URL(url).pathname.slice(1);
    const prisma = await pool.connect();
    await prisma.query(`ALTER DATABASE ${name} SET statement_timeout = '100ms'`);
    await prisma.query('SELECT pg_advisory_lock(72707369)');
    const migrated = migrateServer(url);
    const waiting = `SELECT FROM pg_locks JOIN pg_database d ON d.oid = database AND datname = current_database()
                      WHERE locktype = 'advisory' AND objid = 72707369 AND NOT granted`;
    while ((await prisma.query(waiting)).rows.length === 0);
    await prisma.query('SELECT pg_sleep(0.2)');
    await prisma.query(`ALTER DATABASE ${name} RESET statement_timeout`);
    prisma.release(true);
    expect(await migrated).to.deep.equal({ applied: [], distributed: [] });
  });

  it('a failed one is recorded, and every later run stops with one line', async () => {
    const [first = ''] = await listMigrations();
    const record = (sql: string) => pool.query(`${sql} WHERE migration_name = $1`, [first]);
    // Applied and not recorded, so that it fails; recorded then as Prisma does.
    await record('DELETE FROM _prisma_migrations');
    expect(await messageOf(migrateServer(url))).to.match(new RegExp(`^migration ${first} failed, .* already exists`));
    const logged = `logs LIKE '%already exists%' AS logged`;
    const columns = `finished_at, rolled_back_at, applied_steps_count, ${logged}`;
    const { rows } = await record(`SELECT ${columns} FROM _prisma_migrations`);
    expect(rows).to.deep.equal([{ finished_at: null, rolled_back_at: null, applied_steps_count: 0, logged: true }]);
    expect(await readSchemaState(pool)).to.deep.equal({ kind: 'broken', failed: first });
    const again = await messageOf(migrateServer(url));
    expect(again).to.match(new RegExp(`^migration ${first} did not finish: see "prisma migrate resolve".*$`));
    await record('UPDATE _prisma_migrations SET finished_at = now()');
  });

  it('a database with other tables is refused and left unchanged', async () => {
    const other = await createServerDatabase();
    const query = (sql: string) => onServer(other.url, (client) => client.query(sql));
    await query('CREATE TABLE theirs (id int)');
    expect(await messageOf(migrateServer(other.url))).to.match(/^the database has other tables/);
    const { rows } = await query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    expect(rows.map(({ tablename }) => tablename)).to.deep.equal(['theirs']);
    await other.drop();
  });

  it('a database of another version is refused with one line', () => expectRefusals(pool));
});
