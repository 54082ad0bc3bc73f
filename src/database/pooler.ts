import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { DatabaseError } from './database-errors.ts';

// What the service relies on, and a pooler between it and PostgreSQL, such as PgBouncer, may not keep.

/** PostgreSQL's codes for a named statement that does not exist, and for one that exists already. */
const strangerStatement = /^(26000|42P05)$/;

/** A pooler that is used by others may give the connection to the same client twice by chance. */
const rounds = 3;

/** Throws a DatabaseError if a statement that one client names is not there when it runs it again. Needs two connections. */
export async function requireNamedStatements(pool: pg.Pool): Promise<void> {
  const one = await pool.connect();
  const other = await pool.connect().catch((error) => {
    one.release();
    throw error;
  });
  try {
    for (let round = 0; round < rounds; round++) {
      const named = { name: `vaga_${randomUUID()}`, text: 'SELECT' };
      await one.query(named);
      // A pooler in transaction mode gives `other` the connection on which `one` has just prepared, and `one` another.
      await other.query('BEGIN');
      await other.query(named);
      await one.query(named);
      await other.query('ROLLBACK');
    }
  } catch (error) {
    if (!strangerStatement.test((error as pg.DatabaseError).code ?? '')) throw error;
    throw new DatabaseError(
      'a pooler mixes up the named statements of its clients: let it pool by session, or PgBouncer from 1.21 on keep them with max_prepared_statements (scripts/deploy/install.md)',
    );
  } finally {
    // Their statements end with them.
    for (const client of [one, other]) client.release(true);
  }
}

/** Lists the settings that a connection does not have as the service asks for them, as in `statement_timeout is 0 in place of 5000`. */
export async function findLostSettings(
  pool: pg.Pool,
  asked: Readonly<Record<string, string | number>>,
): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; found: string }>(
    'SELECT name, (SELECT setting FROM pg_settings WHERE lower(pg_settings.name) = asked.name) AS found FROM unnest($1::text[]) AS asked (name)',
    [Object.keys(asked)],
  );
  return (
    rows
      .map(({ name, found }) => ({ name, found, wanted: String(asked[name]) }))
      // A date style also has the order of day and month, and UTC a second name.
      .filter(({ found, wanted }) => found.replace(/^Etc\/|, [DMY]{3}$/g, '') !== wanted)
      .map(({ name, found, wanted }) => `${name} is ${found} in place of ${wanted}`)
  );
}
