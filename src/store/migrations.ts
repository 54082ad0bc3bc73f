import pg from 'pg';
import { listMigrations } from './migrations-folder.ts';
import { StoreError, unusable } from './open-error.ts';
import { type Queryable, seedOnce, seedReferenceData } from './reference-data.ts';

export type SchemaState =
  | { kind: 'current' }
  | { kind: 'behind'; missing: string[] }
  | { kind: 'ahead'; unknown: string }
  | { kind: 'broken'; failed: string };

const undefinedTable = '42P01';

/** One query: the database's migrations against the folder's. Loads nothing of Prisma. */
export async function readSchemaState(db: Queryable): Promise<SchemaState> {
  const [known, applied] = await Promise.all([listMigrations(), readApplied(db)]);
  const unknown = applied.find(({ name }) => !known.includes(name));
  if (unknown) return { kind: 'ahead', unknown: unknown.name };
  const failed = applied.find(({ finished }) => !finished);
  if (failed) return { kind: 'broken', failed: failed.name };
  const missing = known.filter((name) => !applied.some((migration) => migration.name === name));
  return missing.length > 0 ? { kind: 'behind', missing } : { kind: 'current' };
}

async function readApplied(db: Queryable): Promise<{ name: string; finished: boolean }[]> {
  try {
    const { rows } = await db.query<{ name: string; finished: boolean }>(
      `SELECT migration_name AS name, finished_at IS NOT NULL AS finished
         FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
    );
    return rows;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === undefinedTable) return [];
    throw error;
  }
}

/** Refuses a database that this version cannot serve as it is. */
export async function requireCurrent(db: Queryable): Promise<void> {
  const state = await readSchemaState(db);
  switch (state.kind) {
    case 'current':
      return;
    case 'behind':
      throw new StoreError(`the database lacks migration ${state.missing[0]}: run npm run migrate`);
    case 'ahead':
      throw new StoreError(`the database has migration ${state.unknown} that this version does not know`);
    case 'broken':
      throw new StoreError(
        `migration ${state.failed} did not finish: see "prisma migrate resolve", then run npm run migrate`,
      );
  }
}

/** Brings the embedded database up to date, also after a start that was cut off; returns the migrations applied. */
export async function migrateEmbedded(connection: pg.PoolConfig, db: Queryable): Promise<string[]> {
  const state = await readSchemaState(db);
  if (state.kind === 'ahead') await requireCurrent(db);
  if (state.kind === 'broken') {
    const { forgetFailedMigration } = await import('./schema-engine.ts');
    await forgetFailedMigration(connection, state.failed);
  }
  const applied = state.kind === 'current' ? [] : await apply(connection);
  await seedOnce(db);
  return applied;
}

/** Brings a server's database up to date, one process at a time; returns the migrations applied. Refuses a newer or broken one. */
export async function migrateServer(databaseUrl: string): Promise<string[]> {
  const connection = {
    connectionString: databaseUrl,
    application_name: 'vaga migrate',
    connectionTimeoutMillis: 10_000,
  };
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect().catch((error) => Promise.reject(unusable(error)));
  try {
    // Held by this session until it ends, whatever happens to the process.
    await client.query(`SELECT pg_advisory_lock(hashtext('vaga'), hashtext('migrate'))`);
    const state = await readSchemaState(client);
    if (state.kind === 'ahead' || state.kind === 'broken') await requireCurrent(client);
    const applied = state.kind === 'current' ? [] : await apply(connection);
    await seedReferenceData(client);
    return applied;
  } finally {
    await client.end();
  }
}

/** The engine is large and seldom needed: it is loaded only here. */
async function apply(connection: pg.PoolConfig): Promise<string[]> {
  const { applyMigrations } = await import('./schema-engine.ts');
  return applyMigrations(connection);
}
