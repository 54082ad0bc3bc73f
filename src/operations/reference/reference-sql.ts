import type { Category, District } from '../../../generated/prisma/client.ts';
import type { Context, ReferenceLists } from '../../context.ts';
import type { Schemas } from '../../contract/types.ts';
import type { Db } from '../../database/open.ts';
import { referenceSeed } from '../../database/prisma-folder.ts';
import type { Tx } from '../../database/transaction.ts';
import type { Page } from '../kit/clauses-sql.ts';

/**
 * Lists active categories, without the children of an inactive main area. This list and the list of districts have no LIMIT (section 4.1):
 * only the service's own people add to the reference data.
 */
async function listCategories(db: Db): Promise<Schemas['Category'][]> {
  const rows = await db.category.findMany({
    where: { active: true, OR: [{ parentId: null }, { parent: { active: true } }] },
    select: { id: true, name: true, slug: true, parentId: true },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ parentId, ...category }) => ({ ...category, parent_id: parentId }));
}

export const listDistricts = (db: Db): Promise<District[]> => db.district.findMany({ orderBy: { id: 'asc' } });

const state = { id: true, name: true, slug: true, parentId: true, active: true } as const;

export type CategoryState = Pick<Category, keyof typeof state>;

/** Lists main areas with their children, including inactive ones. */
export const listCategoryTree = (tx: Tx): Promise<(CategoryState & { children: CategoryState[] })[]> =>
  tx.category.findMany({
    where: { parentId: null },
    select: { ...state, children: { select: state, orderBy: { id: 'asc' } } },
    orderBy: { id: 'asc' },
  });

/** Lists one page of categories by id, including inactive ones. */
export async function searchCategories(
  tx: Tx,
  { parentId, active }: { readonly parentId: number | undefined; readonly active: boolean | undefined },
  { page, perPage }: Page,
): Promise<{ items: CategoryState[]; total: number }> {
  const where = { ...(parentId !== undefined && { parentId }), ...(active !== undefined && { active }) };
  const range = { orderBy: { id: 'asc' }, skip: (page - 1) * perPage, take: perPage } as const;
  const items = await tx.category.findMany({ where, select: state, ...range });
  return { items, total: await tx.category.count({ where }) };
}

export async function findCategory(tx: Tx, id: number): Promise<CategoryState | undefined> {
  return (await tx.category.findUnique({ where: { id }, select: state })) ?? undefined;
}

export const listCategoryNames = (tx: Tx): Promise<Pick<CategoryState, 'id' | 'name'>[]> =>
  tx.category.findMany({ select: { id: true, name: true } });

export const findReferenceNames = (tx: Tx, categories: readonly bigint[], districts: readonly bigint[]) =>
  tx.$queryRaw<{ key: string; name: string }[]>`
    SELECT 'category:' || id AS key, name FROM categories WHERE id = ANY (${categories}::bigint[])
    UNION ALL SELECT 'district:' || id, name FROM districts WHERE id = ANY (${districts}::bigint[])`;

/** Categories of the reference data have smaller ids than those added by people. */
const ownCategoryIdMin = 10_000;

/** Blocks other changes of categories until this transaction ends, but not readers. */
export async function lockCategories(tx: Tx): Promise<void> {
  await tx.$executeRaw`LOCK TABLE categories IN SHARE ROW EXCLUSIVE MODE`;
}

/** Throws a unique violation if there is a category with that slug. Requires lockCategories in the same transaction. */
export async function insertCategory(
  tx: Tx,
  category: Pick<CategoryState, 'name' | 'slug' | 'parentId'>,
): Promise<number> {
  const greatest = await tx.category.aggregate({ _max: { id: true } });
  const id = Math.max(ownCategoryIdMin, (greatest._max.id ?? 0) + 1);
  await tx.category.create({ data: { id, ...category }, select: { id: true } });
  return id;
}

export async function updateCategory(
  tx: Tx,
  id: number,
  columns: Partial<Pick<CategoryState, 'name' | 'active' | 'parentId'>>,
): Promise<void> {
  await tx.category.update({ where: { id }, data: columns, select: { id: true } });
}

/** How long a process reuses a list. Writes of jobs always check the database. */
const keptMs = 1000;

/** Reads each list at most once a second from each database node. Every node has a copy of the reference data. */
export const referenceLists = (): ReferenceLists => ({
  categories: keeping(listCategories),
  districts: keeping(listDistricts),
});

function keeping<T>(read: (db: Db) => Promise<T[]>): (ctx: Pick<Context, 'db' | 'now'>) => Promise<T[]> {
  const kept = new WeakMap<Db, { readonly at: number; readonly list: Promise<T[]> }>();
  return ({ db, now }) => {
    const at = now.getTime();
    const last = kept.get(db);
    if (last && Math.abs(at - last.at) < keptMs) return last.list;
    const begun = { at, list: read(db) };
    kept.set(db, begun);
    begun.list.catch(() => {
      if (kept.get(db) === begun) kept.delete(db);
    });
    return begun.list;
  };
}

/** Inserts missing plans, districts and categories, and returns the number of inserted rows. */
export async function insertMissingReference(tx: Tx): Promise<number> {
  const [sql, values] = await referenceSeed({ again: true });
  const [row] = await tx.$queryRawUnsafe<{ inserted: number }[]>(sql, ...values);
  return row?.inserted ?? 0;
}
