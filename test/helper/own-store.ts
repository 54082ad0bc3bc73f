import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrateServer } from '../../src/store/migrations.ts';
import { openStore, type Store, type StoreSettings } from '../../src/store/open.ts';

/** A store that nobody else uses, and its end. */
export interface OwnStore {
  readonly store: Store;
  /** Undefined where it is embedded. */
  readonly databaseUrl: string | undefined;
  close(): Promise<void>;
}

/** With DATABASE_URL a new database beside the named one, else the embedded database in memory. */
export async function openOwnStore(timeouts: Pick<StoreSettings, 'statementTimeoutMs'> = {}): Promise<OwnStore> {
  const url = process.env.DATABASE_URL;
  if (!url) {
    const store = await openStore({ ...timeouts, dataDir: ':memory:' });
    return { store, databaseUrl: undefined, close: () => store.close() };
  }
  const name = `vaga_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await administer(url, `CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  await migrateServer(own.href);
  const store = await openStore({ ...timeouts, databaseUrl: own.href, dataDir: ':memory:' });
  const close = async (): Promise<void> => {
    await store.close();
    await administer(url, `DROP DATABASE ${name} WITH (FORCE)`);
  };
  return { store, databaseUrl: own.href, close };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
