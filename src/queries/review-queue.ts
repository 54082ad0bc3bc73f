import type { Tx } from '../database/transaction.ts';
import type { Day } from '../domain/dates.ts';
import type { Page } from './list-jobs.ts';

export interface PendingJob {
  readonly companyId: bigint;
  readonly companyName: string;
  readonly jobId: bigint;
  readonly title: string;
  readonly category: string | null;
  readonly district: string | null;
  readonly validUntil: Day | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Pending production jobs of all companies, oldest first. The condition is that of the index jobs_review_queue_idx. */
export function listPendingJobs(tx: Tx, { page, perPage }: Page): Promise<PendingJob[]> {
  return tx.$queryRaw<PendingJob[]>`
    SELECT j.company_id AS "companyId", c.name AS "companyName", j.id AS "jobId", j.title, k.name AS category,
           d.name AS district, j.valid_until::text AS "validUntil", j.created_at AS "createdAt", j.updated_at AS "updatedAt"
      FROM (SELECT company_id, id, title, category_id, district_id, valid_until, created_at, updated_at
              FROM jobs WHERE status = 'pending' AND environment = 'production'
             ORDER BY created_at, id LIMIT ${perPage}::int OFFSET ${BigInt(page - 1) * BigInt(perPage)}::bigint) j
      JOIN companies c ON c.id = j.company_id
      LEFT JOIN categories k ON k.id = j.category_id
      LEFT JOIN districts d ON d.id = j.district_id
     ORDER BY j.created_at, j.id`;
}

/** How many wait, and since when the oldest does. */
export async function countPendingJobs(tx: Tx): Promise<{ jobs: number; oldest: Date | null }> {
  const rows = await tx.$queryRaw<{ jobs: number; oldest: Date | null }[]>`
    SELECT count(*)::int AS jobs, min(created_at) AS oldest
      FROM jobs WHERE status = 'pending' AND environment = 'production'`;
  return rows[0] ?? { jobs: 0, oldest: null };
}
