import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { DatabaseError } from './database-errors.ts';
import { isKept } from './server-settings.ts';

// What the service relies on, and a pooler between it and PostgreSQL, such as PgBouncer, may not keep.

/** PostgreSQL's codes for a named statement that does not exist, and for one that exists already. */
const strangerStatement = /^(26000|42P05)$/;

/** A pooler that is used by others may give the connection to the same client twice by chance. */
const rounds = 3;

/** Runs `work` with two connections of the pool. What is set or prepared on them ends with them. */
async function onTwo<T>(pool: pg.Pool, work: (one: pg.PoolClient, other: pg.PoolClient) => Promise<T>): Promise<T> {
  const one = await pool.connect();
  const other = await pool.connect().catch((error) => {
    one.release();
    throw error;
  });
  try {
    return await work(one, other);
  } finally {
    for (const client of [one, other]) client.release(true);
  }
}

/** Throws a DatabaseError if a statement that one client names is not there when it runs it again. Needs two connections. */
export const requireNamedStatements = (pool: pg.Pool): Promise<void> =>
  onTwo(pool, async (one, other) => {
    for (let round = 0; round < rounds; round++) {
      const named = { name: `vaga_${randomUUID()}`, text: 'SELECT' };
      await one.query(named);
      // A pooler in transaction mode gives `other` the connection on which `one` has just prepared, and `one` another.
      await other.query('BEGIN');
      await other.query(named);
      await one.query(named);
      await other.query('ROLLBACK');
    }
  }).catch((error) => {
    if (!strangerStatement.test((error as pg.DatabaseError).code ?? '')) throw error;
    throw new DatabaseError(
      'a pooler mixes up the named statements of its clients: let it pool by session, or PgBouncer from 1.21 on keep them with max_prepared_statements (scripts/deploy/install.md)',
    );
  });

/**
 * Lists the settings that a connection does not have as the service asks for them, as in `statement_timeout is 0 in place of 5000`. What
 * `correctSettings` raised does not count if a pooler in transaction mode has given the client another connection since. Needs two connections.
 */
export const findLostSettings = (pool: pg.Pool, asked: Readonly<Record<string, string | number>>): Promise<string[]> =>
  onTwo(pool, async (one, other) => {
    const own = await one.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await other.query('BEGIN');
    const { rows } = await one.query<{ name: string; found: string }>(
      `SELECT name, (SELECT CASE WHEN asked.name = 'synchronous_commit' AND pg_backend_pid() <> $2 THEN reset_val ELSE setting END
                       FROM pg_settings WHERE lower(pg_settings.name) = asked.name) AS found FROM unnest($1::text[]) AS asked (name)`,
      [[...Object.keys(asked), 'synchronous_commit'], own.rows[0]?.pid],
    );
    await other.query('ROLLBACK');
    return rows
      .map(({ name, found }) => ({ name, found, wanted: String(asked[name] ?? 'on') }))
      .filter(({ name, found, wanted }) => !isKept(name, found, wanted))
      .map(({ name, found, wanted }) => `${name} is ${found} in place of ${wanted}`);
  });
