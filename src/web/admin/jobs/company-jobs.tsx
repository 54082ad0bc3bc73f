import { showCompany } from '../../../operations/companies/show-company.ts';
import { listCompanyJobs } from '../../../operations/jobs/list-jobs.ts';
import { JobTable } from '../../components/job-table.tsx';
import { Pager, pageIn } from '../../components/pager.tsx';
import { type AdminContext, type PageAnswer, page } from '../../page.ts';
import { environmentIn, idIn } from '../../params.ts';
import { companyPath, jobPath } from '../paths.ts';

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
