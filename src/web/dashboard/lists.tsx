import { listAudit } from '../../operations/audit/list-audit.ts';
import { searchJobs } from '../../operations/jobs/search-jobs.ts';
import { actorTextForCompany, auditActionOptions, auditCells } from '../components/audit-cells.ts';
import { jobCells } from '../components/job-details.tsx';
import { inEnvironmentLabels } from '../labels.ts';
import { listPage } from '../list.tsx';
import { type DashboardContext, environmentAsked } from '../page.ts';

// The pages of the dashboard that are one list each.

/** The company's jobs in one environment, newest first. Shows production unless the query names the sandbox. */
export const jobs = listPage('Jobs', searchJobs, ({ t, query, person }: DashboardContext) => {
  const environment = environmentAsked(query);
  return {
    given: { companyId: person.company.id },
    none: t('No jobs {{inEnvironment}} yet. Create one through the API with a credential that has write access.', {
      inEnvironment: t(inEnvironmentLabels[environment]),
    }),
    rowName: 'title',
    cells: {
      ...jobCells(t),
      title: ({ id, title }) => <a href={`/dashboard/jobs/${environment}/${id}`}>{title}</a>,
    },
  };
});

/** The company's audit trail, newest first. */
export const activity = listPage('Activity', listAudit, ({ t, person }: DashboardContext) => ({
  given: { companyId: person.company.id, actorKind: undefined, actor: undefined },
  options: { action: auditActionOptions(t).filter(([action]) => isOfCompany(action)) },
  none: t("No activity. Changes to credentials, the sandbox and the company's access appear here."),
  rowName: 'action',
  cells: {
    ...auditCells(t, ({ environment }, id) => (
      <a class="in-text" href={`/dashboard/jobs/${environment}/${id}`}>
        {id}
      </a>
    )),
    actor: ({ actor }, { names }) => actorTextForCompany(actor, names, t),
    companyId: null,
  },
}));

/** The other actions concern no company. */
const isOfCompany = (action: string): boolean => !/^(administrator|category|maintenance|plan|reference)\./.test(action);
