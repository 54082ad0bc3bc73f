import pg from 'pg';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db, Reachable } from '../pool.ts';
import { type SpreadTable, spreadTables } from './distribute.ts';

const { escapeIdentifier: quoted } = pg;

/**
 * Returns a `db` whose `$queryRaw` reads only companies on other nodes than `leftOut`: while one node is away, Citus refuses a statement about
 * all companies. Adds to each statement, for each distributed table, a common table expression that has the table's name and selects those
 * companies' rows, so that Citus queries only their nodes.
 */
export async function withoutNodes(db: Db, leftOut: readonly number[]): Promise<Reachable> {
  const [found] = await db.$queryRaw<{ tables: SpreadTable[]; companies: string }[]>`
    SELECT (SELECT json_agg(json_build_object('name', name, 'column', "column")) FROM (${Prisma.raw(spreadTables)}) AS t
             WHERE "column" IS NOT NULL) AS tables,
           (SELECT coalesce(array_agg(id), '{}')::text
              FROM (SELECT id, get_shard_id_for_distribution_column('companies', id) AS shardid
                      FROM generate_series(1, (SELECT last_value FROM companies_id_seq)) AS id OFFSET 0) AS made
              JOIN pg_dist_placement USING (shardid) WHERE groupid <> ALL (${leftOut}::int[])) AS companies`;
  const { tables, companies } = found ?? { tables: [], companies: '{}' };
  const hide = (statement: Prisma.Sql): Prisma.Sql => {
    const hidden = tables
      // A statement's own common table expression hides the table of its name already.
      .filter(({ name }) => new RegExp(`\\b${name}\\b`).test(statement.sql))
      .filter(({ name }) => !new RegExp(`\\b${name} AS (NOT )?(MATERIALIZED )?\\(`).test(statement.sql))
      .map(
        ({ name, column }) =>
          `${quoted(name)} AS NOT MATERIALIZED (SELECT * FROM ${quoted(name)} WHERE ${column} = ANY ('${companies}'::bigint[]))`,
      );
    if (hidden.length === 0) return statement;
    const [first = '', ...rest] = statement.strings;
    const begun = /^\s*WITH\s/.test(first) ? first.replace(/^\s*WITH\s/, ', ') : ` ${first}`;
    return new Prisma.Sql([`WITH ${hidden.join(', ')}${begun}`, ...rest], statement.values);
  };
  const hiding = db.$extends({ query: { $queryRaw: ({ args, query }) => query(hide(args)) } });
  // The cast is safe: an extended client has every method of a PrismaClient, but another type.
  return { db: Object.assign(hiding, { batchMax: db.batchMax }) as unknown as Db, leftOut };
}
