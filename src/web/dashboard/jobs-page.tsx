import { searchJobs } from '../../operations/jobs/search-jobs.ts';
import { jobCells } from '../components/job-cells.tsx';
import { inEnvironmentLabels } from '../labels.ts';
import { listPage, readList } from '../list.tsx';
import type { DashboardContext, PageAnswer } from '../page.ts';
import { environmentOptions, optionIn } from '../params.ts';

/** The company's jobs in one environment, newest first. Shows production unless the query names the sandbox. */
export async function jobs(ctx: DashboardContext): Promise<PageAnswer> {
  const { t } = ctx;
  const environment = optionIn(ctx.query, 'environment', environmentOptions(t)) ?? 'production';
  const read = await readList(ctx, searchJobs, { companyId: ctx.person.company.id });
  return listPage(t('Jobs'), read, {
    none: t('No jobs {{inEnvironment}} yet. Create one through the API with a credential that has write access.', {
      inEnvironment: t(inEnvironmentLabels[environment]),
    }),
    rowName: 'title',
    cells: jobCells((id) => `/dashboard/jobs/${environment}/${id}`, t),
  });
}
