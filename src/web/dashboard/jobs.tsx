import type { Environment } from '../../domain/environment.ts';
import type { JobStatus } from '../../domain/job.ts';
import { listCompanyJobs } from '../../operations/jobs/list-jobs.ts';
import { showJob } from '../../operations/jobs/show-job.ts';
import { SelectField } from '../components/field.tsx';
import { FilterForm } from '../components/form.tsx';
import { JobDetails, JobHistory } from '../components/job-details.tsx';
import { JobTable } from '../components/job-table.tsx';
import { Pager, pageIn } from '../components/pager.tsx';
import { type DashboardContext, type PageAnswer, page } from '../page.ts';
import { environmentIn, environmentOptions, idIn, idInQuery, type Options, optionIn } from '../params.ts';
import { actorName } from './activity.tsx';

const statusOptions: Options<JobStatus> = [
  ['pending', 'Pending'],
  ['active', 'Active'],
  ['inactive', 'Inactive'],
  ['expired', 'Expired'],
  ['denied', 'Denied'],
];

/** The company's jobs in one environment, newest first. Shows production unless the query names the sandbox. */
export async function jobs(ctx: DashboardContext): Promise<PageAnswer> {
  const environment = optionIn(ctx.query, 'environment', environmentOptions) ?? 'production';
  const status = optionIn(ctx.query, 'status', statusOptions);
  const filter = { companyId: ctx.person.company.id, environment, status };
  const { items, total, page: current, lastPage } = await listCompanyJobs(ctx, { ...filter, page: pageIn(ctx.query) });
  const values = { environment, status: status ?? '' };
  return page(
    'Jobs',
    <>
      <h1>Jobs</h1>
      <FilterForm action="/dashboard/jobs" values={values}>
        <SelectField name="environment" label="Environment" options={environmentOptions} />
        <SelectField name="status" label="Status" options={[['', 'All'], ...statusOptions]} />
      </FilterForm>
      {items.length === 0 ? (
        <p>{emptyText(environment, status)}</p>
      ) : (
        <>
          <p>{total === 1 ? '1 job.' : `${total} jobs, newest first.`}</p>
          <JobTable
            label={`Jobs in ${environment}`}
            jobs={items}
            hrefOf={(id) => `/dashboard/jobs/${environment}/${id}`}
          />
        </>
      )}
      <Pager page={current} lastPage={lastPage} query={values} />
    </>,
  );
}

const emptyText = (environment: Environment, status: JobStatus | undefined): string =>
  status === undefined
    ? `No jobs in ${environment} yet. Create one through the API with a credential that has write access.`
    : `No ${status} jobs in ${environment}.`;

/** One job as candidates read it, why it was denied, and its history. */
export async function job(ctx: DashboardContext): Promise<PageAnswer> {
  const environment = environmentIn(ctx.params);
  const name = { companyId: ctx.person.company.id, environment, jobId: idIn(ctx.params, 'job') };
  const shown = await showJob(ctx, { ...name, before: idInQuery(ctx.query, 'before') });
  const { title } = shown.job;
  const denial = shown.denialReason !== null && (
    <p
      class="alert"
      id="denial"
    >{`Denied: ${shown.denialReason} Update the job through the API to submit it again.`}</p>
  );
  return page(
    title,
    <>
      <h1>{title}</h1>
      <JobDetails shown={shown} caption={`Job ${name.jobId}, ${environment}`} denial={denial} />
      <JobHistory shown={shown} path={`/dashboard/jobs/${environment}/${name.jobId}`} nameOf={actorName} />
      <p>
        <a href={`/dashboard/jobs?environment=${environment}`}>{`Back to the jobs in ${environment}`}</a>
      </p>
    </>,
  );
}
