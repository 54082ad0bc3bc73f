import { createCompany } from '../../../operations/companies/create-company.ts';
import { listCompanies } from '../../../operations/companies/list-companies.ts';
import { listPlans } from '../../../operations/plans/list-plans.ts';
import { Badge } from '../../components/badges.tsx';
import { SelectField } from '../../components/field.tsx';
import { FilterForm } from '../../components/form.tsx';
import { SearchFields, searchIn } from '../../components/list-search.tsx';
import { Action } from '../../components/operation-form.tsx';
import { Paged, pageIn } from '../../components/pager.tsx';
import { Table } from '../../components/table.tsx';
import { Instant } from '../../components/text.tsx';
import { type AdminContext, type PageAnswer, page } from '../../page.ts';
import { type Options, optionIn, optionsOf } from '../../params.ts';
import { type Translate, useT } from '../../texts/t.ts';
import { companyPath } from '../paths.ts';

type CompanyFilter = Omit<Parameters<typeof listCompanies>[1], 'page'>;
type Company = Awaited<ReturnType<typeof listCompanies>>['items'][number];

const stateLabels = {
  waiting: 'Waiting for approval',
  approved: 'Approved',
  suspended: 'Suspended',
  unverified: 'Unverified',
};

/** All companies, newest first, or those that match the filter. */
export async function companies(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  const { filter, values } = filterIn(ctx.query, t);
  const [found, plans] = await Promise.all([
    listCompanies(ctx, { ...filter, page: pageIn(ctx.query) }),
    listPlans(ctx),
  ]);
  const planOptions = plans.map(({ id, name }) => [String(id), name] as const);
  return page(
    t('Companies'),
    <>
      <h1>{t('Companies')}</h1>
      <FilterForm action="/admin/companies" values={values}>
        <SelectField name="state" label={t('State')} options={[['', t('All')], ...optionsOf(stateLabels, t)]} />
        <SelectField name="plan" label={t('Plan')} options={[['', t('All')], ...planOptions, ...otherPlanOptions(t)]} />
        <SearchFields list="companies" />
      </FilterForm>
      <Action operation={createCompany} href="/admin/companies/create" />
      <Paged list={found} none={t('No companies found. Change the search or the filter.')} query={values}>
        <p>{t('{{count}} companies.', { count: found.total, one: '{{count}} company.' })}</p>
        <Table
          label={t('Companies')}
          rows={found.items}
          rowHead={t('Company')}
          columns={[
            [t('Company'), ({ id, name }) => <a href={companyPath(id)}>{name}</a>],
            [t('State'), (company) => <StateBadge {...company} />],
            [t('Plan'), (company) => planText(company, t)],
            [t('Pending jobs'), ({ pendingJobs }) => pendingJobs],
            [t('Created'), ({ createdAt }) => <Instant at={createdAt} />],
          ]}
        />
      </Paged>
    </>,
  );
}

const otherPlanOptions = (t: Translate): Options<'none' | 'complimentary'> => [
  ['none', t('No plan')],
  ['complimentary', t('Complimentary access')],
];

/** Reads the filter from the query. Values that are no option are ignored. */
function filterIn(query: URLSearchParams, t: Translate): { filter: CompanyFilter; values: Record<string, string> } {
  const { text, sort, values: search } = searchIn(query, 'companies');
  const state = optionIn(query, 'state', optionsOf(stateLabels, t));
  const id = query.get('plan') ?? '';
  const plan = optionIn(query, 'plan', otherPlanOptions(t)) ?? (/^\d{1,9}$/.test(id) ? Number(id) : undefined);
  const values = { state: state ?? '', plan: String(plan ?? ''), ...search };
  return { filter: { text, state, plan, sort }, values };
}

const planText = ({ plan, complimentary }: Company, t: Translate): string =>
  [plan, complimentary && t('Complimentary')].filter(Boolean).join(', ') || t('None');

function StateBadge({ suspended, verified, approved }: Company) {
  const t = useT();
  if (suspended) return <Badge tone="bad" text={t(stateLabels.suspended)} />;
  if (!verified) return <Badge tone="waiting" text={t(stateLabels.unverified)} />;
  return approved ? (
    <Badge tone="good" text={t(stateLabels.approved)} />
  ) : (
    <Badge tone="quiet" text={t('Not approved')} />
  );
}
