import type { Company } from '../../generated/prisma/client.ts';
import type { Tx } from '../database/transaction.ts';

export type CompanyRecord = Pick<Company, 'verified' | 'autoPublish' | 'suspendedAt' | 'productionApprovedAt'>;

/**
 * Reads a company and makes every other change of the same company wait until this transaction ends.
 * NO KEY UPDATE, because a plain FOR UPDATE would also stop the company's postings.
 */
export async function lockCompany(tx: Tx, companyId: bigint): Promise<CompanyRecord | undefined> {
  const rows = await tx.$queryRaw<CompanyRecord[]>`
    SELECT verified, auto_publish AS "autoPublish", suspended_at AS "suspendedAt",
           production_approved_at AS "productionApprovedAt"
      FROM companies WHERE id = ${companyId} FOR NO KEY UPDATE`;
  return rows[0];
}

export async function insertCompany(
  tx: Tx,
  company: CompanyRecord & { name: string; createdAt: Date },
): Promise<bigint> {
  const { id } = await tx.company.create({ data: company, select: { id: true } });
  return id;
}

export async function updateCompany(tx: Tx, companyId: bigint, change: Partial<CompanyRecord>): Promise<void> {
  await tx.company.update({ where: { id: companyId }, data: change, select: { id: true } });
}

/** The districts in which a company may publish; none means all of them. */
export async function replaceDistricts(tx: Tx, companyId: bigint, districtIds: readonly number[]): Promise<void> {
  await tx.allowedDistrict.deleteMany({ where: { companyId } });
  await tx.allowedDistrict.createMany({ data: districtIds.map((districtId) => ({ companyId, districtId })) });
}

/** Those of the ids that are no district's. */
export async function unknownDistricts(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const known = await tx.district.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  return ids.filter((id) => !known.some((district) => district.id === id));
}

/** Whether anybody uses this database yet. */
export async function hasCompanies(tx: Tx): Promise<boolean> {
  return (await tx.company.findFirst({ select: { id: true } })) !== null;
}
