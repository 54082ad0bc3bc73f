import type { Context } from '../../../context.ts';
import * as queries from '../open-reviews-sql.ts';
import type { JobRef } from './show-job.ts';

export type { OpenReview } from '../open-reviews-sql.ts';

const reviewerIn = ({ actor }: Context): bigint | undefined => (actor.kind === 'administrator' ? actor.id : undefined);

/** Lists the jobs that other reviewers have open. */
export const reviewsOfOthers = (ctx: Context) => queries.listOpenReviews(ctx.db, reviewerIn(ctx), ctx.now);

/** Opens a pending job for its reviewer. Returns the review of another one who has it open. */
export async function openReview(ctx: Context, job: JobRef): Promise<queries.OpenReview | undefined> {
  const reviewer = reviewerIn(ctx);
  if (reviewer === undefined || (await queries.openReview(ctx.db, reviewer, job, ctx.now))) return undefined;
  return (await reviewsOfOthers(ctx)).find((other) => isReviewOf(other, job));
}

export const isReviewOf = (review: queries.OpenReview, { companyId, jobId }: Omit<JobRef, 'environment'>): boolean =>
  review.companyId === companyId && review.jobId === jobId;
