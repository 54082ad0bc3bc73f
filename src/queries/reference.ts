import type { Db } from '../database/open.ts';
import { referenceSeed } from '../database/prisma-folder.ts';
import type { Tx } from '../database/transaction.ts';
import { type CachedJson, cachedJson } from '../domain/cached-json.ts';

export interface CategoryRow {
  id: number;
  name: string;
  slug: string;
  parent_id: number | null;
}

export interface DistrictRow {
  id: number;
  name: string;
  slug: string;
}

/**
 * Lists active categories; children of an inactive main area are left out. This list and that of the districts have no LIMIT (section
 * 4.1): nobody can add to the reference data.
 */
async function listCategories(db: Db): Promise<CategoryRow[]> {
  const rows = await db.category.findMany({
    where: { active: true, OR: [{ parentId: null }, { parent: { active: true } }] },
    select: { id: true, name: true, slug: true, parentId: true },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ parentId, ...category }) => ({ ...category, parent_id: parentId }));
}

export const listDistricts = (db: Db): Promise<DistrictRow[]> => db.district.findMany({ orderBy: { id: 'asc' } });

/** Whether a category takes jobs (an active child of an active main area, section 2.2), is an active main area, or neither. */
export async function categoryKind(db: Db, id: number): Promise<'postable' | 'area' | 'none'> {
  const found = await db.category.findFirst({
    where: { id, active: true, OR: [{ parentId: null }, { parent: { active: true } }] },
    select: { parentId: true },
  });
  if (found === null) return 'none';
  return found.parentId === null ? 'area' : 'postable';
}

export async function districtExists(db: Db, id: number): Promise<boolean> {
  return (await db.district.findFirst({ where: { id }, select: { id: true } })) !== null;
}

/** A company without listed districts may publish everywhere. */
export async function mayPublishIn(db: Db, companyId: bigint, districtId: number): Promise<boolean> {
  const allowed = await db.allowedDistrict.findMany({ where: { companyId }, select: { districtId: true } });
  return allowed.length === 0 || allowed.some((row) => row.districtId === districtId);
}

interface CategoryState {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
}

export interface CategoryTree extends CategoryState {
  readonly children: readonly CategoryState[];
}

const state = { id: true, name: true, active: true } as const;

/** Lists main areas with their children, including inactive ones. */
export const listCategoryTree = (tx: Tx): Promise<CategoryTree[]> =>
  tx.category.findMany({
    where: { parentId: null },
    select: { ...state, children: { select: state, orderBy: { id: 'asc' } } },
    orderBy: { id: 'asc' },
  });

/** Returns undefined if there is no such category; `changed` is false if it already had that state. */
export async function updateCategory(
  tx: Tx,
  id: number,
  active: boolean,
): Promise<{ readonly name: string; readonly changed: boolean } | undefined> {
  const { count } = await tx.category.updateMany({ where: { id, active: !active }, data: { active } });
  const found = await tx.category.findUnique({ where: { id }, select: { name: true } });
  return found ? { name: found.name, changed: count > 0 } : undefined;
}

type List<T> = CachedJson<{ data: T[] }>;

interface Kept<T> {
  readonly list: List<T>;
  readonly at: number;
}

/** How long a process reuses a list. Writes of jobs check the database instead. */
const keptMs = 1000;

/** The lists that are the same for every company, read at most once a second. */
export class ReferenceLists {
  readonly categories: (now: Date) => Promise<List<CategoryRow>>;
  readonly districts: (now: Date) => Promise<List<DistrictRow>>;

  constructor(db: Db) {
    this.categories = keeping(() => listCategories(db));
    this.districts = keeping(() => listDistricts(db));
  }
}

function keeping<T>(read: () => Promise<T[]>): (now: Date) => Promise<List<T>> {
  let kept: Kept<T> | undefined;
  let reading: Promise<List<T>> | undefined;
  const readNow = async (at: number): Promise<List<T>> => {
    const list = cachedJson({ data: await read() });
    kept = { list, at };
    return list;
  };
  return async (now) => {
    const at = now.getTime();
    if (kept && Math.abs(at - kept.at) < keptMs) return kept.list;
    reading ??= readNow(at).finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

/** Inserts the plans, districts and categories that are missing, and returns how many. */
export async function insertMissingReference(tx: Tx): Promise<number> {
  const [sql, values] = await referenceSeed({ again: true });
  const [row] = await tx.$queryRawUnsafe<{ inserted: number }[]>(sql, ...values);
  return row?.inserted ?? 0;
}
