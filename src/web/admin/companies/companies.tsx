import { listCompanies } from '../../../operations/companies/list-companies.ts';
import { listPlans } from '../../../operations/plans/set-plan.ts';
import { Badge } from '../../components/badges.tsx';
import { Field, SelectField } from '../../components/field.tsx';
import { FilterForm } from '../../components/form.tsx';
import { Pager, pageIn } from '../../components/pager.tsx';
import { Table } from '../../components/table.tsx';
import { Instant } from '../../components/text.tsx';
import { type AdminContext, type PageAnswer, page } from '../../page.ts';
import { type Options, optionIn } from '../../params.ts';
import { companyPath } from '../paths.ts';

type CompanyFilter = Omit<Parameters<typeof listCompanies>[1], 'page'>;
type Company = Awaited<ReturnType<typeof listCompanies>>['items'][number];

const stateOptions = [
  ['waiting', 'Waiting for approval'],
  ['approved', 'Approved'],
  ['suspended', 'Suspended'],
  ['unverified', 'Unverified'],
] as const;

/** All companies, newest first, or those that match the filter. */
export async function companies(ctx: AdminContext): Promise<PageAnswer> {
  const { filter, values } = filterIn(ctx.query);
  const [found, plans] = await Promise.all([
    listCompanies(ctx, { ...filter, page: pageIn(ctx.query) }),
    listPlans(ctx),
  ]);
  const planOptions = plans.map(({ id, name }) => [String(id), name] as const);
  return page(
    'Companies',
    <>
      <h1>Companies</h1>
      <FilterForm action="/admin/companies" values={values}>
        <Field name="text" label="Search" type="search" hint="Part of a name, an ID, or an e-mail address." />
        <SelectField name="state" label="State" options={[['', 'All'], ...stateOptions]} />
        <SelectField name="plan" label="Plan" options={[['', 'All'], ...planOptions, ...otherPlanOptions]} />
      </FilterForm>
      {found.total === 0 ? (
        <p>No companies found. Change the search or the filter.</p>
      ) : (
        <>
          <p>{found.total === 1 ? '1 company.' : `${found.total} companies, newest first.`}</p>
          <Table
            label="Companies"
            rows={found.items}
            rowHead="Company"
            columns={[
              ['Company', ({ id, name }) => <a href={companyPath(id)}>{name}</a>],
              ['State', (company) => <StateBadge {...company} />],
              ['Plan', planText],
              ['Pending jobs', ({ pendingJobs }) => pendingJobs],
              ['Created', ({ createdAt }) => <Instant at={createdAt} />],
            ]}
          />
          <Pager page={found.page} lastPage={found.lastPage} query={values} />
        </>
      )}
    </>,
  );
}

const otherPlanOptions = [
  ['none', 'No plan'],
  ['complimentary', 'Complimentary access'],
] as const satisfies Options;

/** Reads the filter from the query. Values that are no option are ignored. */
function filterIn(query: URLSearchParams): { filter: CompanyFilter; values: Record<string, string> } {
  const text = query.get('text') ?? '';
  const state = optionIn(query, 'state', stateOptions);
  const id = query.get('plan') ?? '';
  const plan = optionIn(query, 'plan', otherPlanOptions) ?? (/^\d{1,9}$/.test(id) ? Number(id) : undefined);
  return { filter: { text, state, plan }, values: { text, state: state ?? '', plan: String(plan ?? '') } };
}

const planText = ({ plan, complimentary }: Company): string =>
  [plan, complimentary && 'Complimentary'].filter(Boolean).join(', ') || 'None';

function StateBadge({ suspended, verified, approved }: Company) {
  if (suspended) return <Badge tone="bad" text="Suspended" />;
  if (!verified) return <Badge tone="waiting" text="Unverified" />;
  return approved ? <Badge tone="good" text="Approved" /> : <Badge tone="quiet" text="Not approved" />;
}
