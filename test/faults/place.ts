import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateServer } from '../../src/database/migrations.ts';
import { type Database, openDatabase } from '../../src/database/open.ts';
import { createServerDatabase } from '../helper/test-database.ts';

/** A database for one fault. */
export interface Place {
  /** The settings with which the service finds it. */
  readonly env: Readonly<Record<string, string>>;
  /** Opens it, also beside a running service. */
  open(): Promise<Database>;
  remove(): Promise<void>;
}

/** Beside the database that DATABASE_URL names, or on the PostgreSQL of this machine. */
export async function serverPlace(prefix?: string): Promise<Place> {
  const { url, drop } = await createServerDatabase(prefix);
  await migrateServer(url);
  return placeAt(url, drop);
}

/** A database that is there and migrated. */
export const placeAt = (url: string, remove: () => Promise<void>): Place => ({
  env: { DATABASE_URL: url },
  open: () => openDatabase({ databaseUrl: url, dataDir: ':memory:' }),
  remove,
});

/** A folder for the embedded database. */
export async function folderPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'vaga-fault-'));
  return placeIn(join(folder, 'data'), () => rm(folder, { recursive: true, force: true }));
}

const placeIn = (dataDir: string, remove: () => Promise<void>): Place => ({
  env: { DATA_DIR: dataDir },
  open: () => openDatabase({ dataDir, join: true }),
  remove,
});
