import type pg from 'pg';
import { firstLine } from '../../src/database/database-errors.ts';
import { digestOf, readApplied, runScript, withLock } from '../../src/database/migrations.ts';
import { allOrNone } from '../../src/database/transaction.ts';
import type { Replaced } from './replaced.ts';

/** Updates a developer's database that has applied migrations which were then made anew. Throws an Error if it cannot. */
export const followReplaced = (connection: pg.ClientConfig, all: readonly Replaced[]): Promise<void> =>
  withLock(connection, async (client) => {
    if ((await readApplied(client)).length === 0) return;
    for (const replaced of all) {
      const { from, to, onward } = replaced;
      // If stored values do not fit a changed column, drops what the uncommitted migration added, with its data, and applies the new one.
      await step(client, replaced, onward)
        .catch(() => step(client, replaced, `${undoing(from.sql)};${to?.sql ?? ''}`))
        .catch((error) => {
          throw new Error(`${from.folder} was made anew, and its database cannot follow: ${firstLine(error)}`);
        });
    }
  });

/** If the database has applied the replaced migration, records the new one in its place and runs the SQL. */
const step = (client: pg.Client, { from, to }: Replaced, sql: string): Promise<void> =>
  allOrNone(client, async () => {
    const { rowCount } = await client.query(
      `UPDATE _prisma_migrations SET migration_name = $3, checksum = $4, rolled_back_at = $5
        WHERE migration_name = $1 AND checksum = $2 AND rolled_back_at IS NULL`,
      [...[from, to ?? from].flatMap((one) => [one.folder, digestOf(one.sql)]), to ? null : new Date()],
    );
    if (rowCount) await runScript(client, sql);
  });

/** Returns the SQL that drops the tables and columns that a migration adds. */
function undoing(sql: string): string {
  let table = '';
  const statements = sql.split('\n').flatMap((line) => {
    table = /ALTER TABLE ("\w+")/.exec(line)?.[1] ?? table;
    const [, created, column] = /^CREATE TABLE ("\w+")|ADD COLUMN +("\w+")/.exec(line) ?? [];
    if (created) return [`DROP TABLE ${created}`];
    return column ? [`ALTER TABLE ${table} DROP COLUMN ${column}`] : [];
  });
  return statements.join(';\n');
}
