import type pg from 'pg';
import type { Statement } from '../helper/record-statements.ts';

/** A node of EXPLAIN (FORMAT JSON), with PostgreSQL's property names. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Filter?: string;
  readonly 'Subplan Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Tenant tables with the column that names the company, and their indexes. */
export interface TenantSchema {
  readonly columns: ReadonlyMap<string, string>;
  readonly indexes: ReadonlyMap<string, TableIndex>;
}

interface TableIndex {
  readonly table: string;
  /** The first column of the index. */
  readonly column: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
}

export async function readTenantSchema(pool: pg.Pool): Promise<TenantSchema> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE a.attname = 'company_id' AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
  );
  const { rows: indexes } = await pool.query<Omit<TableIndex, 'column'> & { name: string }>(
    `SELECT i.indexrelid::regclass::text AS name, i.indrelid::regclass::text AS table,
            i.indisunique AND i.indpred IS NULL AS unique,
            ARRAY(SELECT a.attname::text FROM unnest(i.indkey) WITH ORDINALITY AS k (attnum, place)
                    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum ORDER BY place) AS columns
       FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE c.relnamespace = 'public'::regnamespace`,
  );
  const ownColumn = tables.map(({ name }) => [name, 'company_id'] as const);
  return {
    columns: new Map([...ownColumn, ['companies', 'id']]),
    indexes: new Map(indexes.map(({ name, ...index }) => [name, { ...index, column: index.columns[0] ?? '' }])),
  };
}

const canBePlanned = /^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/i;

/**
 * The plans of a statement: for its values, and the generic one of a prepared statement. None for a statement that cannot be planned.
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

/** How a statement reads tenant tables without an index that begins with the company; normally empty. */
export async function strayReads(client: pg.PoolClient, schema: TenantSchema, statement: Statement): Promise<string[]> {
  return (await plansOf(client, statement)).flatMap((plan) => strays(schema, plan));
}

/** The same for a plan that auto_explain has written. */
export const strayReadsOf = (schema: TenantSchema, written: string): string[] =>
  strays(schema, (JSON.parse(written) as { Plan: PlanNode }).Plan);

/** How a statement reads its tables, such as `Index Scan of jobs_pkey`, in the order of its plans. */
export async function readsOf(client: pg.PoolClient, table: string, statement: Statement): Promise<string[]> {
  const reads = (node: PlanNode): string[] => [
    ...(node['Relation Name'] === table ? [`${node['Node Type']} of ${node['Index Name']}`] : []),
    ...(node.Plans ?? []).flatMap(reads),
  ];
  return (await plansOf(client, statement)).flatMap(reads);
}

/** Nodes that sort rows of a table before any LIMIT or aggregate; normally empty. */
export async function sortsOf(client: pg.PoolClient, table: string, statement: Statement): Promise<string[]> {
  const readsUnlimited = (node: PlanNode): boolean =>
    !['Limit', 'Aggregate'].includes(node['Node Type']) &&
    (node['Relation Name'] === table || (node.Plans ?? []).some(readsUnlimited));
  const sorts = (node: PlanNode): string[] => [
    ...(node['Node Type'].endsWith('Sort') && readsUnlimited(node) ? [node['Node Type']] : []),
    ...(node.Plans ?? []).flatMap(sorts),
  ];
  return (await plansOf(client, statement)).flatMap(sorts);
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
  // A bitmap scan has its index in the node below; written rows are found by a node below.
  const isScan = type.endsWith('Scan') && type !== 'Bitmap Heap Scan';
  return isScan && schema.columns.has(table) ? [`${type} on ${table}`, ...below] : below;
}

/** Tables that grow with tenants, people and requests. */
const growing: ReadonlySet<string> = new Set([
  'jobs',
  'job_events',
  'credentials',
  'idempotency_keys',
  'request_log',
  'audit_entries',
  'users',
  'companies',
  'page_sessions',
  'posting_usage',
  'subscriptions',
  'rate_limits',
]);

/**
 * Unbounded reads of growing tables: not below a LIMIT or an aggregate, and not by all columns of a unique index. Normally empty.
 */
export async function unboundedReads(
  client: pg.PoolClient,
  schema: TenantSchema,
  statement: Statement,
): Promise<string[]> {
  return (await plansOf(client, statement)).flatMap((plan) => unbounded(schema, plan, limitedLists(plan)));
}

function unbounded(schema: TenantSchema, node: PlanNode, lists: readonly string[]): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', Plans: inner = [] } = node;
  if (type === 'Limit' || type === 'Aggregate') return [];
  const below = inner.flatMap((child) => unbounded(schema, child, lists));
  if (!type.endsWith('Scan') || !growing.has(table)) return below;
  const conditions = [node['Index Cond'], node['Recheck Cond'], node.Filter].join(' ');
  const unique = [...schema.indexes.values()].filter((index) => index.table === table && index.unique);
  const findsOne = unique.some(({ columns }) => columns.every((column) => isNamed(column, conditions, lists)));
  return findsOne ? below : [`${type} on ${table} where ${conditions}`, ...below];
}

/** Whether a column must equal a value, or one of a list that has a LIMIT. */
function isNamed(column: string, conditions: string, lists: readonly string[]): boolean {
  const values = ['(?!ANY )', ...lists.map((list) => `ANY \\(\\(?${list.replaceAll('$', '\\$')}\\b`)];
  return new RegExp(`\\(${column} = (${values.join('|')})`).test(conditions);
}

/** The name of an array of limited rows in a condition: `$0` until PostgreSQL 16, then `InitPlan 1`. */
function limitedLists(node: PlanNode): string[] {
  const { 'Node Type': type, 'Subplan Name': name = '', Plans: inner = [] } = node;
  const [, number, result] = /^InitPlan (\d+)(?: \(returns (\$\d+)\))?/.exec(name) ?? [];
  const own = number !== undefined && type === 'Limit' ? [result ?? `InitPlan ${number}`] : [];
  return [...own, ...inner.flatMap(limitedLists)];
}
