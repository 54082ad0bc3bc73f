import type pg from 'pg';

// Every setting of PostgreSQL on which a promise of the service depends.

export interface Timeouts {
  readonly statementTimeoutMs: number;
  readonly idleInTransactionTimeoutMs: number;
}

export type PlanCacheMode = 'force_generic_plan' | 'auto';

/**
 * The settings that the service asks of PostgreSQL for each connection. They win over those of the role and the database. The server cancels
 * slow statements, and only for that reason. PostgreSQL replans array lookups on every call (80% of a credential lookup), so we force generic
 * plans. The time zone must be UTC: Prisma sends and reads dates without a zone. Simultaneous changes wait for each other's rows, which a
 * stricter isolation refuses. Ids are read as floats, whose digits must all arrive. A policy that hides rows must fail, not read fewer.
 */
export const serverSettings = (
  { statementTimeoutMs, idleInTransactionTimeoutMs }: Timeouts,
  planCacheMode: PlanCacheMode = 'force_generic_plan',
) => ({
  statement_timeout: statementTimeoutMs,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
  plan_cache_mode: planCacheMode,
  datestyle: 'ISO',
  timezone: 'UTC',
  default_transaction_isolation: 'read committed',
  standard_conforming_strings: 'on',
  extra_float_digits: 1,
  row_security: 'off',
});

/** Values of synchronous_commit with which an acknowledged write may be lost. The others are the operator's choice. */
const losingCommits = ['off', 'local'];

/** Whether a setting's value is as good as the asked one. */
export const isKept = (name: string, found: string, asked: string): boolean =>
  name === 'synchronous_commit'
    ? !losingCommits.includes(found)
    : // A date style also has the order of day and month, and UTC a second name.
      found.replace(/^Etc\/|, [DMY]{3}$/g, '') === asked;

/**
 * Corrects what a startup option of a connection cannot: raises synchronous_commit if acknowledged writes may be lost (an option would also
 * replace `remote_apply` and the like), and ends transaction_timeout, which PostgreSQL knows from version 17.
 */
export const correctSettings = async (client: pg.ClientBase): Promise<void> => {
  await client.query(
    `SELECT set_config(name, CASE name WHEN 'synchronous_commit' THEN 'on' ELSE '0' END, false) FROM pg_settings
      WHERE name = 'synchronous_commit' AND setting IN ('${losingCommits.join("', '")}')
         OR name = 'transaction_timeout' AND setting <> '0'`,
  );
};

/** Settings for long work, of a session or of one transaction: timeouts that the role or the database sets are meant for requests. */
export const forLongWork = (of: 'session' | 'transaction' = 'session'): string =>
  `SELECT set_config(name, '0', ${of === 'transaction'}) FROM pg_settings
    WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;

/** What the service's role cannot set: the value that it must have, and what is wrong otherwise. */
const ofServer: Readonly<Record<string, readonly [needed: string, otherwise: string]>> = {
  fsync: ['on', 'so a crash of its machine may destroy the database'],
  full_page_writes: ['on', 'so a crash of its machine may destroy the database'],
  autovacuum: ['on', 'so lists become slow'],
  track_counts: ['on', 'so autovacuum does nothing, and lists become slow'],
  session_replication_role: ['origin', 'so foreign keys are not enforced'],
};

/** A setting of the server that breaks a promise. */
export interface WrongSetting {
  readonly name: string;
  readonly found: string;
  readonly needed: string;
  readonly otherwise: string;
}

export async function findWrongSettings(db: Pick<pg.ClientBase, 'query'>): Promise<WrongSetting[]> {
  const { rows } = await db.query<{ name: string; found: string }>(
    'SELECT name, current_setting(name) AS found FROM unnest($1::text[]) AS name',
    [Object.keys(ofServer)],
  );
  return rows.flatMap(({ name, found }) => {
    const [needed = found, otherwise = ''] = ofServer[name] ?? [];
    return found === needed ? [] : [{ name, found, needed, otherwise }];
  });
}
