import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db } from '../../database/open.ts';
import type { Tx } from '../../database/transaction.ts';
import type { Day } from '../../domain/dates.ts';
import type { Tenant } from '../../domain/environment.ts';
import { contains, idOf } from '../text-search-sql.ts';
import type { JobStatus } from './job.ts';
import { shownStatus } from './job-status-sql.ts';
import { owned, type Page } from './jobs-sql.ts';

// No index has titles. A search reads a bounded number of jobs instead, so that it costs the same for a company of any size.

const orders = {
  newest: Prisma.sql`id DESC`,
  oldest: Prisma.sql`id`,
  changed: Prisma.sql`updated_at DESC, id DESC`,
  title: Prisma.sql`lower(title), id`,
};

type JobSort = keyof typeof orders;

export interface JobSearch {
  /** Part of a title, ignoring case and accents, or an id. */
  readonly text?: string | undefined;
  /** As shown today: an active job whose last day has passed is expired. */
  readonly status?: JobStatus | undefined;
  readonly sort: JobSort;
}

export interface FoundJob {
  readonly id: number;
  readonly title: string;
  readonly status: JobStatus;
  readonly categoryId: number | null;
  readonly districtId: number | null;
  readonly validUntil: Day | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** All found jobs, on every page. */
  readonly total: number;
}

/** Searches the latest `jobsMax` jobs of one company and environment, and the job with the searched id. */
export function searchJobs(
  db: Db,
  tenant: Tenant,
  { text, status, sort }: JobSearch,
  { page, perPage, jobsMax, today }: Page & { readonly jobsMax: number; readonly today: Day },
): Promise<FoundJob[]> {
  const id = text === undefined ? undefined : idOf(text);
  const columns = Prisma.sql`id, title, category_id, district_id, valid_until, created_at, updated_at, ${shownStatus(today)} AS status`;
  const conditions = [Prisma.sql`true`];
  if (status !== undefined) conditions.push(Prisma.sql`status = ${status}::job_status`);
  if (text !== undefined) conditions.push(Prisma.sql`(${contains('title', text)} OR id = ${id ?? null}::bigint)`);
  return db.$queryRaw<FoundJob[]>`
    SELECT id::float8 AS id, title, status, category_id AS "categoryId", district_id AS "districtId",
           valid_until::text AS "validUntil", created_at AS "createdAt", updated_at AS "updatedAt", count(*) OVER ()::int AS total
      FROM ((SELECT ${columns} FROM jobs WHERE ${owned(tenant)} ORDER BY jobs.id DESC LIMIT ${jobsMax}::int)
            UNION (SELECT ${columns} FROM jobs WHERE ${owned(tenant)} AND jobs.id = ${id ?? null}::bigint LIMIT 1)) AS latest
     WHERE ${Prisma.join(conditions, ' AND ')}
     ORDER BY ${orders[sort]} LIMIT ${perPage}::int OFFSET ${BigInt(page - 1) * BigInt(perPage)}::bigint`;
}

interface PendingJob {
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

/** Counts pending production jobs and returns when the oldest was created. */
export async function countPendingJobs(tx: Tx): Promise<{ jobs: number; oldest: Date | null }> {
  const rows = await tx.$queryRaw<{ jobs: number; oldest: Date | null }[]>`
    SELECT count(*)::int AS jobs, min(created_at) AS oldest
      FROM jobs WHERE status = 'pending' AND environment = 'production'`;
  return rows[0] ?? { jobs: 0, oldest: null };
}

export interface QueueSearch {
  /** Part of a title or of a company's name, ignoring case and accents. */
  readonly text?: string | undefined;
  readonly sort: 'oldest' | 'newest';
}

/**
 * Lists pending production jobs of all companies; a text is searched in the first `jobsMax` of that order. The condition matches the index
 * jobs_review_queue_idx. `total` counts those of a search only.
 */
export function searchPendingJobs(
  tx: Tx,
  { text, sort }: QueueSearch,
  { page, perPage, jobsMax }: Page & { readonly jobsMax: number },
): Promise<(PendingJob & { readonly total: number })[]> {
  const direction = Prisma.raw(sort === 'oldest' ? 'ASC' : 'DESC');
  const shown = Prisma.sql`LIMIT ${perPage}::int OFFSET ${BigInt(page - 1) * BigInt(perPage)}::bigint`;
  const [read, found] =
    text === undefined
      ? [shown, Prisma.empty]
      : [
          Prisma.sql`LIMIT ${jobsMax}::int`,
          Prisma.sql`WHERE ${contains('j.title', text)} OR ${contains('c.name', text)}`,
        ];
  return tx.$queryRaw`
    SELECT j.company_id AS "companyId", c.name AS "companyName", j.id AS "jobId", j.title, k.name AS category,
           d.name AS district, j.valid_until::text AS "validUntil", j.created_at AS "createdAt", j.updated_at AS "updatedAt",
           count(*) OVER ()::int AS total
      FROM (SELECT company_id, id, title, category_id, district_id, valid_until, created_at, updated_at
              FROM jobs WHERE status = 'pending' AND environment = 'production'
             ORDER BY created_at ${direction}, id ${direction} ${read}) AS j
      JOIN companies c ON c.id = j.company_id
      LEFT JOIN categories k ON k.id = j.category_id
      LEFT JOIN districts d ON d.id = j.district_id
     ${found} ORDER BY j.created_at ${direction}, j.id ${direction} ${text === undefined ? Prisma.empty : shown}`;
}
