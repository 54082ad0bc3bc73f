import { Prisma } from '../../generated/prisma/client.ts';
import type { Tx } from '../database/transaction.ts';
import type { Tenant } from '../domain/environment.ts';

/**
 * Records a change of a job, as a part of the statement that makes it. `changed` is the CTE of the changed rows; `actor` is
 * `credential:3`, `administrator:7` or `operator`. An edit changes fields and keeps the status.
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

/** Edits that the history of one job keeps. */
const editsKept = 200;
/** Surplus edits deleted with each new edit. */
const prunedAtOnce = 500;

/**
 * Deletes all but the latest 200 edits of a job, as a part of the statement that adds one more and does not see it yet.
 * `updated` is the CTE of the change; if that changed nothing, nothing is deleted.
 */
export const pruneEdits = ({ companyId, environment }: Tenant, jobId: bigint): Prisma.Sql => Prisma.sql`
  DELETE FROM job_events AS old USING updated
   WHERE old.company_id = ${companyId} AND old.environment = ${environment}::environment AND old.job_id = ${jobId}
     AND old.id = ANY (ARRAY(
           SELECT id FROM job_events
            WHERE company_id = ${companyId} AND environment = ${environment}::environment AND job_id = ${jobId} AND is_edit
            ORDER BY id DESC LIMIT ${prunedAtOnce}::int OFFSET ${editsKept - 1}::int))`;

/** Whether a job with this many changes can have surplus edits, so that other updates skip the pruning. */
export const mayHaveSurplusEdits = (revision: number): boolean => revision >= editsKept;

/** Lists at most `limit` events of a job before the event `before`, newest first. */
export const listEvents = (
  tx: Tx,
  { companyId, environment }: Tenant,
  jobId: bigint,
  { before, limit }: { readonly before: bigint | undefined; readonly limit: number },
) =>
  tx.jobEvent.findMany({
    where: { companyId, environment, jobId, ...(before === undefined ? {} : { id: { lt: before } }) },
    select: { id: true, kind: true, status: true, actor: true, createdAt: true },
    orderBy: { id: 'desc' },
    take: limit,
  });
