import type { Company, District } from '../../../generated/prisma/client.ts';
import type { Schemas } from '../../contract/types.ts';
import type { Tx } from '../../database/transaction.ts';
import { type Day, dateToDay } from '../../domain/dates.ts';
import type { Environment } from '../../domain/environment.ts';
import { shownStatus } from '../job-status-sql.ts';

export type CompanyRecord = Pick<
  Company,
  'verified' | 'autoPublish' | 'suspendedAt' | 'productionApprovedAt' | 'productionRequestedAt'
>;

export type CompanyChange = Partial<CompanyRecord & Pick<Company, 'productionRequestNote' | 'suspensionReason'>>;

export async function insertCompany(
  tx: Tx,
  company: CompanyChange & { name: string; createdAt: Date },
): Promise<bigint> {
  const { id } = await tx.company.create({ data: company, select: { id: true } });
  return id;
}

export async function updateCompany(tx: Tx, companyId: bigint, change: CompanyChange): Promise<void> {
  await tx.company.update({ where: { id: companyId }, data: change, select: { id: true } });
}

export const findCompanyRecord = (tx: Tx, id: bigint): Promise<(CompanyRecord & { name: string }) | null> =>
  tx.company.findUnique({
    where: { id },
    select: {
      name: true,
      verified: true,
      autoPublish: true,
      suspendedAt: true,
      productionApprovedAt: true,
      productionRequestedAt: true,
    },
  });

export async function listAllowedDistricts(tx: Tx, companyId: bigint): Promise<District[]> {
  const order = { select: { district: true }, orderBy: { districtId: 'asc' } } as const;
  const allowed = await tx.allowedDistrict.findMany({ where: { companyId }, ...order });
  return allowed.map(({ district }) => district);
}

/** Replaces the districts in which a company may publish. Without any, it may publish in all. */
export async function replaceDistricts(tx: Tx, companyId: bigint, districtIds: readonly number[]): Promise<void> {
  await tx.allowedDistrict.deleteMany({ where: { companyId } });
  await tx.allowedDistrict.createMany({ data: districtIds.map((districtId) => ({ companyId, districtId })) });
}

/** Returns the ids that belong to no district. */
export async function unknownDistricts(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const known = await tx.district.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  return ids.filter((id) => !known.some((district) => district.id === id));
}

/** Returns the ids of the first thousand companies after `id`, in ascending order. */
export async function companiesAfter(tx: Tx, id = 0n): Promise<bigint[]> {
  const order = { orderBy: { id: 'asc' }, take: 1000 } as const;
  return (await tx.company.findMany({ where: { id: { gt: id } }, select: { id: true }, ...order })).map(({ id }) => id);
}

export async function hasCompanies(tx: Tx): Promise<boolean> {
  return (await tx.company.findFirst({ select: { id: true } })) !== null;
}

/** Finds a company with its subscription and grant. An ended subscription or grant is included. */
export async function findCompany(tx: Tx, id: bigint) {
  const company = await tx.company.findUnique({ where: { id } });
  if (!company) return undefined;
  const where = { companyId: id };
  const subscription = await tx.subscription.findUnique({ where, include: { plan: true } });
  const grant = await tx.complimentaryGrant.findUnique({ where });
  return {
    ...company,
    subscription: subscription && { ...subscription, startedOn: dateToDay(subscription.startedOn) },
    grant: grant && {
      monthlyLimit: grant.monthlyLimit,
      startedOn: dateToDay(grant.startedOn),
      expiresOn: grant.expiresOn && dateToDay(grant.expiresOn),
    },
  };
}

/** Counts jobs by environment and by the status shown on `today`. Combinations without jobs are absent. */
export const countJobs = (tx: Tx, companyId: bigint, today: Day) =>
  tx.$queryRaw<{ environment: Environment; status: Schemas['JobStatus']; jobs: number }[]>`
    SELECT environment, count(*)::int AS jobs, ${shownStatus(today)} AS status
      FROM jobs WHERE company_id = ${companyId} GROUP BY 1, 3 ORDER BY 1, 3`;
