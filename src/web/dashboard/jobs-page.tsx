import { searchJobs } from '../../operations/jobs/search-jobs.ts';
import { jobCells } from '../components/job-cells.tsx';
import { inEnvironmentLabels } from '../labels.ts';
import { List, readList } from '../list.tsx';
import { type DashboardContext, type PageAnswer, page } from '../page.ts';
import { environmentOptions, optionIn } from '../params.ts';

/** The company's jobs in one environment, newest first. Shows production unless the query names the sandbox. */
export async function jobs(ctx: DashboardContext): Promise<PageAnswer> {
  const { t } = ctx;
  const environment = optionIn(ctx.query, 'environment', environmentOptions(t)) ?? 'production';
  const read = await readList(ctx, searchJobs, { companyId: ctx.person.company.id });
  return page(
    t('Jobs'),
    <>
      <h1>{t('Jobs')}</h1>
      <List
        label={t('Jobs')}
        read={read}
        none={t('No jobs {{inEnvironment}} yet. Create one through the API with a credential that has write access.', {
          inEnvironment: t(inEnvironmentLabels[environment]),
        })}
        rowName="title"
        cells={jobCells((id) => `/dashboard/jobs/${environment}/${id}`, t)}
      />
    </>,
    read.errors,
  );
}
