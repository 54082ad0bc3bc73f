import { showCompany } from '../../../operations/companies/show-company.ts';
import { searchJobs, searchQueue } from '../../../operations/jobs/search-jobs.ts';
import { FilterForm } from '../../components/form.tsx';
import { JobTable } from '../../components/job-table.tsx';
import { SearchFields, searchIn } from '../../components/list-search.tsx';
import { Paged, pageIn } from '../../components/pager.tsx';
import { Table } from '../../components/table.tsx';
import { CalendarDay, Instant } from '../../components/text.tsx';
import { inEnvironmentLabels } from '../../labels.ts';
import { type AdminContext, type PageAnswer, page } from '../../page.ts';
import { environmentIn, idIn } from '../../params.ts';
import { companyJobsPath, companyPath, jobPath } from '../paths.ts';
import { ReviewKeys } from './review-keys.tsx';

/** Pending production jobs of all companies, oldest first. */
export async function reviewQueue(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  const { text, sort, values } = searchIn(ctx.query, 'queue');
  const queue = await searchQueue(ctx, { text, sort, page: pageIn(ctx.query) });
  return page(
    t('Review queue'),
    <>
      <h1>{t('Review queue')}</h1>
      <FilterForm action="/admin/review" values={values}>
        <SearchFields list="queue" />
      </FilterForm>
      <Paged
        list={queue}
        none={text === undefined ? t('No jobs are waiting for review.') : t('Nothing found. Change the search.')}
        query={values}
      >
        <p>{t('{{count}} jobs waiting.', { count: queue.total, one: '{{count}} job waiting.' })}</p>
        <ReviewKeys />
        <Table
          label={t('Jobs waiting for review')}
          rows={queue.items}
          rowHead={t('Job')}
          columns={[
            [
              t('Job'),
              (job) => (
                <a
                  href={jobPath({ ...job, environment: 'production' })}
                  {...(job === queue.items[0] ? { accesskey: 'n' } : {})}
                >
                  {job.title}
                </a>
              ),
            ],
            [t('Company'), ({ companyName }) => companyName],
            [t('Category'), ({ category }) => category ?? t('No category')],
            [t('Region'), ({ district }) => district ?? t('No region')],
            [t('Last day'), ({ validUntil: day }) => (day === null ? t('Open-ended') : <CalendarDay day={day} />)],
            [t('Created'), ({ createdAt }) => <Instant at={createdAt} />],
          ]}
        />
      </Paged>
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
  const { t } = ctx;
  return page(
    t('Jobs'),
    <>
      <h1>
        {t('Jobs of {{companyName}} {{inEnvironment}}', {
          companyName: company.name,
          inEnvironment: t(inEnvironmentLabels[tenant.environment]),
        })}
      </h1>
      <FilterForm action={companyJobsPath(tenant)} values={values}>
        <SearchFields list="jobs" />
      </FilterForm>
      <Paged
        list={jobs}
        none={text === undefined ? t('No jobs yet.') : t('Nothing found. Change the search.')}
        query={values}
      >
        <JobTable label={t('Jobs')} jobs={jobs.items} hrefOf={(id) => jobPath({ ...tenant, jobId: BigInt(id) })} />
      </Paged>
      <p>
        <a href={companyPath(company.id)}>{t('Back to {{companyName}}', { companyName: company.name })}</a>
      </p>
    </>,
  );
}
