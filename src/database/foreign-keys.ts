import type pg from 'pg';

type Queryable = Pick<pg.ClientBase, 'query'>;

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** The foreign keys to and from these tables. */
export async function listKeys(db: Queryable, tables: readonly string[]): Promise<ForeignKey[]> {
  const { rows } = await db.query<ForeignKey>(
    `SELECT own.relname AS table, f.conname AS name, pg_get_constraintdef(f.oid) AS definition
       FROM pg_constraint f JOIN pg_class own ON own.oid = f.conrelid JOIN pg_class other ON other.oid = f.confrelid
      WHERE f.contype = 'f' AND own.relnamespace = current_schema()::regnamespace
        AND (own.relname = ANY ($1) OR other.relname = ANY ($1))`,
    [tables],
  );
  return rows;
}

export async function dropKeys(db: Queryable, keys: readonly ForeignKey[]): Promise<void> {
  for (const { table, name } of keys) await db.query(`ALTER TABLE "${table}" DROP CONSTRAINT "${name}"`);
}

export async function addKeys(db: Queryable, keys: readonly ForeignKey[]): Promise<void> {
  for (const { table, name, definition } of keys)
    await db.query(`ALTER TABLE "${table}" ADD CONSTRAINT "${name}" ${definition}`);
}
