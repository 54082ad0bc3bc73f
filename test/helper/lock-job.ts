import pg from 'pg';
import { onCitus } from './test-database.ts';

/** A lock on a job's row, held by a transaction of its own. */
export interface JobLock {
  /** Resolves when somebody waits for the lock. */
  waiter(): Promise<void>;
  /** Sets the job's title, if given, and commits. */
  release(title?: string): Promise<void>;
}

/** Needs a PostgreSQL server: the embedded database has one connection, which nobody can hold. */
export async function lockJob(databaseUrl: string, id: number): Promise<JobLock> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  const { rows } = await client.query('SELECT company_id FROM jobs WHERE id = $1', [id]);
  const job = [rows[0]?.company_id, id];
  await client.query('SELECT FROM jobs WHERE company_id = $1 AND id = $2 FOR UPDATE', job);
  const isAwaited = onCitus
    ? 'SELECT FROM citus_lock_waits WHERE blocking_gpid = citus_backend_gpid()'
    : 'SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))';
  return {
    waiter: async () => {
      while ((await client.query(isAwaited)).rowCount === 0);
    },
    release: async (title) => {
      const change = 'UPDATE jobs SET title = $3, revision = revision + 1 WHERE company_id = $1 AND id = $2';
      if (title !== undefined) await client.query(change, [...job, title]);
      await client.query('COMMIT');
      await client.end();
    },
  };
}
