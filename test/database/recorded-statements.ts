import pg from 'pg';
import { onCitus } from '../helper/test-database.ts';

/** A statement as the driver sends it. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The statements sent while `work` runs, each text once with its first values. Recorded in the driver, so that statements of Prisma,
 * transactions and batches are included.
 */
export async function recordStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const heard = new Map<string, Statement>();
  const { prototype } = pg.Client;
  const { query } = prototype;
  prototype.query = function (this: pg.Client, ...asked: Parameters<typeof query>) {
    const [config, values] = asked as unknown as [string | Partial<Statement>, unknown];
    const named = typeof config === 'string' ? { text: config } : config;
    const { text = '', values: bound = Array.isArray(values) ? values : [] } = named as Partial<Statement>;
    if (!heard.has(text)) heard.set(text, { text, values: bound });
    return query.apply(this, asked);
    // The cast: pg declares a dozen overloads; this function only passes them on.
  } as typeof query;
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return [...heard.values()];
}

/** A node of EXPLAIN (FORMAT JSON), with PostgreSQL's property names. */
type PlanNode = { readonly 'Node Type': string; readonly Plans?: readonly PlanNode[] } & {
  readonly [Property in 'Relation Name' | 'Index Name' | 'Index Cond']?: string;
};

type Explained = { readonly Plan: PlanNode };

/**
 * How statements read rows of several companies; empty if they do not. On Citus, this lists statements that neither go to exactly one shard
 * nor stay on the coordinator; elsewhere, reads of tenant tables without an index that begins with the company.
 */
export async function wideReads(pool: pg.Pool, statements: readonly Statement[]): Promise<string[]> {
  const client = await pool.connect();
  try {
    const schema = await readTenantSchema(client);
    const wide: string[] = [];
    for (const { text, values } of statements) {
      if (!/^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/i.test(text)) continue;
      const plan = await explain(client, text, values);
      const tasks = tasksIn(plan);
      if (tasks.length > 1 || tasks.some((count) => count !== 1)) wide.push(text);
      // On Citus, the workers plan the access to the tables.
      if (onCitus) continue;
      for (const { Plan } of [plan, await genericPlan(client, text, values)]) wide.push(...straysIn(schema, Plan));
    }
    return wide;
  } finally {
    client.release();
  }
}

async function explain(client: pg.PoolClient, statement: string, values: readonly unknown[] = []): Promise<Explained> {
  const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${statement}`, [...values]);
  return rows[0]['QUERY PLAN'][0];
}

/** The plan of a prepared statement, whatever its values. In one message, as parameterTypes() asks. */
async function genericPlan(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<Explained> {
  const nothing = values.length === 0 ? '' : `(${values.map(() => 'NULL').join(', ')})`;
  const results: unknown = await client.query(
    `PREPARE asked AS ${text}; SET plan_cache_mode = force_generic_plan;
     EXPLAIN (FORMAT JSON) EXECUTE asked${nothing}; RESET plan_cache_mode; DEALLOCATE asked`,
  );
  const [, , explained] = results as readonly pg.QueryResult[];
  return explained?.rows[0]['QUERY PLAN'][0];
}

type TenantSchema = Awaited<ReturnType<typeof readTenantSchema>>;

/** By tenant table, the company's column, and the first column of each index. */
async function readTenantSchema(client: pg.PoolClient) {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE a.attname = 'company_id' AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
  );
  const { rows: indexes } = await client.query<{ name: string; table: string; first: string }>(
    `SELECT i.indexrelid::regclass::text AS name, i.indrelid::regclass::text AS table, a.attname::text AS first
       FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
            LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
      WHERE c.relnamespace = 'public'::regnamespace`,
  );
  const columns = new Map(tables.map(({ name }) => [name, 'company_id']));
  return { columns: columns.set('companies', 'id'), indexes: new Map(indexes.map((index) => [index.name, index])) };
}

function straysIn(schema: TenantSchema, node: PlanNode): string[] {
  const below = (node.Plans ?? []).flatMap((inner) => straysIn(schema, inner));
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index, 'Index Cond': condition = '' } = node;
  if (index !== undefined) {
    const { table: indexed = '', first } = schema.indexes.get(index) ?? {};
    const column = schema.columns.get(indexed);
    const isOwn = column === undefined || (first === column && new RegExp(`\\b${column}\\b`).test(condition));
    return isOwn ? below : [`${type} of ${index} on ${indexed} where ${condition}`, ...below];
  }
  // The index of a bitmap scan, and the search for written rows, are in the node below.
  const isScan = type.endsWith('Scan') && type !== 'Bitmap Heap Scan';
  return isScan && schema.columns.has(table) ? [`${type} on ${table}`, ...below] : below;
}

/** How many shards each part of a Citus plan reads or writes. Empty if everything stays on the coordinator. */
function tasksIn(plan: unknown): number[] {
  if (typeof plan !== 'object' || plan === null) return [];
  return Object.entries(plan).flatMap(([name, value]) => (name === 'Task Count' ? [Number(value)] : tasksIn(value)));
}
