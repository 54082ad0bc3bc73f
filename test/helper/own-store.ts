import { migrateServer } from '../../src/database/migrations.ts';
import { openStore, type Store, type StoreSettings } from '../../src/database/open.ts';
import { createDatabase } from './database.ts';

/** A store that nobody else uses, and its end. */
export interface OwnStore {
  readonly store: Store;
  /** Undefined where it is embedded. */
  readonly databaseUrl: string | undefined;
  close(): Promise<void>;
}

/** With DATABASE_URL a new database beside the named one, else the embedded database in memory. */
export async function openOwnStore(timeouts: Pick<StoreSettings, 'statementTimeoutMs'> = {}): Promise<OwnStore> {
  if (!process.env.DATABASE_URL) {
    const store = await openStore({ ...timeouts, dataDir: ':memory:' });
    return { store, databaseUrl: undefined, close: () => store.close() };
  }
  const { url, drop } = await createDatabase();
  await migrateServer(url);
  const store = await openStore({ ...timeouts, databaseUrl: url, dataDir: ':memory:' });
  const close = async (): Promise<void> => {
    await store.close();
    await drop();
  };
  return { store, databaseUrl: url, close };
}
