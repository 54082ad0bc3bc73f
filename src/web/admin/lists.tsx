import { unlimited } from '../../domain/eligibility.ts';
import { versionOf } from '../../domain/job-version.ts';
import { listAudit } from '../../operations/audit/people/list-audit.ts';
import { createCompany } from '../../operations/companies/people/create-company.ts';
import { companyStateLabels, listCompanies } from '../../operations/companies/people/list-companies.ts';
import type { Subject } from '../../operations/declare.ts';
import { searchAllJobs, searchQueue } from '../../operations/jobs/people/search-jobs.ts';
import { perPage } from '../../operations/paging.ts';
import { listPlans } from '../../operations/plans/people/list-plans.ts';
import { setPlan } from '../../operations/plans/people/set-plan.ts';
import { searchRequests } from '../../operations/requests/people/list-requests.ts';
import { createAdministrator } from '../../operations/users/people/create-account.ts';
import { administrators as listAdministrators } from '../../operations/users/people/list-users.ts';
import { requestLogDays } from '../../telemetry/logged-request.ts';
import { actorText, auditActionOptions, auditCells } from '../components/audit-cells.ts';
import { jobCells, lastDay } from '../components/job-details.tsx';
import { Action } from '../components/operation-form.tsx';
import { PostForm } from '../components/post-form.tsx';
import { requestCells, requestPage } from '../components/requests.tsx';
import { Badge, type Tone } from '../components/text.tsx';
import { environmentLabels } from '../labels.ts';
import { listPage } from '../list.tsx';
import { type AdminContext, environmentIn, idIn, type PageAnswer } from '../page.ts';
import { ReviewKeys } from './job-page.tsx';
import { companyPath, jobPath, passIn, requestPath, withPass } from './paths.ts';
import { PersonActions } from './people.tsx';

// The pages of the administration that are one list each.

/** Pending production jobs of all companies, oldest first. */
export const reviewQueue = listPage('Review queue', searchQueue, (ctx: AdminContext) => {
  const { t } = ctx;
  const pass = passIn(ctx);
  return {
    intro: <ReviewKeys />,
    none: t('No jobs are waiting for review.'),
    rowName: 'title',
    cells: {
      jobId: null,
      title: (job, { items, page = 1 }) => (
        <>
          <input
            type="checkbox"
            form="selected"
            name="jobs"
            value={`${job.companyId}/${job.jobId}/${versionOf({ status: 'pending', updated_at: job.updatedAt.toISOString() })}`}
            aria-label={t('Select {{title}}', { title: job.title })}
          />{' '}
          <a
            href={withPass(jobPath({ ...job, environment: 'production' }), {
              ...pass,
              seen: (page - 1) * perPage + items.indexOf(job),
            })}
            {...(job === items[0] && { accesskey: 'n' })}
          >
            {job.title}
          </a>
        </>
      ),
      companyId: null,
      companyName: ({ companyId, companyName }) => <a href={companyPath(companyId)}>{companyName}</a>,
      category: ({ category }) => category ?? t('No category'),
      district: ({ district }) => district ?? t('No region'),
      validUntil: lastDay(t),
    },
    outro: (
      <PostForm id="selected" action={withPass('/admin/review/approve', pass)}>
        <button type="submit" class="secondary" accesskey="a">
          {t('Approve and publish the selected jobs')}
        </button>
      </PostForm>
    ),
  };
});

/** The jobs of all companies, or of one, newest first. */
export const allJobs = listPage('Jobs', searchAllJobs, ({ t }) => ({
  none: t('No jobs yet.'),
  rowName: 'title',
  cells: {
    ...jobCells(t),
    title: ({ id, title, ...tenant }) => <a href={jobPath({ ...tenant, jobId: BigInt(id) })}>{title}</a>,
    companyId: null,
    companyName: ({ companyId, companyName }) => <a href={companyPath(companyId)}>{companyName}</a>,
    environment: ({ environment }) => t(environmentLabels[environment]),
  },
}));

/** Refused requests of all companies, or all of one company, newest first. */
export const requests = listPage('Requests', searchRequests, ({ t }) => ({
  intro: <p>{t('Without a company or an ID, only refused requests are listed.')}</p>,
  none: t('No requests were refused in the last {{days}} days.', { days: requestLogDays }),
  rowName: 'operation',
  cells: {
    ...requestCells(requestPath, t),
    companyName: ({ companyId, companyName }) => <a href={companyPath(companyId)}>{companyName}</a>,
  },
}));

export function request(ctx: AdminContext): Promise<PageAnswer> {
  const tenant = { companyId: idIn(ctx.params, 'company'), environment: environmentIn(ctx.params) };
  const listPath = `/admin/requests?companyId=${tenant.companyId}`;
  return requestPage(ctx, tenant, { jobPath: (jobId) => jobPath({ ...tenant, jobId }), listPath });
}

const tones: Readonly<Record<keyof typeof companyStateLabels, Tone>> = {
  waiting: 'waiting',
  closed: 'quiet',
  approved: 'good',
  suspended: 'bad',
  unverified: 'waiting',
};

/** All companies, newest first, or those that match the filter. */
export const companies = listPage('Companies', listCompanies, ({ t }) => ({
  intro: <Action operation={createCompany} href="/admin/companies/create" />,
  none: t('No companies yet.'),
  nearPath: companyPath,
  rowName: 'name',
  cells: {
    id: null,
    name: ({ id, name }) => <a href={companyPath(id)}>{name}</a>,
    state: ({ state }) => <Badge tone={tones[state]} text={t(companyStateLabels[state])} />,
    plan: ({ plan, complimentary }) =>
      [plan, complimentary && t('Complimentary')].filter(Boolean).join(', ') || t('None'),
    complimentary: null,
  },
}));

const formPath = '/admin/plans/set';

/** All plans. */
export const plans = listPage('Plans', listPlans, ({ t }) => ({
  intro: <Action operation={setPlan} href={formPath} text={t('Add plan')} />,
  none: t('No plans yet.'),
  rowName: 'name',
  cells: { id: null, limit: ({ limit }) => (limit === unlimited ? t('Unlimited') : limit) },
  actions: ({ id, name }) => (
    <Action operation={setPlan} href={`${formPath}?plan=${id}`} row={name} text={t('Change')} />
  ),
}));

/** The plan in the query, or a new one. */
export async function planAsked(ctx: AdminContext): Promise<Subject> {
  const chosen = (await listPlans(ctx, {})).items.find(({ id }) => String(id) === ctx.query.get('plan'));
  return chosen ? { name: chosen.name, values: chosen } : {};
}

export const administrators = listPage('Administrators', listAdministrators, ({ t }) => ({
  intro: <Action operation={createAdministrator} href="/admin/administrators/create" />,
  none: t('No accounts yet.'),
  rowName: 'email',
  cells: { administratorId: null },
  actions: ({ email }) => <PersonActions portal="administrator" list="/admin/administrators" email={email} />,
}));

/** The audit trail of all companies, newest first. */
export const audit = listPage('Audit trail', listAudit, ({ t }) => ({
  options: { action: auditActionOptions(t) },
  none: t('No entries yet.'),
  rowName: 'action',
  cells: {
    ...auditCells(t, ({ companyId, environment }, id) => (
      <a
        class="in-text"
        href={jobPath({ companyId: companyId ?? 0n, environment: environment ?? 'production', jobId: BigInt(id) })}
      >
        {id}
      </a>
    )),
    actor: ({ actor, actorEmail }, { names }) => actorEmail ?? actorText(actor, names, t),
    companyId: ({ companyId, companyName }) =>
      companyId !== null && (
        <a href={`/admin/companies/${companyId}`}>{companyName ?? t('Company {{id}}', { id: String(companyId) })}</a>
      ),
  },
}));
