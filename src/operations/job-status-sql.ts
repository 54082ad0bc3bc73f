import { Prisma } from '../../generated/prisma/client.ts';
import type { Schemas } from '../contract/types.ts';
import { type Day, dayToDate } from '../domain/dates.ts';

// This file is outside jobs/, because companies/ also needs its rule, to count each company's jobs. No other rule is shared in this way.

/** The rule of currentStatus in SQL: a job stored as `active` is expired once its last day has passed. */
export const hasExpired = (today: Day): Prisma.Sql =>
  Prisma.sql`(status = 'active' AND valid_until < ${dayToDate(today)}::date)`;

/** The status to show for a row of `jobs`. */
export const shownStatus = (today: Day): Prisma.Sql =>
  Prisma.sql`CASE WHEN ${hasExpired(today)} THEN 'expired' ELSE status END`;

/** Returns conditions that select the rows with the shown `status`. A row meets at most one. Each condition selects one range of an index. */
export function showing(status: Schemas['JobStatus'] | undefined, today: Day): Prisma.Sql[] {
  if (status === undefined) return [Prisma.sql`true`];
  const stored = Prisma.sql`(status = ${status}::job_status AND ${hasExpired(today)} IS NOT TRUE)`;
  return status === 'expired' ? [stored, hasExpired(today)] : [stored];
}
