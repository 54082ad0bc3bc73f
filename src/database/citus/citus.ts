import type pg from 'pg';
import { DatabaseError } from '../database-errors.ts';

// Citus spreads the companies over nodes: PostgreSQL servers behind one coordinator. The rest of src knows only that there may be nodes.

type Queryable = Pick<pg.ClientBase, 'query'>;

/** Whether the database's rows are on nodes. */
export async function hasNodes(db: Queryable): Promise<boolean> {
  const { rows } = await db.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  return rows.length > 0;
}

/** Returns the number of nodes, not counting the coordinator. 0 if the database does not use Citus. */
export async function countNodes(db: Queryable): Promise<number> {
  if (!(await hasNodes(db))) return 0;
  const sql = `SELECT count(*)::int AS nodes FROM pg_dist_node WHERE noderole = 'primary' AND groupid > 0`;
  const { rows } = await db.query<{ nodes: number }>(sql);
  return rows[0]?.nodes ?? 0;
}

/** Throws a DatabaseError if the database has nodes. */
export async function refuseNodes(db: Queryable): Promise<void> {
  if (await hasNodes(db))
    throw new DatabaseError(
      'the database has Citus: move to one without the extension, then create it there and run npm run migrate (scripts/deploy/install.md)',
    );
}

/**
 * The query options with nodes. Citus plans each statement for its company's node, and can plan few statements before it knows the company.
 * So plans are not generic and lookups are not batched.
 */
export const onNodes = { planCacheMode: 'auto', batchMax: 1, hasNodes: true } as const;

/** A query whose result changes when the coordinator is replaced or restarted, or when the nodes' addresses change. */
export const identityWithNodes = `
  SELECT concat(extract(epoch FROM pg_postmaster_start_time()), string_agg(concat(groupid, nodename, nodeport), ' ' ORDER BY nodeid)) AS found
    FROM pg_dist_node WHERE noderole = 'primary'`;
