import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

const localServer = 'postgres://postgres@127.0.0.1:5432/postgres';

export interface BenchDatabase {
  readonly url: string;
  /** What PostgreSQL says of itself. */
  readonly version: string;
  readonly settings: string;
  drop(): Promise<void>;
}

/**
 * Creates a database of its own beside the one that DATABASE_URL names, or on the PostgreSQL of this machine.
 * Throws one line where no server answers. `suffix` tells several of one run apart.
 */
export async function createDatabase(suffix = ''): Promise<BenchDatabase> {
  const server = process.env.DATABASE_URL || localServer;
  const name = `vaga_bench_${process.pid}${suffix}`;
  const { version, settings } = await onServer(server, async (client) => {
    const { rows } = await client.query<{ version: string; settings: string }>(
      `SELECT current_setting('server_version') AS version,
              format('fsync %s, synchronous_commit %s', current_setting('fsync'), current_setting('synchronous_commit')) AS settings`,
    );
    await client.query(`CREATE DATABASE ${name}`);
    return rows[0] ?? { version: 'unknown', settings: '' };
  });
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    version,
    settings,
    drop: () =>
      onServer(server, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

/** Applies the migrations with the compiled script of this service; throws with its output where it fails. */
export function migrateDatabase(dist: string, url: string): void {
  const script = join(dist, 'scripts', 'migrate.js');
  if (!existsSync(script)) throw new Error(`${script} is missing: run npm run build first`);
  const env = { ...process.env, DATABASE_URL: url };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { env, encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`the migrations failed:\n${stdout}${stderr}`);
}

/** Runs something on one connection and closes it. */
export async function onServer<T>(connectionString: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
  } catch (error) {
    throw new Error('no PostgreSQL answers: set DATABASE_URL, or start one on 127.0.0.1:5432', { cause: error });
  }
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
