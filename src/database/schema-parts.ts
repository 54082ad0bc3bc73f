import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { listSpread } from './citus/distribute.ts';
import { partsPath } from './embedded-template.ts';

type Queryable = Pick<pg.ClientBase, 'query'>;

/** What migrations make beside tables and columns, and a damaged or half-restored database may lack unnoticed. */
interface Part {
  readonly table: string;
  /** Such as `the unique index plans_name_key of plans`. */
  readonly part: string;
  /** For a foreign key, the table that it refers to. */
  readonly refersTo: string | null;
}

/** A key's index may be invalid, and the triggers of a foreign key may be disabled. */
const findParts = `
  WITH own AS (
    SELECT oid, relname AS name, relpersistence FROM pg_class
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname <> '_prisma_migrations'),
  parts AS (
    SELECT own.name AS table, CASE contype WHEN 'p' THEN 'primary key' WHEN 'f' THEN 'foreign key' WHEN 'u' THEN 'unique key' ELSE 'check' END
             || ' ' || conname AS part, other.relname AS "refersTo",
           convalidated AND coalesce(indisvalid, true)
             AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgconstraint = c.oid AND tgenabled NOT IN ('O', 'A')) AS "isValid"
      FROM own JOIN pg_constraint c ON conrelid = own.oid AND contype IN ('p', 'f', 'u', 'c', 'x')
      LEFT JOIN pg_index ON contype IN ('p', 'u') AND indexrelid = conindid LEFT JOIN pg_class other ON other.oid = confrelid
     UNION ALL
    SELECT own.name, CASE WHEN indisunique THEN 'unique index ' ELSE 'index ' END || i.relname, NULL, indisvalid AND indisready
      FROM own JOIN pg_index ON indrelid = own.oid JOIN pg_class i ON i.oid = indexrelid
     WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
     UNION ALL
    SELECT own.name, 'trigger ' || tgname, NULL, tgenabled IN ('O', 'A')
      FROM own JOIN pg_trigger ON tgrelid = own.oid AND NOT tgisinternal
     UNION ALL
    SELECT own.name, word || ' of the column ' || attname, NULL, true
      FROM own JOIN pg_attribute ON attrelid = own.oid AND attnum > 0 AND NOT attisdropped,
           LATERAL (VALUES ('NOT NULL', attnotnull), ('default', atthasdef)) AS has (word, it)
     WHERE it
     UNION ALL
    SELECT own.name, 'sequence ' || s.relname, NULL, true
      FROM own JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = own.oid AND classid = 'pg_class'::regclass AND deptype = 'a'
      JOIN pg_class s ON s.oid = objid AND s.relkind = 'S'
     UNION ALL
    SELECT name, 'write-ahead log', NULL, true FROM own WHERE relpersistence = 'p')
  SELECT "table", 'the ' || part || ' of ' || "table" AS part, "refersTo", "isValid" FROM parts ORDER BY 1, 2`;

/** Lists a database's valid parts. The build stores those of a database that has only been migrated. */
export async function listParts(db: Queryable): Promise<Part[]> {
  const { rows } = await db.query<Part & { isValid: boolean }>(findParts);
  return rows.filter(({ isValid }) => isValid).map(({ table, part, refersTo }) => ({ table, part, refersTo }));
}

/**
 * Names the parts that this version's migrations make and the database lacks or has as invalid. What it has beside these is no fault. Tables
 * that somebody has partitioned are left out, and so are foreign keys that nodes refuse. Returns 'unlisted' if the build has no list of them.
 */
export async function findFaultyParts(db: Queryable): Promise<string[] | 'unlisted'> {
  const made = await readFile(await partsPath(), 'utf8').catch(() => undefined);
  if (made === undefined) return 'unlisted';
  const { rows } = await db.query<Part & { isValid: boolean }>(findParts);
  const { rows: partitioned } = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'p' AND relnamespace = current_schema()::regnamespace`,
  );
  const spread = await listSpread(db);
  // The cast is safe: scripts/make-template.ts writes the list.
  return (JSON.parse(made) as Part[]).flatMap(({ table, part, refersTo }) => {
    const found = rows.find((row) => row.part === part);
    if (found?.isValid || partitioned.some(({ name }) => name === table)) return [];
    const isRefused = refersTo !== null && spread.includes(refersTo) && !spread.includes(table);
    return isRefused ? [] : [`${part} is ${found ? 'invalid' : 'missing'}`];
  });
}
