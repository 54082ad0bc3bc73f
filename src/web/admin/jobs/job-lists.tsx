import { showCompany } from '../../../operations/companies/show-company.ts';
import { searchJobs, searchQueue } from '../../../operations/jobs/search-jobs.ts';
import { jobCells, lastDay } from '../../components/job-cells.tsx';
import { inEnvironmentLabels } from '../../labels.ts';
import { List, listPage, readList } from '../../list.tsx';
import { type AdminContext, type PageAnswer, page } from '../../page.ts';
import { environmentIn, idIn } from '../../params.ts';
import { companyPath, jobPath } from '../paths.ts';
import { ReviewKeys } from './review-keys.tsx';

/** Pending production jobs of all companies, oldest first. */
export async function reviewQueue(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  const read = await readList(ctx, searchQueue);
  const first = read.found?.items[0];
  return listPage(t('Review queue'), read, {
    intro: <ReviewKeys />,
    none: t('No jobs are waiting for review.'),
    rowName: 'title',
    cells: {
      jobId: null,
      title: (job) => (
        <a href={jobPath({ ...job, environment: 'production' })} {...(job === first && { accesskey: 'n' })}>
          {job.title}
        </a>
      ),
      companyId: null,
      category: ({ category }) => category ?? t('No category'),
      district: ({ district }) => district ?? t('No region'),
      validUntil: lastDay(t),
    },
  });
}

/** The jobs of one company in one environment, newest first. */
export async function companyJobs(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  const tenant = { companyId: idIn(ctx.params, 'company'), environment: environmentIn(ctx.params) };
  const company = await showCompany(ctx, tenant);
  const read = await readList(ctx, searchJobs, tenant);
  return page(
    t('Jobs'),
    <>
      <h1>
        {t('Jobs of {{companyName}} {{inEnvironment}}', {
          companyName: company.name,
          inEnvironment: t(inEnvironmentLabels[tenant.environment]),
        })}
      </h1>
      <List
        label={t('Jobs')}
        read={read}
        none={t('No jobs yet.')}
        rowName="title"
        cells={jobCells((id) => jobPath({ ...tenant, jobId: BigInt(id) }), t)}
      />
      <p>
        <a href={companyPath(company.id)}>{t('Back to {{companyName}}', { companyName: company.name })}</a>
      </p>
    </>,
    read.errors,
  );
}
