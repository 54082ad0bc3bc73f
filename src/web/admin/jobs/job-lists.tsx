import { showCompany } from '../../../operations/companies/show-company.ts';
import { searchJobs, searchQueue } from '../../../operations/jobs/search-jobs.ts';
import { FilterForm } from '../../components/form.tsx';
import { JobTable } from '../../components/job-table.tsx';
import { SearchFields, searchIn } from '../../components/list-search.tsx';
import { Pager, pageIn } from '../../components/pager.tsx';
import { Table } from '../../components/table.tsx';
import { CalendarDay, Instant } from '../../components/text.tsx';
import { type AdminContext, type PageAnswer, page } from '../../page.ts';
import { environmentIn, idIn } from '../../params.ts';
import { companyJobsPath, companyPath, jobPath } from '../paths.ts';
import { ReviewKeys } from './review-keys.tsx';

/** Pending production jobs of all companies, oldest first. */
export async function reviewQueue(ctx: AdminContext): Promise<PageAnswer> {
  const { review: texts, words, lists } = ctx.texts;
  const { text, sort, values } = searchIn(ctx.query, 'queue');
  const queue = await searchQueue(ctx, { text, sort, page: pageIn(ctx.query) });
  return page(
    texts.title,
    <>
      <h1>{texts.title}</h1>
      <FilterForm action="/admin/review" values={values}>
        <SearchFields list="queue" />
      </FilterForm>
      {queue.total === 0 ? (
        <p>{text === undefined ? texts.empty : lists.noneFound}</p>
      ) : (
        <>
          <p>{texts.total(queue.total, sort === 'oldest')}</p>
          <ReviewKeys />
          <Table
            label={texts.label}
            rows={queue.items}
            rowHead={texts.columns.job}
            columns={[
              [
                texts.columns.job,
                (job) => (
                  <a
                    href={jobPath({ ...job, environment: 'production' })}
                    {...(job === queue.items[0] ? { accesskey: 'n' } : {})}
                  >
                    {job.title}
                  </a>
                ),
              ],
              [texts.columns.company, ({ companyName }) => companyName],
              [texts.columns.category, ({ category }) => category ?? texts.noCategory],
              [texts.columns.region, ({ district }) => district ?? texts.noRegion],
              [
                texts.columns.lastDay,
                ({ validUntil: day }) => (day === null ? words.openEnded : <CalendarDay day={day} />),
              ],
              [texts.columns.created, ({ createdAt }) => <Instant at={createdAt} />],
            ]}
          />
          <Pager page={queue.page} lastPage={queue.lastPage} query={values} />
        </>
      )}
    </>,
  );
}

/** The jobs of one company in one environment, newest first. */
export async function companyJobs(ctx: AdminContext): Promise<PageAnswer> {
  const tenant = { companyId: idIn(ctx.params, 'company'), environment: environmentIn(ctx.params) };
  const { text, sort, values } = searchIn(ctx.query, 'jobs');
  const [company, jobs] = await Promise.all([
    showCompany(ctx, tenant),
    searchJobs(ctx, { ...tenant, text, sort, page: pageIn(ctx.query) }),
  ]);
  const { jobLists: texts, environments, lists } = ctx.texts;
  return page(
    texts.title,
    <>
      <h1>{texts.heading(company.name, environments[tenant.environment].lower)}</h1>
      <FilterForm action={companyJobsPath(tenant)} values={values}>
        <SearchFields list="jobs" />
      </FilterForm>
      {jobs.total === 0 ? (
        <p>{text === undefined ? texts.empty : lists.noneFound}</p>
      ) : (
        <JobTable label={texts.title} jobs={jobs.items} hrefOf={(id) => jobPath({ ...tenant, jobId: BigInt(id) })} />
      )}
      <Pager page={jobs.page} lastPage={jobs.lastPage} query={values} />
      <p>
        <a href={companyPath(company.id)}>{texts.back(company.name)}</a>
      </p>
    </>,
  );
}
