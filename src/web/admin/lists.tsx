import { unlimited } from '../../domain/eligibility.ts';
import type { Tenant } from '../../domain/environment.ts';
import { listAudit } from '../../operations/audit/people/list-audit.ts';
import { createCompany } from '../../operations/companies/people/create-company.ts';
import { companyStateLabels, listCompanies } from '../../operations/companies/people/list-companies.ts';
import { type Found, find, foundLabels } from '../../operations/find/people/find.ts';
import { searchAllJobs } from '../../operations/jobs/people/search-jobs.ts';
import { environmentLabels } from '../../operations/kit/fields.ts';
import { addPlan, changePlan } from '../../operations/plans/people/change-plan.ts';
import { listPlans } from '../../operations/plans/people/list-plans.ts';
import { searchRequests } from '../../operations/requests/people/list-requests.ts';
import { createAdministrator } from '../../operations/users/people/create-account.ts';
import { administrators as listAdministrators } from '../../operations/users/people/list-users.ts';
import { requestLogDays } from '../../telemetry/logged-request.ts';
import { auditActionOptions, auditCells } from '../components/audit-cells.tsx';
import { jobCells } from '../components/job-details.tsx';
import { Action } from '../components/operation-form.tsx';
import { PersonActions } from '../components/person-actions.tsx';
import { requestCells, requestPage } from '../components/requests.tsx';
import { Badge, type Tone } from '../components/text.tsx';
import type { FieldValues } from '../form.ts';
import { companyLabel } from '../labels.ts';
import { listPage, Pager } from '../list.tsx';
import { type AdminContext, environmentIn, idIn, type PageAnswer } from '../page.ts';
import { allJobsPath, companyPath, jobPath, requestPath } from './paths.ts';

// The administration's pages that consist of one list.

/** The path of the CSV file, if a company and an environment are chosen. Undefined for a search text, which finds more here than in the file. */
const filePathOf =
  (name: 'jobs' | 'requests') =>
  ({ items: [row] }: { readonly items: readonly Tenant[] }, query: FieldValues): string | undefined =>
    row && query.environment === row.environment && query.companyId && !query.text
      ? `${companyPath(row.companyId)}/${row.environment}/${name}.csv`
      : undefined;

/** The page of a search result. A person leads to their company's page, an administrator to the page of the list with the account. */
function foundPath(found: Found): string {
  if (found.kind === 'job') return jobPath(found);
  if (found.kind === 'administrator') return `/admin/administrators?page=${found.page}`;
  return found.kind === 'request' ? requestPath(found) : companyPath(found.companyId);
}

/** The lists that show all results for a text. */
const morePages = {
  company: ['/admin/companies', 'More companies'],
  job: [allJobsPath, 'More jobs'],
  request: ['/admin/requests', 'More requests'],
} as const;

/** Lists what matches the text. A single match opens its page instead. */
export const findings = listPage('Find', find, ({ t, query }: AdminContext) => ({
  none: t('Type what you look for.'),
  nearPath: companyPath,
  opens: ({ items: [only], total }) => (only && total === 1 ? foundPath(only) : undefined),
  rowName: 'name',
  cells: {
    name: (found, { items }) => (
      <a href={foundPath(found)}>{found.kind === 'company' ? companyLabel(found, items) : found.name}</a>
    ),
    kind: ({ kind }) => <Badge tone="quiet" text={t(foundLabels[kind])} />,
    companyName: (found, { items }) =>
      found.kind !== 'company' &&
      found.companyId !== null && <a href={companyPath(found.companyId)}>{companyLabel(found, items)}</a>,
    environment: ({ environment }) => environment && t(environmentLabels[environment]),
    requestId: null,
    page: null,
  },
  outro: ({ more }) =>
    more.map((kind) => {
      const [path, label] = morePages[kind];
      return <Pager key={kind} label={t(label)} next={[t(label), { text: query.get('text') ?? '' }]} path={path} />;
    }),
}));

/** The jobs of all companies, or of one, newest first. */
export const allJobs = listPage('Jobs', searchAllJobs, ({ t }: AdminContext) => ({
  filePath: filePathOf('jobs'),
  none: t('No jobs yet.'),
  rowName: 'title',
  cells: {
    ...jobCells(t),
    title: ({ id, title, ...tenant }) => <a href={jobPath({ ...tenant, jobId: BigInt(id) })}>{title}</a>,
    companyId: null,
    companyName: (row, { items }) => <a href={companyPath(row.companyId)}>{companyLabel(row, items)}</a>,
    environment: ({ environment }) => t(environmentLabels[environment]),
  },
}));

/** The refused requests of all companies, or all requests of one company, newest first. */
export const requests = listPage('Requests', searchRequests, ({ t }) => ({
  intro: ({ isRefused }) =>
    isRefused && <p>{t('Showing refused requests. Choose a company to see all of its requests.')}</p>,
  filePath: filePathOf('requests'),
  none: t('No requests were refused in the last {{days}} days.', { days: requestLogDays }),
  rowName: 'operation',
  cells: {
    ...requestCells(requestPath, t),
    companyName: (row, { items }) => <a href={companyPath(row.companyId)}>{companyLabel(row, items)}</a>,
  },
}));

export function request(ctx: AdminContext): Promise<PageAnswer> {
  const tenant = { companyId: idIn(ctx.params, 'company'), environment: environmentIn(ctx.params) };
  const listPath = `/admin/requests?companyId=${tenant.companyId}`;
  // Administrators have pages of jobs only.
  const pathOf = (resource: string, id: number) =>
    resource === 'job' ? jobPath({ ...tenant, jobId: BigInt(id) }) : undefined;
  return requestPage(ctx, tenant, { pathOf, listPath, companyPath });
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
    name: ({ id, name }, { items }) => (
      <a href={companyPath(id)}>{companyLabel({ companyId: id, companyName: name }, items)}</a>
    ),
    state: ({ state }) => <Badge tone={tones[state]} text={t(companyStateLabels[state])} />,
    plan: ({ plan, complimentary }) =>
      [plan, complimentary && t('Complimentary')].filter(Boolean).join(', ') || t('None'),
    complimentary: null,
  },
}));

/** All plans. */
export const plans = listPage('Plans', listPlans, ({ t }) => ({
  intro: <Action operation={addPlan} href="/admin/plans/add" />,
  none: t('No plans yet.'),
  rowName: 'name',
  cells: { id: null, limit: ({ limit }) => (limit === unlimited ? t('Unlimited') : limit) },
  actions: ({ id, name }) => <Action operation={changePlan} href={`/admin/plans/${id}/change`} row={name} />,
}));

export const administrators = listPage('Administrators', listAdministrators, ({ t }) => ({
  intro: <Action operation={createAdministrator} href="/admin/administrators/create" />,
  none: t('No accounts yet.'),
  rowName: 'email',
  cells: { administratorId: null, locked: null },
  actions: (person) => <PersonActions people="administrators" list="/admin/administrators" {...person} />,
}));

/** The audit trail of all companies, newest first. */
export const audit = listPage('Audit trail', listAudit, ({ t }) => ({
  options: { action: auditActionOptions(t) },
  none: t('No entries yet.'),
  rowName: 'action',
  cells: {
    ...auditCells(t, (noun, environment, id, companyId) =>
      noun === 'job' && companyId !== null ? jobPath({ companyId, environment, jobId: BigInt(String(id)) }) : undefined,
    ),
    companyId: ({ companyId, companyName }, { items }) =>
      companyId !== null &&
      // A company without a name has been erased, or its database node did not respond.
      (companyName === null ? (
        t('Company {{id}}', { id: String(companyId) })
      ) : (
        <a href={companyPath(companyId)}>{companyLabel({ companyId, companyName }, items)}</a>
      )),
  },
}));
