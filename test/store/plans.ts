import type pg from 'pg';
import type { Statement } from '../helper/statements.ts';

/** A node of EXPLAIN (FORMAT JSON); PostgreSQL names its properties so. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Tenants' tables and their indexes, with the column that says whose a row is. */
export interface TenantSchema {
  readonly columns: ReadonlyMap<string, string>;
  /** The table of an index, and the column with which the index begins. */
  readonly indexes: ReadonlyMap<string, { readonly table: string; readonly column: string }>;
}

export async function readTenantSchema(pool: pg.Pool): Promise<TenantSchema> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE a.attname = 'company_id' AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
  );
  const { rows: indexes } = await pool.query<{ name: string; table: string; column: string }>(
    `SELECT i.indexrelid::regclass::text AS name, i.indrelid::regclass::text AS table, a.attname::text AS column
       FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
       JOIN pg_class c ON c.oid = i.indrelid WHERE c.relnamespace = 'public'::regnamespace`,
  );
  const ownColumn = tables.map(({ name }) => [name, 'company_id'] as const);
  return {
    columns: new Map([...ownColumn, ['companies', 'id']]),
    indexes: new Map(indexes.map(({ name, table, column }) => [name, { table, column }])),
  };
}

const canBePlanned = /^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/i;

/**
 * How PostgreSQL would go about a statement; none where it has nothing to plan. Twice: for its values, and without any, as a prepared
 * statement is planned after its fifth time.
 */
async function plansOf(client: pg.PoolClient, { text, values }: Statement): Promise<PlanNode[]> {
  if (!canBePlanned.test(text)) return [];
  const forValues = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, [...values]);
  await client.query(`PREPARE asked AS ${text}`);
  await client.query('SET plan_cache_mode = force_generic_plan');
  const nothing = values.length === 0 ? '' : `(${values.map(() => 'NULL').join(', ')})`;
  const generic = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE asked${nothing}`);
  await client.query('RESET plan_cache_mode');
  await client.query('DEALLOCATE asked');
  return [forValues, generic].map(
    ({ rows }) => (rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0].Plan,
  );
}

/** How a statement reads tenants' tables other than by an index that begins with the company; none where all is well. */
export async function strayReads(client: pg.PoolClient, schema: TenantSchema, statement: Statement): Promise<string[]> {
  return (await plansOf(client, statement)).flatMap((plan) => strays(schema, plan));
}

/** Each way in which a statement reads a table, as `Index Scan of jobs_pkey`, in the order of its plans. */
export async function readsOf(client: pg.PoolClient, table: string, statement: Statement): Promise<string[]> {
  const reads = (node: PlanNode): string[] => [
    ...(node['Relation Name'] === table ? [`${node['Node Type']} of ${node['Index Name']}`] : []),
    ...(node.Plans ?? []).flatMap(reads),
  ];
  return (await plansOf(client, statement)).flatMap(reads);
}

function strays(schema: TenantSchema, node: PlanNode): string[] {
  const below = (node.Plans ?? []).flatMap((inner) => strays(schema, inner));
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index, 'Index Cond': condition = '' } = node;
  if (index !== undefined) {
    const { table: indexed = '', column: first } = schema.indexes.get(index) ?? {};
    const column = schema.columns.get(indexed);
    const isOwn = column === undefined || (first === column && new RegExp(`\\b${column}\\b`).test(condition));
    return isOwn ? below : [`${type} of ${index} on ${indexed} where ${condition}`, ...below];
  }
  // The index of a bitmap scan is in the node below; what is written is found by a node below.
  const isScan = type.endsWith('Scan') && type !== 'Bitmap Heap Scan';
  return isScan && schema.columns.has(table) ? [`${type} on ${table}`, ...below] : below;
}
