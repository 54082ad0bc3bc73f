import type { Db } from '../../../database/open.ts';
import type { Tenant } from '../../../domain/environment.ts';
import type { ReferenceList, ReferenceRefusal } from '../../../domain/reference-lists.ts';

/** Returns the refusals of each id, in the order given. */
export async function findReferenceRefusals(
  db: Db,
  { companyId }: Pick<Tenant, 'companyId'>,
  ids: readonly (readonly [ReferenceList, number])[],
): Promise<readonly (readonly ReferenceRefusal[])[]> {
  const of = (list: ReferenceList) => ids.map(([wanted, id]) => (wanted === list ? id : null));
  const rows = await db.$queryRaw<{ refusals: ReferenceRefusal[] }[]>`
    SELECT place_refusals(${companyId}, category, district, false) AS refusals
      FROM unnest(${of('categories')}::int[], ${of('districts')}::int[]) WITH ORDINALITY AS wanted (category, district, place)
      ORDER BY place`;
  return rows.map(({ refusals }) => refusals);
}
