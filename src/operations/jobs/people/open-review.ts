import * as z from 'zod';
import type { Context } from '../../../context.ts';
import { declareShow } from '../../kit/declare.ts';
import { currentStatus } from '../job.ts';
import { findJob } from '../jobs-sql.ts';
import * as queries from '../open-reviews-sql.ts';
import { jobFields, locateJob } from './show-job.ts';

const reviewerIn = ({ actor }: Context): bigint | undefined => (actor.kind === 'administrator' ? actor.id : undefined);

/** Lists the jobs that other reviewers have open. */
export const reviewsOfOthers = (ctx: Context) => queries.listOpenReviews(ctx.db, reviewerIn(ctx), ctx.now);

/**
 * Opens a pending production job for an administrator, unless another administrator has it open. Returns the other's e-mail address and the
 * time of opening, and whether the job waited for review. Opens nothing for the operator. Read the job afterwards: by then, a reviewer who had
 * it open before has decided. Throws `unknown_job`.
 */
export const openReview = declareShow({
  command: 'job open',
  title: 'Show who has a job open for review',
  by: ['operator', 'administrator'],
  input: z.object(jobFields),
  read: async (ctx, ref) => {
    const job = await locateJob(ctx, ref);
    const stored = job.environment === 'production' ? await findJob(ctx.db, job, job.jobId) : undefined;
    const isWaiting = stored !== undefined && currentStatus(stored, ctx.today) === 'pending';
    if (!isWaiting) return { isWaiting, email: null, at: null };
    const reviewer = reviewerIn(ctx);
    const isOpened = reviewer !== undefined && (await queries.openReview(ctx.db, reviewer, job, ctx.now));
    const others = isOpened ? [] : await reviewsOfOthers(ctx);
    const other = others.find(({ companyId, jobId }) => companyId === job.companyId && jobId === job.jobId);
    return { isWaiting, email: other?.email ?? null, at: other?.at ?? null };
  },
});
