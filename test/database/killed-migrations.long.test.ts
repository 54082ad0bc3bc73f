import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { openEmbedded } from '../../src/database/embedded.ts';
import { migrateEmbedded, migrateServer } from '../../src/database/migrations.ts';
import { openDatabase } from '../../src/database/open.ts';
import { listMigrations, packageRoot } from '../../src/database/prisma-folder.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { createServerDatabase, namesIn, onServer, serverUrl, waitingForLock } from '../helper/test-database.ts';

/** Makes the next migration with a function stop halfway. `wait` is a statement of PL/pgSQL. */
const stopInside = (wait: string): string => `
  CREATE SCHEMA test;
  CREATE FUNCTION test.wait() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN ${wait} END $$;
  CREATE EVENT TRIGGER stop_inside ON ddl_command_start WHEN TAG IN ('CREATE FUNCTION') EXECUTE FUNCTION test.wait()`;

/** Migrates in a process of its own. */
function migrateApart(env: Record<string, string>): { child: ChildProcess; ended: Promise<unknown> } {
  const script = join(packageRoot, 'dist/scripts/migrate.js');
  const child = spawn(process.execPath, [script], { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
  return { child, ended: once(child, 'close') };
}

/** Who waits for an advisory lock. */

describe('a migration whose process is killed', () => {
  it('on the embedded database leaves nothing behind, and the next migrate continues', async () => {
    const dataDir = join(ownFolder(), 'data');
    await (await openDatabase({ dataDir })).close();
    const opened = await openEmbedded(dataDir, false);
    const embedded = await opened.start?.();
    const pool = new pg.Pool(opened.connection);
    // PGlite keeps its cluster in the folder; this process sees there that the migration has begun.
    const inside = join(dataDir, 'pg', 'inside');
    await pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await pool.query(
      stopInside(`EXECUTE format('COPY (SELECT 1) TO %L', current_setting('data_directory') || '/inside');
      PERFORM pg_sleep(600);`),
    );
    await pool.end();
    await embedded?.close();
    const { child, ended } = migrateApart({ DATA_DIR: dataDir });
    while (!existsSync(inside)) await setImmediate();
    child.kill('SIGKILL');
    await ended;
    const again = await openEmbedded(dataDir, false);
    const running = await again.start?.();
    const db = new pg.Pool(again.connection);
    await db.query('DROP EVENT TRIGGER stop_inside');
    const [known, before] = [await listMigrations(), await namesIn(db)];
    expect(before).to.have.length.above(3).and.below(known.length);
    expect(await migrateEmbedded(again.connection)).to.deep.equal([...known.slice(before.length), 'functions.sql']);
    expect(await namesIn(db)).to.deep.equal(known);
    await db.end();
    await running?.close();
  });

  it('on a server leaves nothing behind, and the next migrate continues', async function () {
    if (!serverUrl) return this.skip();
    const { url, drop } = await createServerDatabase();
    await onServer(url, async (db) => {
      await db.query(stopInside('PERFORM pg_advisory_xact_lock(1);'));
      await db.query('SELECT pg_advisory_lock(1)');
      const { child, ended } = migrateApart({ DATABASE_URL: url });
      while ((await db.query(waitingForLock)).rows.length === 0);
      child.kill('SIGKILL');
      await ended;
      // The killed process' connection; its transaction ends with it.
      await db.query('SELECT pg_advisory_unlock(1)');
      await db.query('SELECT pg_advisory_lock(72707369)');
      await db.query('SELECT pg_advisory_unlock(72707369)');
      const [known, before] = [await listMigrations(), await namesIn(db)];
      expect(before).to.have.length.above(3).and.below(known.length);
      const { applied } = await migrateServer(url);
      expect(applied).to.deep.equal([...known.slice(before.length), 'functions.sql']);
      expect(await namesIn(db)).to.deep.equal(known);
    });
    await drop();
  });
});
