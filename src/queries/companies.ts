import type { Company } from '../../generated/prisma/client.ts';
import type { Tx } from '../database/transaction.ts';
import { type Day, dateToDay, dayToDate } from '../domain/dates.ts';
import type { Environment } from '../domain/environment.ts';
import type { JobStatus } from '../domain/job.ts';

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

/** A company with all that is decided about it; a subscription or grant also where it has ended. */
export async function findCompany(tx: Tx, id: bigint) {
  const found = await tx.company.findUnique({
    where: { id },
    include: {
      subscription: { include: { plan: true } },
      complimentaryGrant: true,
      allowedDistricts: { select: { district: true }, orderBy: { districtId: 'asc' } },
    },
  });
  if (!found) return undefined;
  const { subscription, complimentaryGrant: grant, allowedDistricts, ...company } = found;
  return {
    ...company,
    subscription: subscription && { ...subscription, startedOn: dateToDay(subscription.startedOn) },
    grant: grant && {
      monthlyLimit: grant.monthlyLimit,
      startedOn: dateToDay(grant.startedOn),
      expiresOn: grant.expiresOn && dateToDay(grant.expiresOn),
    },
    districts: allowedDistricts.map(({ district }) => district),
  };
}

export interface JobCount {
  readonly environment: Environment;
  readonly status: JobStatus;
  readonly jobs: number;
}

/** By environment and by the status that a reader sees on `today`; none is left out. */
export function countJobs(tx: Tx, companyId: bigint, today: Day): Promise<JobCount[]> {
  return tx.$queryRaw<JobCount[]>`
    SELECT environment, count(*)::int AS jobs,
           CASE WHEN status = 'active' AND valid_until < ${dayToDate(today)}::date THEN 'expired' ELSE status END AS status
      FROM jobs WHERE company_id = ${companyId} GROUP BY 1, 3 ORDER BY 1, 3`;
}
