import type { Tx } from '../../database/transaction.ts';
import { minuteMs } from '../../domain/dates.ts';

// Stores the job that each reviewer opened last. All reviewers' entries are in one row, so that only one statement at a time can decide who
// has a job open. The row stays small: it has at most one entry for each reviewer.

const name = 'open_reviews';

/** After this time, a reviewer no longer counts as having the job open. */
const openMs = 5 * minuteMs;

interface ReviewedJob {
  readonly companyId: bigint;
  readonly jobId: bigint;
}

interface OpenReview extends ReviewedJob {
  /** The reviewer's address. */
  readonly email: string;
  readonly at: Date;
}

const openSince = (now: Date): string => new Date(now.getTime() - openMs).toISOString();

/** Lists the jobs that other reviewers have open. Without `reviewer`, lists those of all reviewers. */
export const listOpenReviews = (tx: Tx, reviewer: bigint | undefined, now: Date): Promise<OpenReview[]> =>
  tx.$queryRaw`
    SELECT a.email, (review ->> 'company')::bigint AS "companyId", (review ->> 'job')::bigint AS "jobId",
           (review ->> 'at')::timestamptz AS at
      FROM service_state s, jsonb_each(s.value) AS open (id, review)
      JOIN administrators a ON a.id = open.id::bigint
     WHERE s.name = ${name} AND a.id <> ${reviewer ?? 0n} AND review ->> 'at' > ${openSince(now)}`;

/** Records that a reviewer opens a job. Returns false, and records nothing, while another reviewer has the job open. */
export async function openReview(tx: Tx, reviewer: bigint, job: ReviewedJob, now: Date): Promise<boolean> {
  const [company, id, by] = [String(job.companyId), String(job.jobId), String(reviewer)];
  const own = JSON.stringify({ [by]: { company, job: id, at: now.toISOString() } });
  const opened = await tx.$executeRaw`
    INSERT INTO service_state AS state (name, value) VALUES (${name}, ${own}::jsonb)
    ON CONFLICT (name) DO UPDATE
       SET value = coalesce((SELECT jsonb_object_agg(id, review) FROM jsonb_each(state.value) AS open (id, review)
                              WHERE review ->> 'at' > ${openSince(now)}), '{}') || excluded.value
     WHERE NOT EXISTS (SELECT FROM jsonb_each(state.value) AS open (id, review)
                        WHERE id <> ${by} AND review ->> 'at' > ${openSince(now)}
                          AND review ->> 'company' = ${company} AND review ->> 'job' = ${id})`;
  return opened > 0;
}
