import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import pg from 'pg';
import { type Embedded, openEmpty } from '../../src/store/embedded.ts';
import { migrateEmbedded, readSchemaState, requireCurrent } from '../../src/store/migrations.ts';
import { listMigrations, packageRoot, readMigration } from '../../src/store/migrations-folder.ts';
import { openStore } from '../../src/store/open.ts';
import { diffToSchema } from '../../src/store/schema-engine.ts';

const run = promisify(execFile);

const messageOf = (work: Promise<unknown>): Promise<string> => work.then(String, (error: Error) => error.message);

/** What a database says that has been served by a later version, or has missed a migration. */
async function expectRefusals(db: pg.Pool): Promise<void> {
  const last = (await listMigrations()).at(-1) ?? '';
  await db.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', '', '99_later', now())`,
  );
  expect(await messageOf(requireCurrent(db))).to.equal(
    'the database has migration 99_later that this version does not know',
  );
  await db.query(`DELETE FROM _prisma_migrations WHERE id = 'x'`);
  await db.query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = $1`, [last]);
  expect(await messageOf(requireCurrent(db))).to.match(/did not finish/);
  await db.query(`DELETE FROM _prisma_migrations WHERE migration_name = $1`, [last]);
  expect(await messageOf(requireCurrent(db))).to.equal(`the database lacks migration ${last}: run npm run migrate`);
}

describe('migrations on the embedded database', function () {
  this.timeout(120_000);
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

  it('lead to the schema', async () => {
    expect(await diffToSchema(connection)).to.equal('');
  });

  it('are applied once', async () => {
    const known = await listMigrations();
    expect(await readSchemaState(pool)).to.deep.equal({ kind: 'behind', missing: known });
    expect(await migrateEmbedded(connection, pool)).to.deep.equal(known);
    expect(await readSchemaState(pool)).to.deep.equal({ kind: 'current' });
    expect(await migrateEmbedded(connection, pool)).to.deep.equal([]);
    await expectRefusals(pool);
  });

  it('20260902000000_job_event_edits: of noted changes those that kept the status are edits', async () => {
    await migrateEmbedded(connection, pool);
    await pool.query(
      `ALTER TABLE job_events DROP COLUMN is_edit, DROP CONSTRAINT job_events_company_id_environment_job_id_fkey`,
    );
    const noted = [
      ['1', 'created', 'pending'],
      ['1', 'updated', 'pending'],
      ['2', 'created', 'active'],
      ['1', 'approved', 'active'],
      ['2', 'updated', 'active'],
      ['1', 'updated', 'pending'],
      ['1', 'withdrawn', 'inactive'],
      ['1', 'updated', 'inactive'],
      ['3', 'updated', 'pending'],
    ];
    for (const values of noted)
      await pool.query(
        `INSERT INTO job_events (company_id, environment, job_id, kind, status, actor, created_at)
         VALUES (7, 'sandbox', $1, $2, $3, 'operator', now())`,
        values,
      );
    await pool.query(await readMigration('20260902000000_job_event_edits'));
    const { rows } = await pool.query<{ is_edit: boolean }>('SELECT is_edit FROM job_events ORDER BY id');
    const edits = [false, true, false, false, true, false, false, true, false];
    expect(rows.map(({ is_edit }) => is_edit)).to.deep.equal(edits);
  });

  it('one that was cut off is made again', async () => {
    await migrateEmbedded(connection, pool);
    await pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const { connectForEngine } = await import('../../src/store/schema-engine-adapter.ts');
    const adapter = await connectForEngine(connection);
    await adapter.executeScript(
      `CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz,
         migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
         started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count int NOT NULL DEFAULT 0);
       INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', 'a;b', '${(await listMigrations())[0]}')`,
    );
    await adapter.dispose();
    expect(await migrateEmbedded(connection, pool)).to.deep.equal(await listMigrations());
    expect(await readSchemaState(pool)).to.deep.equal({ kind: 'current' });
  });
});

describe('migrations on a server', function () {
  this.timeout(120_000);
  const given = process.env.DATABASE_URL;
  const name = `vaga_test_${randomBytes(6).toString('hex')}`;
  const url = new URL(given ?? 'postgresql://localhost');
  url.pathname = `/${name}`;

  before(async function () {
    if (!given) return this.skip();
    await administer(`CREATE DATABASE ${name}`);
  });
  after(async () => {
    if (given) await administer(`DROP DATABASE ${name} WITH (FORCE)`);
  });

  async function administer(sql: string): Promise<void> {
    const client = new pg.Client(given);
    await client.connect();
    await client.query(sql);
    await client.end();
  }

  it('a database that was never migrated is refused at the start', async () => {
    const message = await messageOf(openStore({ databaseUrl: url.href, dataDir: 'unused' }));
    expect(message).to.match(/^the database lacks migration .*: run npm run migrate$/);
  });

  it('ten processes migrate at once and one does the work', async () => {
    const script = join(packageRoot, 'dist/scripts/migrate.js');
    const env = { PATH: process.env.PATH, DATABASE_URL: url.href };
    const said = await Promise.all(
      Array.from({ length: 10 }, async () => (await run(process.execPath, [script], { env })).stdout.trim()),
    );
    const applied = `applied ${(await listMigrations()).join(', ')}`;
    expect(said.sort()).to.deep.equal([applied, ...Array(9).fill('the database is up to date')]);
    const store = await openStore({ databaseUrl: url.href, dataDir: 'unused' });
    expect(store.kind).to.equal('server');
    expect(await store.db.district.count()).to.equal(20);
    await store.close();
  });

  it('a database of another version is refused with one line', async () => {
    const pool = new pg.Pool({ connectionString: url.href });
    await expectRefusals(pool);
    await pool.end();
  });

  it('a server that does not answer is refused with one line', async () => {
    const message = await messageOf(openStore({ databaseUrl: 'postgresql://127.0.0.1:1/none', dataDir: 'unused' }));
    expect(message).to.match(/^the database cannot be used: .*ECONNREFUSED/);
  });
});
