import type { Tx } from '../database/transaction.ts';
import { type Day, dateToDay, dayToDate } from '../domain/dates.ts';
import type { Environment } from '../domain/environment.ts';
import type { JobStatus } from '../domain/status.ts';

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
