import { Prisma } from '../../generated/prisma/client.ts';
import type { Tenant } from '../domain/environment.ts';

/**
 * The event of a change, for the statement that makes it: no change without its trace. `changed` is the CTE of the rows of jobs as
 * they stand after it; `actor` is credential:3, administrator:7 or operator. An edit is a change of fields that kept the status.
 */
export const insertEvent = (
  changed: 'inserted' | 'updated' | 'withdrawn' | 'judged',
  kind: 'created' | 'updated' | 'withdrawn' | 'approved' | 'denied',
  actor: string,
  isEdit = false,
): Prisma.Sql => Prisma.sql`
  INSERT INTO job_events (company_id, environment, job_id, kind, status, actor, created_at, is_edit)
  SELECT company_id, environment, id, ${kind}::job_event_kind, status, ${actor}, updated_at, ${isEdit}::boolean
    FROM ${Prisma.raw(changed)}`;

/** How many edits of one job its history keeps. */
const editsKept = 200;
/** A history that is longer shrinks by so many with each edit. */
const prunedAtOnce = 500;

/**
 * Deletes a job's edits past the latest 200, for the statement that adds one more: it sees the table as it was before.
 * `updated` is the CTE of the change; where that changed nothing, nothing is deleted.
 */
export const pruneEdits = ({ companyId, environment }: Tenant, jobId: bigint): Prisma.Sql => Prisma.sql`
  DELETE FROM job_events AS old USING updated
   WHERE old.company_id = ${companyId} AND old.environment = ${environment}::environment AND old.job_id = ${jobId}
     AND old.id = ANY (ARRAY(
           SELECT id FROM job_events
            WHERE company_id = ${companyId} AND environment = ${environment}::environment AND job_id = ${jobId} AND is_edit
            ORDER BY id DESC LIMIT ${prunedAtOnce}::int OFFSET ${editsKept - 1}::int))`;

/** Whether a job with this many changes can have more edits than are kept: others pay nothing for the pruning. */
export const mayHaveSurplusEdits = (revision: number): boolean => revision >= editsKept;
