import { Prisma } from '../../generated/prisma/client.ts';
import type { Schemas } from '../contract/types.ts';
import { type Day, dayToDate } from '../domain/dates.ts';

// This file is outside jobs/, because companies/ and statistics/ also need its rules, to count jobs. No other rule is shared in this way.

/** The rule of currentStatus in SQL: a job stored as `active` is expired once its last day has passed. */
export const hasExpired = (today: Day): Prisma.Sql =>
  Prisma.sql`(status = 'active' AND valid_until < ${dayToDate(today)}::date)`;

/** The status to show for a row of `jobs`. */
export const shownStatus = (today: Day): Prisma.Sql =>
  Prisma.sql`CASE WHEN ${hasExpired(today)} THEN 'expired' ELSE status END`;

/** The condition for the jobs of all companies that wait for review. It matches the index jobs_review_queue_idx. */
export const waitsForReview = Prisma.sql`(status = 'pending' AND environment = 'production')`;

/** Returns conditions that select the rows with the shown `status`. A row meets at most one. Each condition selects one range of an index. */
export function showing(status: Schemas['JobStatus'] | undefined, today: Day): Prisma.Sql[] {
  if (status === undefined) return [Prisma.sql`true`];
  const stored = Prisma.sql`(status = ${status}::job_status AND ${hasExpired(today)} IS NOT TRUE)`;
  return status === 'expired' ? [stored, hasExpired(today)] : [stored];
}
