import type pg from 'pg';
import { type SpreadTable, spreadTables } from '../../src/database/citus/distribute.ts';
import { analyze, childrenOf, type Item, isNode, listOf, parameterTypes, type TreeNode } from './node-trees.ts';

/** What Citus would refuse in a statement, and whether its rows may be on several nodes. Needs no Citus. */
export interface Verdict {
  readonly refusals: readonly string[];
  readonly isSpread: boolean;
}

interface Catalog {
  /** The number of the column that decides the node of a row; 0 for a reference table, of which every node has a copy. */
  readonly spread: ReadonlyMap<string, number>;
  /** i, s or v. */
  readonly volatility: ReadonlyMap<string, string>;
  /** The volatility of a type's output function, and of its input function. */
  readonly toText: ReadonlyMap<string, string>;
  readonly fromText: ReadonlyMap<string, string>;
  readonly equalities: ReadonlySet<string>;
}

async function readCatalog(client: pg.ClientBase): Promise<Catalog> {
  const pairs = async (sql: string) =>
    (await client.query<{ oid: string; value: string }>(sql)).rows.map(({ oid, value }) => [oid, value] as const);
  const columns = new Map(
    await pairs(`SELECT attrelid::regclass || '.' || attname AS oid, attrelid || ' ' || attnum AS value FROM pg_attribute
                  WHERE attnum > 0 AND attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace)`),
  );
  const { rows: tables } = await client.query<SpreadTable>(spreadTables);
  const spread = tables.map(({ name, column }): [string, number] => {
    const [oid = '', number] = columns.get(`${name}.${column ?? 'id'}`)?.split(' ') ?? [];
    return [oid, column === null ? 0 : Number(number)];
  });
  const io = (side: string) =>
    pairs(`SELECT t.oid::text, provolatile::text AS value FROM pg_type t JOIN pg_proc p ON p.oid = ${side}`);
  return {
    spread: new Map(spread),
    volatility: new Map(await pairs('SELECT oid::text, provolatile::text AS value FROM pg_proc')),
    toText: new Map(await io('typoutput')),
    fromText: new Map(await io('typinput')),
    equalities: new Set(
      (await pairs(`SELECT oid::text, '' AS value FROM pg_operator WHERE oprname = '='`)).map(([oid]) => oid),
    ),
  };
}

/** Checks statements of the service. Their parameters are `$1` and so on unless they are named. */
export async function citusJudge(client: pg.ClientBase) {
  const catalog = await readCatalog(client);
  return async (text: string, parameters?: readonly string[]): Promise<Verdict> => {
    const tree = await analyze(client, text, parameters ?? (await parameterTypes(client, text)));
    const judge = new Judge(catalog);
    judge.readAll(tree);
    return { refusals: [...new Set(judge.refusals)], isSpread: judge.isSpread };
  };
}

/** Commands of a query's tree. */
const [select, update, insert] = ['1', '2', '3'];
/** Kinds of an entry in the table of a query's rows. */
const [ofTable, ofSubquery] = ['0', '1'];

const field = (node: TreeNode | undefined, name: string): string => {
  const value = node?.fields[name];
  return typeof value === 'string' ? value : '';
};

class Judge {
  readonly refusals: string[] = [];
  isSpread = false;
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** The queries that Citus plans separately. A subquery that is correlated with an outer query belongs to that one. */
  readAll(item: Item): void {
    if (isNode(item) && item.tag === 'QUERY') this.#readUnit(item);
    else for (const child of childrenOf(item)) this.readAll(child);
  }

  #readUnit(query: TreeNode): void {
    const unit = new Unit(this.#catalog);
    unit.add(query, []);
    this.#judgeTables(unit);
    for (const one of unit.queries) if (this.#isSpreadTable(targetOf(one))) this.#judgeChange(one);
    for (const own of unit.apart) this.readAll(own);
  }

  #isSpreadTable(entry: TreeNode | undefined): boolean {
    return entry !== undefined && this.#catalog.spread.has(field(entry, 'relid'));
  }

  #judgeTables({ queries, locals, tables, isOnOneNode }: Unit): void {
    if (tables.size > 0 && locals > 0) this.refusals.push('joins distributed with local tables');
    if (isOnOneNode()) return;
    this.isSpread = true;
    if (new Set(tables.values()).size > 1) this.refusals.push('joins distributed tables without the company');
    if (queries.some((query) => field(query, 'commandType') !== select))
      this.refusals.push('changes rows without the company');
  }

  #judgeChange(query: TreeNode): void {
    const { fields } = query;
    const command = field(query, 'commandType');
    if (this.#isMutable(fields.returningList ?? '')) this.refusals.push('returns what is not immutable');
    const conflict = isNode(fields.onConflict) ? fields.onConflict.fields : {};
    if (this.#isMutable([conflict.onConflictSet ?? '', conflict.onConflictWhere ?? '']))
      this.refusals.push('sets what is not immutable on a conflict');
    if (command === insert) return;
    const computed = [command === update ? (fields.targetList ?? '') : '', fields.jointree ?? ''];
    if (this.#some(computed, (node) => this.#volatilityOf(node) === 'v'))
      this.refusals.push('computes what is volatile');
    if (this.#some(computed, (node) => this.#volatilityOf(node) === 's' && hasColumn(node)))
      this.refusals.push('computes what is stable from a column');
    if (
      this.#some(
        computed,
        (node) => ['CASEEXPR', 'CASE', 'COALESCEEXPR', 'COALESCE'].includes(node.tag) && this.#isMutable(node),
      )
    )
      this.refusals.push('chooses what is not immutable');
  }

  #isMutable(item: Item): boolean {
    return this.#some(item, (node) => this.#volatilityOf(node) !== 'i');
  }

  #some(item: Item, test: (node: TreeNode) => boolean): boolean {
    if (isNode(item) && (item.tag === 'QUERY' || test(item))) return item.tag !== 'QUERY';
    return childrenOf(item).some((child) => this.#some(child, test));
  }

  #volatilityOf(node: TreeNode): string {
    const { volatility, toText, fromText } = this.#catalog;
    const called = field(node, 'funcid') || field(node, 'opfuncid');
    if (called !== '' && node.tag !== 'AGGREF' && node.tag !== 'WINDOWFUNC') return volatility.get(called) ?? 'v';
    if (node.tag === 'COERCEVIAIO') {
      const io = [toText.get(typeOf(node.fields.arg)), fromText.get(field(node, 'resulttype'))];
      return io.every((one) => one === 'i') ? 'i' : 's';
    }
    return node.tag === 'SQLVALUEFUNCTION' ? 's' : node.tag === 'NEXTVALUEEXPR' ? 'v' : 'i';
  }
}

const targetOf = (query: TreeNode): TreeNode | undefined => {
  const entry = listOf(query.fields.rtable)[Number(field(query, 'resultRelation')) - 1];
  return isNode(entry) ? entry : undefined;
};

const hasColumn = (item: Item): boolean => (isNode(item) && item.tag === 'VAR') || childrenOf(item).some(hasColumn);

const typeOf = (item: Item | undefined): string => {
  if (!isNode(item)) return '';
  const [, type] = Object.entries(item.fields).find(([name]) => /^\w*type$/.test(name) && !/kind/.test(name)) ?? [];
  return typeof type === 'string' ? type : '';
};

/** A query with those that are correlated with it. */
class Unit {
  readonly queries: TreeNode[] = [];
  /** The queries that Citus plans first. */
  readonly apart: Item[] = [];
  /** Groups distributed tables by company: tables in one set have the same company. The set `known` has a given company. */
  readonly tables = new Map<TreeNode, Set<unknown>>();
  locals = 0;
  readonly #known = new Set<unknown>(['known']);
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  add(query: TreeNode, outer: readonly TreeNode[]): void {
    const scopes = [...outer, query];
    this.queries.push(query);
    const { rtable, onConflict } = query.fields;
    const excluded = isNode(onConflict) ? Number(field(onConflict, 'exclRelIndex')) : 0;
    for (const [index, entry] of listOf(rtable).entries())
      if (isNode(entry) && index + 1 !== excluded) this.#addTable(entry);
    this.apart.push(query.fields.cteList ?? '');
    const { cteList: _, ...own } = query.fields;
    for (const item of Object.values(own)) this.#addSubqueries(item, scopes);
    this.#addConditions(query.fields.jointree ?? '', scopes);
    const target = targetOf(query);
    // An inserted row names its company, or is a company.
    if (target && this.tables.has(target) && field(query, 'commandType') === insert) this.#join(target, this.#known);
  }

  readonly isOnOneNode = (): boolean => [...this.tables.keys()].every((entry) => this.#setOf(entry).has('known'));

  #addTable(entry: TreeNode): void {
    if (field(entry, 'rtekind') !== ofTable) return;
    const column = this.#catalog.spread.get(field(entry, 'relid'));
    if (column === undefined) this.locals += 1;
    else if (column > 0) this.tables.set(entry, new Set([entry]));
  }

  #addSubqueries(item: Item, scopes: readonly TreeNode[]): void {
    if (!isNode(item) || item.tag !== 'QUERY') {
      for (const child of childrenOf(item)) this.#addSubqueries(child, scopes);
    } else if (isCorrelated(item, 1)) this.add(item, scopes);
    else this.apart.push(item);
  }

  /** The conditions that must all hold. */
  #addConditions(item: Item, scopes: readonly TreeNode[]): void {
    if (!isNode(item)) for (const child of childrenOf(item)) this.#addConditions(child, scopes);
    else if (item.tag === 'FROMEXPR' || item.tag === 'JOINEXPR')
      this.#addConditions(Object.values(item.fields), scopes);
    else if (item.tag === 'BOOLEXPR' && field(item, 'boolop') === 'and')
      this.#addConditions(item.fields.args ?? '', scopes);
    else if (item.tag === 'OPEXPR' && this.#catalog.equalities.has(field(item, 'opno')))
      this.#addEquality(item, scopes);
    else if (item.tag === 'SCALARARRAYOPEXPR' && field(item, 'useOr') === 'true') this.#addEquality(item, scopes);
  }

  #addEquality({ fields }: TreeNode, scopes: readonly TreeNode[]): void {
    const [left, right] = listOf(fields.args);
    if (left === undefined || right === undefined) return;
    const [one, other] = [this.#companyOf(left, scopes), this.#companyOf(right, scopes)];
    if (one && other) this.#join(one, this.#setOf(other));
    else if (one && !hasColumn(right)) this.#join(one, this.#known);
    else if (other && !hasColumn(left)) this.#join(other, this.#known);
  }

  /** The table whose company column an expression is. */
  #companyOf(item: Item, scopes: readonly TreeNode[]): TreeNode | undefined {
    if (!isNode(item) || item.tag !== 'VAR') return undefined;
    const depth = scopes.length - Number(field(item, 'varlevelsup'));
    const entry = listOf(scopes[depth - 1]?.fields.rtable)[Number(field(item, 'varno')) - 1];
    if (!isNode(entry)) return undefined;
    if (this.tables.has(entry))
      return String(this.#catalog.spread.get(field(entry, 'relid'))) === field(item, 'varattno') ? entry : undefined;
    const { subquery } = entry.fields;
    if (field(entry, 'rtekind') !== ofSubquery || !isNode(subquery)) return undefined;
    const column = listOf(subquery.fields.targetList)[Number(field(item, 'varattno')) - 1];
    return isNode(column)
      ? this.#companyOf(column.fields.expr ?? '', [...scopes.slice(0, depth), subquery])
      : undefined;
  }

  #setOf = (entry: TreeNode): Set<unknown> => this.tables.get(entry) ?? new Set();

  #join(entry: TreeNode, others: Set<unknown>): void {
    const set = this.#setOf(entry);
    if (set === others) return;
    for (const one of set) others.add(one);
    for (const [table, own] of this.tables) if (own === set) this.tables.set(table, others);
  }
}

/** Whether a query refers to one around it. */
const isCorrelated = (item: Item, levels: number): boolean => {
  if (isNode(item) && item.tag === 'VAR') return Number(field(item, 'varlevelsup')) >= levels;
  const inner = (child: Item) => isCorrelated(child, isNode(child) && child.tag === 'QUERY' ? levels + 1 : levels);
  return childrenOf(item).some(inner);
};
