import type { JobStatus } from '../../domain/job.ts';
import { searchJobs } from '../../operations/jobs/search-jobs.ts';
import { showJob } from '../../operations/jobs/show-job.ts';
import { actorTextForCompany } from '../components/actor.ts';
import { SelectField } from '../components/field.tsx';
import { FilterForm } from '../components/form.tsx';
import { JobDetails, JobHistory } from '../components/job-details.tsx';
import { JobTable } from '../components/job-table.tsx';
import { SearchFields, searchIn } from '../components/list-search.tsx';
import { Pager, pageIn } from '../components/pager.tsx';
import { type DashboardContext, type PageAnswer, page } from '../page.ts';
import { environmentIn, environmentOptions, idIn, idInQuery, type Options, optionIn } from '../params.ts';
import type { Texts } from '../texts/texts.ts';

const statusOptions = ({ statuses }: Texts): Options<JobStatus> =>
  (Object.keys(statuses) as JobStatus[]).map((status) => [status, statuses[status].name]);

/** The company's jobs in one environment, newest first. Shows production unless the query names the sandbox. */
export async function jobs(ctx: DashboardContext): Promise<PageAnswer> {
  const { companyJobs: texts, words, lists, environments, statuses } = ctx.texts;
  const [inEnvironment, withStatus] = [environmentOptions(ctx.texts), statusOptions(ctx.texts)];
  const environment = optionIn(ctx.query, 'environment', inEnvironment) ?? 'production';
  const status = optionIn(ctx.query, 'status', withStatus);
  const { text, sort, values: search } = searchIn(ctx.query, 'jobs');
  const filter = { companyId: ctx.person.company.id, environment, status, text, sort };
  const { items, total, page: current, lastPage } = await searchJobs(ctx, { ...filter, page: pageIn(ctx.query) });
  const values = { environment, status: status ?? '', ...search };
  const none = status === undefined ? texts.empty : (lower: string) => texts.noneOf(statuses[status].several, lower);
  const { lower } = environments[environment];
  return page(
    texts.title,
    <>
      <h1>{texts.title}</h1>
      <FilterForm action="/dashboard/jobs" values={values}>
        <SelectField name="environment" label={words.environment} options={inEnvironment} />
        <SelectField name="status" label={words.status} options={[['', lists.any.status], ...withStatus]} />
        <SearchFields list="jobs" />
      </FilterForm>
      {items.length === 0 ? (
        <p>{text === undefined ? none(lower) : lists.noneFound}</p>
      ) : (
        <>
          <p>{text === undefined && sort === 'newest' ? texts.total(total) : texts.found(total)}</p>
          <JobTable label={texts.label(lower)} jobs={items} hrefOf={(id) => `/dashboard/jobs/${environment}/${id}`} />
        </>
      )}
      <Pager page={current} lastPage={lastPage} query={values} />
    </>,
  );
}

/** One job as candidates read it, why it was denied, and its history. */
export async function job(ctx: DashboardContext): Promise<PageAnswer> {
  const { companyJobs: texts, jobs: words, environments } = ctx.texts;
  const environment = environmentIn(ctx.params);
  const name = { companyId: ctx.person.company.id, environment, jobId: idIn(ctx.params, 'job') };
  const shown = await showJob(ctx, { ...name, before: idInQuery(ctx.query, 'before') });
  const { title } = shown.job;
  const { lower } = environments[environment];
  const denial = shown.denialReason !== null && (
    <p class="alert" id="denial">
      {texts.denied(shown.denialReason)}
    </p>
  );
  return page(
    title,
    <>
      <h1>{title}</h1>
      <JobDetails
        shown={shown}
        caption={(created) => words.caption(String(name.jobId), lower, created)}
        denial={denial}
      />
      <JobHistory
        shown={shown}
        path={`/dashboard/jobs/${environment}/${name.jobId}`}
        nameOf={(actor) => actorTextForCompany(actor, ctx.texts)}
      />
      <p>
        <a href={`/dashboard/jobs?environment=${environment}`}>{texts.back(lower)}</a>
      </p>
    </>,
  );
}
