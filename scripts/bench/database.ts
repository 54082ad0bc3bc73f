import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase, onServer } from '../../test/helper/test-database.ts';
import type { Run } from './program.ts';

export { onServer };

export interface BenchDatabase {
  readonly url: string;
  /** What PostgreSQL says of itself. */
  readonly note: string;
}

/** A migrated database beside the one that DATABASE_URL names, or on the PostgreSQL of this machine; dropped at the end. */
export async function openDatabase(dist: string, run: Run): Promise<BenchDatabase> {
  run.signal.throwIfAborted();
  const { url, drop } = await createDatabase('vaga_bench');
  run.undo(drop);
  migrate(dist, url);
  const { rows } = await onServer(url, (client) =>
    client.query<{ note: string }>(
      `SELECT format('PostgreSQL %s (fsync %s, synchronous_commit %s)', current_setting('server_version'),
                     current_setting('fsync'), current_setting('synchronous_commit')) AS note`,
    ),
  );
  return { url, note: rows[0]?.note ?? 'PostgreSQL' };
}

/** With the compiled script of the service; throws with its output where it fails. */
function migrate(dist: string, url: string): void {
  const script = join(dist, 'scripts', 'migrate.js');
  if (!existsSync(script)) throw new Error(`${script} is missing: run npm run build first`);
  const env = { ...process.env, DATABASE_URL: url };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { env, encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`the migrations failed:\n${stdout}${stderr}`);
}
