import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrateServer } from '../../src/database/migrations.ts';
import { type Database, type DatabaseSettings, openDatabase } from '../../src/database/open.ts';

/** A database for one purpose, dropped afterwards. */
export interface ServerDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

const localServer = 'postgres://postgres@127.0.0.1:5432/postgres';

/** Creates it on the server of DATABASE_URL or on the PostgreSQL of this machine. Throws one line if no server answers. */
export async function createServerDatabase(prefix = 'vaga_test'): Promise<ServerDatabase> {
  const server = process.env.DATABASE_URL || localServer;
  const name = `${prefix}_${process.pid}_${randomBytes(4).toString('hex')}`;
  await onServer(server, (client) => client.query(`CREATE DATABASE ${name}`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await onServer(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}

/** Opens one connection for `use` and closes it. */
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

/** The service's connections to a database for one test file. */
export interface TestDatabase {
  readonly database: Database;
  /** Undefined on the embedded database. */
  readonly databaseUrl: string | undefined;
  close(): Promise<void>;
}

/** On a new database of the server of DATABASE_URL, or on the embedded database in memory. */
export async function openTestDatabase(
  timeouts: Pick<DatabaseSettings, 'statementTimeoutMs'> = {},
): Promise<TestDatabase> {
  if (!process.env.DATABASE_URL) {
    const database = await openDatabase({ ...timeouts, dataDir: ':memory:' });
    return { database, databaseUrl: undefined, close: () => database.close() };
  }
  const { url, drop } = await createServerDatabase();
  await migrateServer(url);
  const database = await openDatabase({ ...timeouts, databaseUrl: url, dataDir: ':memory:' });
  const close = async (): Promise<void> => {
    await database.close();
    await drop();
  };
  return { database, databaseUrl: url, close };
}
