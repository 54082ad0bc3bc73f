import type { Tx } from '../../database/transaction.ts';
import { minuteMs } from '../../domain/dates.ts';

// The job that each reviewer was shown last. All are in one row, so that there are never more than reviewers, and one statement at a time
// decides who has a job.

const name = 'open_reviews';

/** After this, a reviewer has left the job. */
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

/** The jobs that other reviewers were shown last, in the last minutes. */
export const listOpenReviews = (tx: Tx, reviewer: bigint | undefined, now: Date): Promise<OpenReview[]> =>
  tx.$queryRaw`
    SELECT a.email, (review ->> 'company')::bigint AS "companyId", (review ->> 'job')::bigint AS "jobId",
           (review ->> 'at')::timestamptz AS at
      FROM service_state s, jsonb_each(s.value) AS open (id, review)
      JOIN administrators a ON a.id = open.id::bigint
     WHERE s.name = ${name} AND a.id <> ${reviewer ?? 0n} AND review ->> 'at' > ${openSince(now)}`;

/** Notes that a reviewer is shown a job. Returns false, and notes nothing, while another one has it. */
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
