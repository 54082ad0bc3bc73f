import { showCompany } from '../../../operations/companies/show-company.ts';
import { listCompanyJobs } from '../../../operations/jobs/list-jobs.ts';
import { type PageAnswer, page } from '../../page.ts';
import { environmentIn, idIn } from '../../params.ts';
import { JobStatusBadge } from '../../parts/job-status.tsx';
import { Pager, pageOf } from '../../parts/pager.tsx';
import { Table, TableRow } from '../../parts/table.tsx';
import { Instant } from '../../parts/when.tsx';
import { type Company, companyPath } from '../companies/company.ts';
import type { AdminContext } from '../context.ts';
import { jobPath } from './job-name.ts';

/** How many jobs a company has, with the way to them. */
export const JobCounts = ({ company }: { readonly company: Company }) => (
  <>
    <h2>Jobs</h2>
    <ul>
      {(['production', 'sandbox'] as const).map((environment) => (
        <li key={environment}>
          <a href={`${companyPath(company.id)}/${environment}/jobs`}>{`Jobs in ${environment}`}</a>
          {`: ${countsIn(company, environment) || 'none'}`}
        </li>
      ))}
    </ul>
  </>
);

const countsIn = ({ jobs }: Company, environment: string): string =>
  jobs
    .filter((count) => count.environment === environment)
    .map((count) => `${count.jobs} ${count.status}`)
    .join(', ');

/** The jobs of one company and environment, newest first. */
export async function companyJobs(ctx: AdminContext): Promise<PageAnswer> {
  const tenant = { companyId: idIn(ctx.params, 'company'), environment: environmentIn(ctx.params) };
  const [company, jobs] = await Promise.all([
    showCompany(ctx, tenant),
    listCompanyJobs(ctx, { ...tenant, page: pageOf(ctx.query) }),
  ]);
  return page(
    'Jobs',
    <>
      <h1>{`Jobs of ${company.name} in ${tenant.environment}`}</h1>
      {jobs.total === 0 ? (
        <p>None yet. They appear here when the company posts them.</p>
      ) : (
        <Table label="Jobs" heads={['Job', 'Status', 'Posted']}>
          {jobs.items.map(({ id, title, status, created_at: posted }) => (
            <TableRow key={id}>
              <th scope="row">
                <a href={jobPath({ ...tenant, jobId: BigInt(id) })}>{title}</a>
              </th>
              <td>
                <JobStatusBadge status={status} />
              </td>
              <td>{posted && <Instant at={new Date(posted)} />}</td>
            </TableRow>
          ))}
        </Table>
      )}
      <Pager page={jobs.page} lastPage={jobs.lastPage} />
      <p>
        <a href={companyPath(company.id)}>{`Back to ${company.name}`}</a>
      </p>
    </>,
  );
}
