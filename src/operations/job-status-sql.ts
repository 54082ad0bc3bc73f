import { Prisma } from '../../generated/prisma/client.ts';
import type { Schemas } from '../contract/types.ts';
import { type Day, dayToDate } from '../domain/dates.ts';

// The only rule that two rooms share: jobs, and companies, which count theirs.

/** The rule of currentStatus in SQL: a stored `active` whose last day has passed is expired. */
export const hasExpired = (today: Day): Prisma.Sql =>
  Prisma.sql`(status = 'active' AND valid_until < ${dayToDate(today)}::date)`;

/** The status that a row of `jobs` shows. */
export const shownStatus = (today: Day): Prisma.Sql =>
  Prisma.sql`CASE WHEN ${hasExpired(today)} THEN 'expired' ELSE status END`;

/** The conditions for rows with a shown status; a row meets at most one of them. Each is one range of an index. */
export function showing(status: Schemas['JobStatus'] | undefined, today: Day): Prisma.Sql[] {
  if (status === undefined) return [Prisma.sql`true`];
  const stored = Prisma.sql`(status = ${status}::job_status AND ${hasExpired(today)} IS NOT TRUE)`;
  return status === 'expired' ? [stored, hasExpired(today)] : [stored];
}
