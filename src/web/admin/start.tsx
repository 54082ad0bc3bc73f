import { showWaiting } from '../../operations/jobs/list-pending-jobs.ts';
import { type PageAnswer, page } from '../page.ts';
import { Instant } from '../parts/when.tsx';
import type { AdminContext } from './context.ts';
import { Waiting } from './waiting.tsx';

/** What waits for an administrator. */
export async function start(ctx: AdminContext): Promise<PageAnswer> {
  const { jobs, companies } = await showWaiting(ctx);
  return page(
    'Start',
    <>
      <h1>What waits for you</h1>
      <div class="grid">
        <Waiting count={jobs.jobs} what="to review" one="job" many="jobs" href="/admin/review">
          {jobs.oldest ? (
            <>
              The oldest since <Instant at={jobs.oldest} />.
            </>
          ) : (
            'Nothing to do until a company posts the next one.'
          )}
        </Waiting>
        <Waiting
          count={companies}
          what="to approve"
          one="company"
          many="companies"
          href="/admin/companies?state=waiting"
        >
          {companies > 0
            ? 'Plan or complimentary access is there, and only the approval for production is missing.'
            : 'Every company with an eligible plan or complimentary access is approved.'}
        </Waiting>
      </div>
    </>,
  );
}
