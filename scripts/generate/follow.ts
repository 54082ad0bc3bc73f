import type pg from 'pg';
import { firstLine } from '../../src/database/database-errors.ts';
import { digestOf, readApplied, recordMigration, runScript, withLock } from '../../src/database/migrations.ts';
import { allOrNone } from '../../src/database/transaction.ts';
import { clausesOf, type Named, type Replaced } from './replaced.ts';

/** Updates a developer's database that has applied migrations which were then made anew. Throws an Error if it cannot. */
export const followReplaced = (connection: pg.ClientConfig, all: readonly Replaced[]): Promise<void> =>
  withLock(connection, async (client) => {
    if ((await readApplied(client)).length === 0) return;
    for (const replaced of all) {
      const { from, onward } = replaced;
      // If stored values do not fit, empties the changed columns that the uncommitted migrations had added. All others keep their values.
      await step(client, replaced, onward)
        .catch(() => step(client, replaced, emptying(replaced)))
        .catch((error) => {
          const instead = 'change these rows, or begin with an empty database';
          throw new Error(
            `${from.at(-1)?.folder} was made anew, and its database cannot follow: ${firstLine(error)}; ${instead}`,
          );
        });
    }
  });

/** If the database has applied `from`, records `to` in its place, and runs the SQL. */
const step = (client: pg.Client, { from, to }: Replaced, sql: string): Promise<void> =>
  allOrNone(client, async () => {
    const which = `WHERE rolled_back_at IS NULL
      AND (migration_name, checksum) IN (SELECT * FROM unnest($1::text[], $2::text[]))`;
    const names = [from.map(({ folder }) => folder), from.map(({ sql: text }) => digestOf(text))];
    const { rowCount } = await client.query(`SELECT FROM _prisma_migrations ${which}`, names);
    if (rowCount !== from.length) return;
    await client.query(`DELETE FROM _prisma_migrations ${which}`, names);
    for (const { folder, sql: text } of to) await recordMigration(client, folder, text);
    await runScript(client, sql);
  });

/** The columns that a migration adds, also with their table, and the rest of their lines, by the table and column. */
function addedBy(migrations: readonly Named[]): ReadonlyMap<string, string> {
  const sql = migrations.map((one) => one.sql).join('\n');
  const added = clausesOf(sql).map(({ table, clause }) => [table, /^ADD COLUMN +("\w+") (.*)/.exec(clause)] as const);
  const created = [...sql.matchAll(/^CREATE TABLE ("\w+") \(\n(.*?)\n\);$/gms)].flatMap(([, table, lines = '']) =>
    lines.split('\n').map((line) => [table, /^ +("\w+") (.*?),?$/.exec(line)] as const),
  );
  return new Map(
    [...added, ...created].flatMap(([table, found]) => (found ? [[`${table}.${found[1]}`, found[2] ?? '']] : [])),
  );
}

/** Returns `onward` with a new column in place of each changed one that the replaced migrations had added. */
function emptying({ from, to, onward }: Replaced): string {
  const [had, has] = [addedBy(from), addedBy(to)];
  const emptied = new Set<string>();
  const statements = clausesOf(onward).map(({ table, clause }) => {
    const [, name = ''] = /^ALTER COLUMN ("\w+")/.exec(clause) ?? [];
    const column = `${table}.${name}`;
    const type = had.has(column) ? has.get(column) : undefined;
    if (type === undefined) return table ? `ALTER TABLE ${table} ${clause};` : clause;
    // A column may have several changes.
    if (emptied.has(column)) return '';
    emptied.add(column);
    return `ALTER TABLE ${table} DROP COLUMN ${name}, ADD COLUMN ${name} ${type};`;
  });
  return statements.join('\n');
}
