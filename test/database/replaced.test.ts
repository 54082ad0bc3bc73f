import { expect } from 'chai';
import pg from 'pg';
import { followReplaced } from '../../scripts/generate/follow.ts';
import type { Replaced } from '../../scripts/generate/replaced.ts';
import { openEmpty } from '../../src/database/embedded.ts';
import { digestOf, migrateEmbedded, migrateServer } from '../../src/database/migrations.ts';
import { listMigrations } from '../../src/database/prisma-folder.ts';
import { createServerDatabase, namesIn, serverUrl } from '../helper/test-database.ts';

const adding = (folder: string, columns: string) => ({
  folder,
  sql: `ALTER TABLE "plans" ${columns}`,
});
const one = adding('98_one', 'ADD COLUMN     "kept" INTEGER,\nADD COLUMN     "flag" BOOLEAN;');
const two = adding('98_two', 'ADD COLUMN     "kept" INTEGER,\nADD COLUMN     "colour" TEXT;');
const three = adding(
  '98_three',
  'ADD COLUMN     "kept" INTEGER,\nADD COLUMN     "colour" BOOLEAN NOT NULL DEFAULT true;',
);
const alter = (changes: string) => `ALTER TABLE "plans" ${changes}`;
const renamed: Replaced = { from: [one], to: [two], onward: alter('DROP COLUMN "flag", ADD COLUMN "colour" TEXT') };
const removed: Replaced = { from: [two], to: [], onward: alter('DROP COLUMN "kept", DROP COLUMN "colour"') };
/** No text is a boolean. */
const changed: Replaced = { from: [two], to: [three], onward: alter('ALTER COLUMN "colour" SET DATA TYPE BOOLEAN') };

describe('a database that has applied a migration that was made anew', () => {
  let connection: pg.PoolConfig;
  let pool: pg.Pool;
  let close: () => Promise<void>;
  let known: string[];

  beforeEach(async () => {
    known = await listMigrations();
    if (serverUrl) {
      const { url, drop } = await createServerDatabase();
      await migrateServer(url);
      connection = { connectionString: url };
      close = drop;
    } else {
      const { connection: embedded, start } = await openEmpty();
      close = (await start()).close;
      await migrateEmbedded(embedded);
      connection = embedded;
    }
    pool = new pg.Pool({ ...connection, max: 1 });
    await pool.query(one.sql);
    await pool.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', $1, $2, now())`,
      [digestOf(one.sql), one.folder],
    );
    await pool.query('UPDATE plans SET kept = 7');
  });
  afterEach(async () => {
    await pool.end();
    await close();
  });

  const first = async () => {
    const { rows } = await pool.query('SELECT * FROM plans ORDER BY id LIMIT 1');
    return rows[0];
  };
  const added = async () => (await namesIn(pool)).filter((name) => !known.includes(name));

  it('has what took its place, and keeps the values of columns that stay', async () => {
    await followReplaced(connection, [renamed]);
    expect(await first())
      .to.include({ kept: 7, colour: null })
      .and.not.have.property('flag');
    expect(await added()).to.deep.equal([two.folder]);
    await followReplaced(connection, [renamed]);
    expect(await added()).to.deep.equal([two.folder]);
  });

  it('has nothing of it if nothing took its place', async () => {
    await followReplaced(connection, [renamed, removed]);
    expect(await first()).to.not.have.any.keys('kept', 'colour', 'flag');
    const { rows } = await pool.query(`SELECT FROM _prisma_migrations WHERE rolled_back_at IS NULL AND id = '1'`);
    expect(rows).to.deep.equal([]);
  });

  it('loses only values of its columns if they do not fit', async () => {
    await followReplaced(connection, [renamed]);
    await pool.query(`UPDATE plans SET colour = 'red'`);
    const before = await first();
    await followReplaced(connection, [renamed, changed]);
    expect(await first()).to.deep.equal({ ...before, kept: 7, colour: true });
    expect(await added()).to.deep.equal([three.folder]);
  });

  it('has several in place of one, and one in place of several', async () => {
    const table = {
      folder: '98_two',
      sql: `${one.sql}\nCREATE TABLE "notes" (\n    "id" INTEGER NOT NULL,\n    "text" TEXT,\n\n    CONSTRAINT "notes_pkey" PRIMARY KEY ("id")\n);`,
    };
    const keys = {
      folder: '98_two_keys',
      sql: 'ALTER TABLE "notes" ADD CONSTRAINT "plan" FOREIGN KEY ("id") REFERENCES "plans"("id");',
    };
    const created = table.sql.slice(table.sql.indexOf('CREATE'));
    const further: Replaced = { from: [one], to: [table, keys], onward: `${created}\n${keys.sql}` };
    await followReplaced(connection, [further]);
    expect(await added()).to.have.members([table.folder, keys.folder]);
    await pool.query(`INSERT INTO notes SELECT id, 'red' FROM plans`);
    const numbered = { folder: '98_three', sql: table.sql.replace('"text" TEXT', '"text" INTEGER') };
    const onward =
      'ALTER TABLE "notes" DROP CONSTRAINT "plan";\nALTER TABLE "notes" ALTER COLUMN "text" SET DATA TYPE INTEGER;';
    const fewer: Replaced = { from: [table, keys], to: [numbered], onward };
    // With only one of them, nothing follows.
    await pool.query('UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = $1', [keys.folder]);
    await followReplaced(connection, [further, fewer]);
    expect(await added()).to.have.members([table.folder, keys.folder]);
    await pool.query('UPDATE _prisma_migrations SET rolled_back_at = NULL WHERE migration_name = $1', [keys.folder]);
    await followReplaced(connection, [further, fewer]);
    expect(await added()).to.deep.equal([numbered.folder]);
    const { rows } = await pool.query('SELECT DISTINCT text FROM notes');
    expect(rows).to.deep.equal([{ text: null }]);
    expect(await first()).to.include({ kept: 7 });
  });

  it('stays as it is, and says why, if values of a committed column do not fit', async () => {
    const loose = adding('98_one', 'ADD COLUMN "kept" INTEGER,\nALTER COLUMN "name" DROP NOT NULL;');
    await pool.query('ALTER TABLE plans ALTER COLUMN name DROP NOT NULL');
    await pool.query('UPDATE plans SET name = NULL');
    await pool.query('UPDATE _prisma_migrations SET checksum = $1 WHERE migration_name = $2', [
      digestOf(loose.sql),
      loose.folder,
    ]);
    const before = await first();
    const strict = {
      from: [loose],
      to: [adding('98_two', 'ADD COLUMN "kept" INTEGER;')],
      onward: alter('ALTER COLUMN "name" SET NOT NULL'),
    };
    const refused: unknown = await followReplaced(connection, [strict]).catch(({ message }) => message);
    expect(refused).to.match(
      /cannot follow: column "name" of relation "plans\w*" contains null values; change these rows, or/,
    );
    expect([await first(), await added()]).to.deep.equal([before, [loose.folder]]);
    await pool.query('UPDATE plans SET name = id::text');
    await followReplaced(connection, [strict]);
    expect(await first()).to.deep.equal({ ...before, name: String(before.id) });
  });

  it('stays as it is if the migration of that name has another text, or if nothing leads on', async () => {
    const before = await first();
    await followReplaced(connection, [{ ...renamed, from: [{ ...one, sql: `${one.sql}\n` }] }]);
    expect([await first(), await added()]).to.deep.equal([before, [one.folder]]);
    const impossible = { from: [one], to: [two], onward: 'SELECT 1/0' };
    const refused: unknown = await followReplaced(connection, [impossible]).catch(({ message }) => message);
    expect(refused).to.match(/^98_one was made anew, and its database cannot follow: /);
    expect([await first(), await added()]).to.deep.equal([before, [one.folder]]);
  });
});
