import { searchJobs } from '../../operations/jobs/search-jobs.ts';
import { SelectField } from '../components/field.tsx';
import { FilterForm } from '../components/form.tsx';
import { JobTable } from '../components/job-table.tsx';
import { SearchFields, searchIn } from '../components/list-search.tsx';
import { Paged, pageIn } from '../components/pager.tsx';
import { inEnvironmentLabels, severalLabels, statusLabels } from '../labels.ts';
import { type DashboardContext, type PageAnswer, page } from '../page.ts';
import { environmentOptions, optionIn, optionsOf } from '../params.ts';

/** The company's jobs in one environment, newest first. Shows production unless the query names the sandbox. */
export async function jobs(ctx: DashboardContext): Promise<PageAnswer> {
  const { t } = ctx;
  const [environments, statuses] = [environmentOptions(t), optionsOf(statusLabels, t)];
  const environment = optionIn(ctx.query, 'environment', environments) ?? 'production';
  const status = optionIn(ctx.query, 'status', statuses);
  const { text, sort, values: search } = searchIn(ctx.query, 'jobs');
  const filter = { companyId: ctx.person.company.id, environment, status, text, sort };
  const list = await searchJobs(ctx, { ...filter, page: pageIn(ctx.query) });
  const values = { environment, status: status ?? '', ...search };
  const inEnvironment = t(inEnvironmentLabels[environment]);
  const none =
    status === undefined
      ? t('No jobs {{inEnvironment}} yet. Create one through the API with a credential that has write access.', {
          inEnvironment,
        })
      : t('No {{status}} jobs {{inEnvironment}}.', { status: t(severalLabels[status]), inEnvironment });
  return page(
    t('Jobs'),
    <>
      <h1>{t('Jobs')}</h1>
      <FilterForm action="/dashboard/jobs" values={values}>
        <SelectField name="environment" label={t('Environment')} options={environments} />
        <SelectField name="status" label={t('Status')} options={[['', t('All')], ...statuses]} />
        <SearchFields list="jobs" />
      </FilterForm>
      <Paged list={list} none={text === undefined ? none : t('Nothing found. Change the search.')} query={values}>
        <p>{t('{{count}} jobs.', { count: list.total, one: '{{count}} job.' })}</p>
        <JobTable
          label={t('Jobs {{inEnvironment}}', { inEnvironment })}
          jobs={list.items}
          hrefOf={(id) => `/dashboard/jobs/${environment}/${id}`}
        />
      </Paged>
    </>,
  );
}
