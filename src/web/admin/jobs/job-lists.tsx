import { showCompany } from '../../../operations/companies/show-company.ts';
import { listCompanyJobs } from '../../../operations/jobs/list-jobs.ts';
import { listPendingJobs } from '../../../operations/jobs/list-pending-jobs.ts';
import { JobTable } from '../../components/job-table.tsx';
import { Pager, pageIn } from '../../components/pager.tsx';
import { Table } from '../../components/table.tsx';
import { CalendarDay, Instant } from '../../components/text.tsx';
import { type AdminContext, type PageAnswer, page } from '../../page.ts';
import { environmentIn, idIn } from '../../params.ts';
import { companyPath, jobPath } from '../paths.ts';

/** Pending production jobs of all companies, oldest first. */
export async function reviewQueue(ctx: AdminContext): Promise<PageAnswer> {
  const queue = await listPendingJobs(ctx, { page: pageIn(ctx.query) });
  return page(
    'Review queue',
    <>
      <h1>Review queue</h1>
      {queue.total === 0 ? (
        <p>No jobs are waiting for review. New production jobs appear here.</p>
      ) : (
        <>
          <p>{queue.total === 1 ? '1 job waiting.' : `${queue.total} jobs waiting, oldest first.`}</p>
          <Table
            label="Jobs waiting for review"
            rows={queue.items}
            rowHead="Job"
            columns={[
              ['Job', (job) => <a href={jobPath({ ...job, environment: 'production' })}>{job.title}</a>],
              ['Company', ({ companyName }) => companyName],
              ['Category', ({ category }) => category ?? 'None'],
              ['Region', ({ district }) => district ?? 'None'],
              ['Last day', ({ validUntil: day }) => (day === null ? 'Open-ended' : <CalendarDay day={day} />)],
              ['Created', ({ createdAt }) => <Instant at={createdAt} />],
            ]}
          />
          <Pager page={queue.page} lastPage={queue.lastPage} />
        </>
      )}
    </>,
  );
}

/** The jobs of one company in one environment, newest first. */
export async function companyJobs(ctx: AdminContext): Promise<PageAnswer> {
  const tenant = { companyId: idIn(ctx.params, 'company'), environment: environmentIn(ctx.params) };
  const [company, jobs] = await Promise.all([
    showCompany(ctx, tenant),
    listCompanyJobs(ctx, { ...tenant, page: pageIn(ctx.query) }),
  ]);
  return page(
    'Jobs',
    <>
      <h1>{`Jobs of ${company.name} in ${tenant.environment}`}</h1>
      {jobs.total === 0 ? (
        <p>No jobs yet.</p>
      ) : (
        <JobTable label="Jobs" jobs={jobs.items} hrefOf={(id) => jobPath({ ...tenant, jobId: BigInt(id) })} />
      )}
      <Pager page={jobs.page} lastPage={jobs.lastPage} />
      <p>
        <a href={companyPath(company.id)}>{`Back to ${company.name}`}</a>
      </p>
    </>,
  );
}
