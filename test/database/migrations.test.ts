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
import { placeOf } from '../../src/database/place.ts';
import { listMigrations, packageRoot } from '../../src/database/prisma-folder.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import {
  createServerDatabase,
  migrationsTable,
  namesIn,
  onServer,
  type ServerDatabase,
  serverUrl,
  waitingForLock,
} from '../helper/test-database.ts';
import { times } from '../helper/times.ts';

const run = promisify(execFile);
const messageOf = (work: Promise<unknown>): Promise<string> => work.then(String, (error: Error) => error.message);

const applied = `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES`;

/** The message for a database that lacks a migration, and `migrate`'s message if it also has one of a later version. */
async function expectRefusals(db: pg.Pool, migrate: () => Promise<unknown>): Promise<void> {
  const last = (await listMigrations()).at(-1) ?? '';
  await db.query(`DELETE FROM _prisma_migrations WHERE migration_name = $1`, [last]);
  const lacks = `the database lacks migration ${last}: run npm run migrate`;
  expect(await messageOf(requireCurrent(db))).to.equal(lacks);
  await db.query(`${applied} ('x', '', '99_later', now())`);
  expect(await messageOf(requireCurrent(db))).to.equal(lacks);
  expect(await messageOf(migrate())).to.match(
    new RegExp(`lacks ${last} and has migration 99_later, which .* not know$`),
  );
}

/** What Prisma's own engine reports about a database that was migrated here. */
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

  before(async () => {
    const opened = await openEmpty();
    connection = opened.connection;
    embedded = await opened.start();
    pool = new pg.Pool(connection);
  });
  beforeEach(() => pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public'));
  after(async () => {
    await pool.end();
    await embedded.close();
  });

  it('produce the schema of schema.prisma', async () => {
    await migrateEmbedded(connection);
    expect(await diffToSchema(connection, await currentSchema())).to.equal('');
  });

  it('give rows without a value the default of a column that will refuse null', async () => {
    await migrateEmbedded(connection);
    await pool.query('ALTER TABLE jobs ALTER is_anonymous DROP NOT NULL, ALTER is_anonymous DROP DEFAULT');
    const sql = await diffToSchema(connection, await currentSchema());
    const update = 'UPDATE "jobs" SET "is_anonymous" = false WHERE "is_anonymous" IS NULL;';
    expect(sql.indexOf(update), sql).to.be.within(0, sql.indexOf('SET NOT NULL'));
    await pool.query(sql);
    expect(await diffToSchema(connection, await currentSchema())).to.equal('');
  });

  it('end with the functions of functions.sql, which are applied again after another version’s functions', async () => {
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

  it('a change by the version before is visible to this one, and vice versa, even within one millisecond', async () => {
    await migrateEmbedded(connection);
    await pool.query(`INSERT INTO companies (id, name) VALUES (7, 'Oficina')`);
    const [at, by] = ["'2026-01-01T00:00:00Z'", "'operator'"];
    const call = async (sql: string) => (await pool.query(`SELECT refusals, (job).* FROM ${sql}`)).rows[0];
    const job = JSON.stringify(minimalJob);
    const create = `try_create_job(7, 'production', 'k', '{}', 'subscription', '2026-01-01', 2, true, 'pending', ${by}, ${at}, '${job}')`;
    let { id, updated_at } = await call(create);
    const sent = (name: string) => `'{"title": "${name}"}'`;
    const changes = {
      try_patch_job: (read: string) =>
        `try_patch_job(7, 'production', ${id}, ${read}, true, 'pending', ${by}, ${at}, ${sent('try_patch_job')})`,
      try_change_job: (read: string) =>
        `try_change_job(7, 'production', ${id}, ${read}, 'pending', true, 'pending', NULL, 'updated', ${by}, ${at}, ${sent('try_change_job')})`,
    };
    const names = ['try_change_job', 'try_patch_job'] as const;
    for (const name of [...names, ...names.toReversed(), ...names] as const) {
      const read = `'${updated_at.toISOString()}'`;
      const changed = await call(changes[name](read));
      expect([changed.refusals, changed.title]).to.deep.equal([[], name]);
      for (const late of names)
        expect((await call(changes[late](read))).refusals, `${late} after ${name}`).to.deep.equal(['changed']);
      ({ updated_at } = changed);
    }
    const version = `'{${updated_at.toISOString()}/pending}'`;
    const decide = `try_set_status(7, 'production', ${id}, ${version}, NULL, 'inactive', NULL, 'withdrawn', ${by}, ${at}, '2026-01-01')`;
    expect((await call(decide)).refusals).to.deep.equal([]);
    const again = `try_change_job(7, 'production', ${id}, NULL, NULL, false, 'inactive', NULL, 'withdrawn', ${by}, ${at}, '{}')`;
    expect((await call(again)).refusals).to.deep.equal(['status']);
  });

  it('are applied once', async () => {
    const known = await listMigrations();
    expect(await readSchemaState(pool)).to.deep.equal({ kind: 'behind', missing: known, newer: [] });
    expect(await migrateEmbedded(connection)).to.deep.equal([...known, 'functions.sql']);
    expect(await readSchemaState(pool)).to.deep.equal({ kind: 'current', newer: [] });
    expect(await migrateEmbedded(connection)).to.deep.equal([]);
    await expectPrismaToAgree(connection);
    await expectRefusals(pool, () => migrateEmbedded(connection));
  });

  it('of a later version do not stop this one: it starts, and its migrate changes nothing, not even the functions', async () => {
    await migrateEmbedded(connection);
    const source = `SELECT prosrc FROM pg_proc WHERE proname = 'place_refusals'`;
    await pool.query(`${applied} ('x', '', '99_later', now())`);
    await pool.query(`UPDATE service_state SET value = value || '["of a later version"]' WHERE name = 'functions'`);
    await pool.query(`CREATE OR REPLACE FUNCTION place_refusals(of_company bigint, in_category int, in_district int, checks_districts boolean)
      RETURNS text[] LANGUAGE sql STABLE AS 'SELECT ARRAY[]::text[]'`);
    const later = await pool.query(source);
    expect(await readSchemaState(pool)).to.deep.equal({ kind: 'current', newer: ['99_later'] });
    expect(await migrateEmbedded(connection)).to.deep.equal([]);
    expect((await pool.query(source)).rows).to.deep.equal(later.rows);
    await requireCurrent(pool);
  });

  it('functions of a later version without a migration stay until this version’s migrate restores its own', async () => {
    await migrateEmbedded(connection);
    await pool.query(`UPDATE service_state SET value = value || '["of a later version"]' WHERE name = 'functions'`);
    await requireCurrent(pool);
    expect(await migrateEmbedded(connection)).to.deep.equal(['functions.sql']);
    expect(await migrateEmbedded(connection)).to.deep.equal([]);
  });

  it('the functions of the version before, recorded as one text, are recognized', async () => {
    await migrateEmbedded(connection);
    await pool.query(`UPDATE service_state SET value = value -> -1 WHERE name = 'functions'`);
    await requireCurrent(pool);
    expect(await migrateEmbedded(connection)).to.deep.equal([]);
  });

  it('a migration that was interrupted in the version before is applied again', async () => {
    const adapter = await connectForEngine(connection);
    const [first] = await listMigrations();
    const interrupted = `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', 'a;b', '${first}')`;
    await adapter.executeScript(`${migrationsTable}; ${interrupted}`);
    await adapter.dispose();
    expect(await migrateEmbedded(connection)).to.deep.equal([...(await listMigrations()), 'functions.sql']);
    await expectPrismaToAgree(connection);
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

  it('one of several simultaneous processes applies them', async () => {
    const script = join(packageRoot, 'dist/scripts/migrate.js');
    const env = { PATH: process.env.PATH, DATABASE_URL: url };
    const migrate = async () => (await run(process.execPath, [script], { env })).stdout.trim();
    const [first = '', ...others] = (await Promise.all(times(4, migrate))).sort();
    expect(first.split('\n')[0]).to.equal(`applied ${(await listMigrations()).join(', ')}, functions.sql`);
    expect(others).to.deep.equal(Array(3).fill(`${placeOf({ databaseUrl: url, dataDir: '' })} is up to date`));
    const database = await openDatabase({ databaseUrl: url, dataDir: 'unused' });
    expect(database.kind).to.equal('server');
    expect(await database.db.district.count()).to.equal(20);
    await database.close();
  });

  it('they wait while Prisma migrates, even longer than the database’s statement timeout', async () => {
    const name = new URL(url).pathname.slice(1);
    const prisma = await pool.connect();
    await prisma.query(`ALTER DATABASE ${name} SET statement_timeout = '100ms'`);
    await prisma.query('SELECT pg_advisory_lock(72707369)');
    const migrated = migrateServer(url);
    while ((await prisma.query(waitingForLock)).rows.length === 0);
    await prisma.query('SELECT pg_sleep(0.2)');
    await prisma.query(`ALTER DATABASE ${name} RESET statement_timeout`);
    prisma.release(true);
    expect(await migrated).to.deep.equal({ applied: [], distributed: [] });
  });

  it('a failed migration leaves nothing behind, stops every run with one line, and is applied once its cause is gone', async () => {
    const [first = ''] = await listMigrations();
    const { rows } = await pool.query('DELETE FROM _prisma_migrations WHERE migration_name = $1 RETURNING *', [first]);
    // Apply it without recording it, so that migrating fails.
    for (let n = 0; n < 2; n++)
      expect(await messageOf(migrateServer(url))).to.match(
        new RegExp(`^migration ${first} failed and .* already exists$`),
      );
    expect(await namesIn(pool)).to.not.include(first);
    expect(await messageOf(requireCurrent(pool))).to.equal(
      `the database lacks migration ${first}: run npm run migrate`,
    );
    await pool.query(`${applied} ('1', '', $1, $2)`, [first, rows[0]?.finished_at]);
    expect((await migrateServer(url)).applied).to.deep.equal([]);
  });

  it('a role without the right to create gets one line', async () => {
    const other = await createServerDatabase();
    const role = `reader_${process.pid}`;
    const reader = Object.assign(new URL(other.url), { username: role, password: 'x' });
    await onServer(other.url, (db) => db.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`));
    const { code, stderr } = await run(process.execPath, [join(packageRoot, 'dist/scripts/migrate.js')], {
      env: { PATH: process.env.PATH, DATABASE_URL: reader.href },
    }).catch((error) => error);
    expect(code).to.equal(1);
    expect(stderr).to.match(/^permission denied for schema public: migrate with the role that owns .*\n$/);
    await onServer(other.url, (db) => db.query(`DROP ROLE ${role}`));
    await other.drop();
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

  it('a database of another version is refused with one line', () => expectRefusals(pool, () => migrateServer(url)));
});
