import type { Db } from '../../src/database/open.ts';

/** Differ between two runs of the same change. */
const drawn = ['secret_hash', 'last_four', 'password_hash', 'field_hashes'];
/** Written beside every request. */
const besides = ['rate_limits', 'request_log', '_prisma_migrations', 'row_changes'];

/** Has the database note every row that is written or deleted, in the transaction that does it. */
export async function watchRows(db: Db): Promise<void> {
  await db.$executeRawUnsafe(
    'CREATE TABLE row_changes (id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, change text NOT NULL)',
  );
  await db.$executeRawUnsafe(`
    CREATE FUNCTION note_row() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND to_jsonb(OLD) - 'last_used_at' = to_jsonb(NEW) - 'last_used_at' THEN RETURN NULL; END IF;
      INSERT INTO row_changes (change) VALUES (concat(
        CASE TG_OP WHEN 'DELETE' THEN 'deleted' ELSE 'written' END, ' ', TG_TABLE_NAME, ' ',
        to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END) - '{${drawn.join(',')}}'::text[]));
      RETURN NULL;
    END $$`);
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`;
  for (const { name } of tables.filter((table) => !besides.includes(table.name)))
    await db.$executeRawUnsafe(
      `CREATE TRIGGER note_row AFTER INSERT OR UPDATE OR DELETE ON ${name} FOR EACH ROW EXECUTE FUNCTION note_row()`,
    );
}

/** The rows that were written or deleted since the last call, in no order; of their numbers, only that there are some. */
export async function takeRowChanges(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ change: string }[]>`DELETE FROM row_changes RETURNING change`;
  return rows.map(({ change }) => change.replaceAll(/\d+/g, '#')).sort();
}
