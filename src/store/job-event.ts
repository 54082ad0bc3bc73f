import { Prisma } from '../../generated/prisma/client.ts';

/**
 * The event of a change, for the statement that makes it: no change without its trace. `changed` is the CTE of the rows of jobs as
 * they stand after it; `actor` is credential:3, administrator:7 or operator.
 */
export const insertEvent = (
  changed: 'inserted' | 'updated' | 'withdrawn' | 'judged',
  kind: 'created' | 'updated' | 'withdrawn' | 'approved' | 'denied',
  actor: string,
): Prisma.Sql => Prisma.sql`
  INSERT INTO job_events (company_id, environment, job_id, kind, status, actor, created_at)
  SELECT company_id, environment, id, ${kind}::job_event_kind, status, ${actor}, updated_at FROM ${Prisma.raw(changed)}`;
