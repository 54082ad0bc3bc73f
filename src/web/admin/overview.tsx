import { showWaiting } from '../../operations/jobs/list-pending-jobs.ts';
import { Instant } from '../components/text.tsx';
import { type AdminContext, type PageAnswer, page } from '../page.ts';

/** What is waiting for an administrator. */
export async function overview(ctx: AdminContext): Promise<PageAnswer> {
  const { jobs, companies } = await showWaiting(ctx);
  return page(
    'Overview',
    <>
      <h1>Waiting for you</h1>
      <div class="grid">
        <article>
          <h2>
            <a href="/admin/review">{`${jobs.jobs} ${jobs.jobs === 1 ? 'job' : 'jobs'} to review`}</a>
          </h2>
          <p>
            {jobs.oldest ? (
              <>
                The oldest was posted on <Instant at={jobs.oldest} />.
              </>
            ) : (
              'No jobs are waiting for review.'
            )}
          </p>
        </article>
        <article>
          <h2>
            <a href="/admin/companies?state=waiting">
              {`${companies} ${companies === 1 ? 'company' : 'companies'} to approve`}
            </a>
          </h2>
          <p>
            {companies > 0
              ? 'They have an eligible plan or complimentary access and need only your approval for production.'
              : 'Every company with an eligible plan or complimentary access is approved.'}
          </p>
        </article>
      </div>
    </>,
  );
}
