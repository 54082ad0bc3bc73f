import type pg from 'pg';
import { firstLine } from '../../src/database/database-errors.ts';
import { digestOf, readApplied, runScript, withLock } from '../../src/database/migrations.ts';
import { allOrNone } from '../../src/database/transaction.ts';
import { clausesOf, type Replaced } from './replaced.ts';

/** Updates a developer's database that has applied migrations which were then made anew. Throws an Error if it cannot. */
export const followReplaced = (connection: pg.ClientConfig, all: readonly Replaced[]): Promise<void> =>
  withLock(connection, async (client) => {
    if ((await readApplied(client)).length === 0) return;
    for (const replaced of all) {
      const { from, onward } = replaced;
      // If stored values do not fit, empties the changed columns that the uncommitted migration had added. All others keep their values.
      await step(client, replaced, onward)
        .catch(() => step(client, replaced, emptying(replaced)))
        .catch((error) => {
          const instead = 'change these rows, or begin with an empty database';
          throw new Error(
            `${from.folder} was made anew, and its database cannot follow: ${firstLine(error)}; ${instead}`,
          );
        });
    }
  });

/** If the database has applied `from`, records `to` in its place, or without `to` marks `from` as rolled back, and runs the SQL. */
const step = (client: pg.Client, { from, to }: Replaced, sql: string): Promise<void> =>
  allOrNone(client, async () => {
    const { rowCount } = await client.query(
      `UPDATE _prisma_migrations SET migration_name = $3, checksum = $4, rolled_back_at = $5
        WHERE migration_name = $1 AND checksum = $2 AND rolled_back_at IS NULL`,
      [...[from, to ?? from].flatMap((one) => [one.folder, digestOf(one.sql)]), to ? null : new Date()],
    );
    if (rowCount) await runScript(client, sql);
  });

/** The columns that a migration adds, with the rest of their lines, by the table and column. */
const addedBy = (sql: string): ReadonlyMap<string, string> =>
  new Map(
    clausesOf(sql).flatMap(({ table, clause }) => {
      const [, column, type = ''] = /^ADD COLUMN +("\w+") (.*)/.exec(clause) ?? [];
      return column ? [[`${table}.${column}`, type] as const] : [];
    }),
  );

/** Returns `onward` with a new column in place of each changed one that the replaced migration had added. */
function emptying({ from, to, onward }: Replaced): string {
  const [had, has] = [addedBy(from.sql), addedBy(to?.sql ?? '')];
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
