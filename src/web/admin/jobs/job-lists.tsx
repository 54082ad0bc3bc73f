import { showCompany } from '../../../operations/companies/show-company.ts';
import { listCompanyJobs } from '../../../operations/jobs/list-jobs.ts';
import { listPendingJobs } from '../../../operations/jobs/list-pending-jobs.ts';
import { JobTable } from '../../components/job-table.tsx';
import { Pager, pageIn } from '../../components/pager.tsx';
import { Table, TableRow } from '../../components/table.tsx';
import { CalendarDay, Instant } from '../../components/text.tsx';
import { type AdminContext, type PageAnswer, page } from '../../page.ts';
import { environmentIn, idIn } from '../../params.ts';
import { companyPath, jobPath } from '../paths.ts';

type PendingJob = Awaited<ReturnType<typeof listPendingJobs>>['items'][number];

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
            heads={['Job', 'Company', 'Category', 'Region', 'Last day', 'Created']}
          >
            {queue.items.map((job) => (
              <PendingJobRow key={String(job.jobId)} job={job} />
            ))}
          </Table>
          <Pager page={queue.page} lastPage={queue.lastPage} />
        </>
      )}
    </>,
  );
}

const PendingJobRow = ({ job }: { readonly job: PendingJob }) => (
  <TableRow>
    <th scope="row">
      <a href={jobPath({ ...job, environment: 'production' })}>{job.title}</a>
    </th>
    <td>{job.companyName}</td>
    <td>{job.category ?? 'None'}</td>
    <td>{job.district ?? 'None'}</td>
    <td>{job.validUntil === null ? 'Open-ended' : <CalendarDay day={job.validUntil} />}</td>
    <td>
      <Instant at={job.createdAt} />
    </td>
  </TableRow>
);

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
