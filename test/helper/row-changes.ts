import type { Db } from '../../src/database/open.ts';

/** Columns that differ between two runs of the same change. */
const drawn = ['secret_hash', 'last_four', 'password_hash', 'link_hash', 'field_hashes'];
/** Written beside every request. */
const besides = ['rate_limits', 'request_log', '_prisma_migrations', 'row_changes'];

/** Makes the database record every row that is written or deleted, in the same transaction. */
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

export interface Rows {
  /** The rows that were written or deleted, in no order. Counters show only that they have a value. */
  readonly changes: readonly string[];
  /** The entries of the request log. */
  readonly requests: number;
}

/** The changes since the last call. */
export async function takeRows(db: Db): Promise<Rows> {
  const [row] = await db.$queryRawUnsafe<{ changes: string[]; requests: number }[]>(
    `WITH changed AS (DELETE FROM row_changes RETURNING change), requested AS (DELETE FROM request_log RETURNING id)
           SELECT ARRAY(SELECT change FROM changed) AS changes, (SELECT count(*)::int FROM requested) AS requests`,
  );
  const { changes = [], requests = 0 } = row ?? {};
  return { changes: changes.map((change) => change.replaceAll(/\d+/g, '#')).sort(), requests };
}
