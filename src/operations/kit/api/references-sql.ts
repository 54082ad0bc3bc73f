import type { Db } from '../../../database/open.ts';
import type { Tenant } from '../../../domain/environment.ts';

/** Why a field cannot refer to an entry of the reference data; see `place_refusals` in prisma/functions.sql. */
export type ReferenceRefusal = 'category' | 'area' | 'district';

/** Returns which refusals apply to the ids. One that is not given is not checked. */
export async function findReferenceRefusals(
  db: Db,
  { companyId }: Pick<Tenant, 'companyId'>,
  ids: { readonly categories?: number; readonly districts?: number },
): Promise<readonly ReferenceRefusal[]> {
  const [row] = await db.$queryRaw<{ refusals: ReferenceRefusal[] }[]>`
    SELECT place_refusals(${companyId}, ${ids.categories ?? null}, ${ids.districts ?? null}, false) AS refusals`;
  return row?.refusals ?? [];
}
