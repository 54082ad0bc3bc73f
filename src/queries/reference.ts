import type { Db } from '../database/open.ts';

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
 * Active categories only; a child whose main area is inactive is left out with it. This list and that of the districts are complete
 * (section 4.1) and have no LIMIT: they hold the reference data in prisma/reference and nobody can add to them.
 */
export async function listCategories(db: Db): Promise<CategoryRow[]> {
  const rows = await db.category.findMany({
    where: { active: true, OR: [{ parentId: null }, { parent: { active: true } }] },
    select: { id: true, name: true, slug: true, parentId: true },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ parentId, ...category }) => ({ ...category, parent_id: parentId }));
}

export const listDistricts = (db: Db): Promise<DistrictRow[]> => db.district.findMany({ orderBy: { id: 'asc' } });

/** Whether a job may be filed there: an active child of an active main area (section 2.2). */
export async function isPostableCategory(db: Db, id: number): Promise<boolean> {
  const found = await db.category.findFirst({
    where: { id, active: true, parent: { active: true } },
    select: { id: true },
  });
  return found !== null;
}

export async function districtExists(db: Db, id: number): Promise<boolean> {
  return (await db.district.findFirst({ where: { id }, select: { id: true } })) !== null;
}

/** A company without listed districts may publish everywhere; it has at most one row for each district. */
export async function mayPublishIn(db: Db, companyId: bigint, districtId: number): Promise<boolean> {
  const allowed = await db.allowedDistrict.findMany({ where: { companyId }, select: { districtId: true } });
  return allowed.length === 0 || allowed.some((row) => row.districtId === districtId);
}
