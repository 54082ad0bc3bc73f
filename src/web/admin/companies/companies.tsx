import { listCompanies } from '../../../operations/companies/list-companies.ts';
import { listPlans } from '../../../operations/plans/list-plans.ts';
import { Badge } from '../../components/badges.tsx';
import { SelectField } from '../../components/field.tsx';
import { FilterForm } from '../../components/form.tsx';
import { SearchFields, searchIn } from '../../components/list-search.tsx';
import { Pager, pageIn } from '../../components/pager.tsx';
import { Table } from '../../components/table.tsx';
import { Instant } from '../../components/text.tsx';
import { type AdminContext, type PageAnswer, page } from '../../page.ts';
import { type Options, optionIn, optionsOf } from '../../params.ts';
import { type Texts, useTexts } from '../../texts/texts.ts';
import { companyPath } from '../paths.ts';

type CompanyFilter = Omit<Parameters<typeof listCompanies>[1], 'page'>;
type Company = Awaited<ReturnType<typeof listCompanies>>['items'][number];

/** All companies, newest first, or those that match the filter. */
export async function companies(ctx: AdminContext): Promise<PageAnswer> {
  const { filter, values } = filterIn(ctx.query, ctx.texts);
  const [found, plans] = await Promise.all([
    listCompanies(ctx, { ...filter, page: pageIn(ctx.query) }),
    listPlans(ctx),
  ]);
  const planOptions = plans.map(({ id, name }) => [String(id), name] as const);
  const { companies: texts, lists } = ctx.texts;
  const { columns } = texts;
  return page(
    texts.title,
    <>
      <h1>{texts.title}</h1>
      <FilterForm action="/admin/companies" values={values}>
        <SelectField name="state" label={texts.state} options={[['', lists.any.state], ...optionsOf(texts.states)]} />
        <SelectField
          name="plan"
          label={texts.plan}
          options={[['', lists.any.plan], ...planOptions, ...otherPlanOptions(ctx.texts)]}
        />
        <SearchFields list="companies" />
      </FilterForm>
      {found.total === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <>
          <p>{texts.total(found.total, filter.sort === 'newest')}</p>
          <Table
            label={texts.title}
            rows={found.items}
            rowHead={columns.company}
            columns={[
              [columns.company, ({ id, name }) => <a href={companyPath(id)}>{name}</a>],
              [columns.state, (company) => <StateBadge {...company} />],
              [columns.plan, (company) => planText(company, ctx.texts)],
              [columns.pending, ({ pendingJobs }) => pendingJobs],
              [columns.created, ({ createdAt }) => <Instant at={createdAt} />],
            ]}
          />
          <Pager page={found.page} lastPage={found.lastPage} query={values} />
        </>
      )}
    </>,
  );
}

const otherPlanOptions = ({ companies }: Texts): Options<'none' | 'complimentary'> => [
  ['none', companies.noPlan],
  ['complimentary', companies.complimentaryAccess],
];

/** Reads the filter from the query. Values that are no option are ignored. */
function filterIn(query: URLSearchParams, texts: Texts): { filter: CompanyFilter; values: Record<string, string> } {
  const { text, sort, values: search } = searchIn(query, 'companies');
  const state = optionIn(query, 'state', optionsOf(texts.companies.states));
  const id = query.get('plan') ?? '';
  const plan = optionIn(query, 'plan', otherPlanOptions(texts)) ?? (/^\d{1,9}$/.test(id) ? Number(id) : undefined);
  const values = { state: state ?? '', plan: String(plan ?? ''), ...search };
  return { filter: { text, state, plan, sort }, values };
}

const planText = ({ plan, complimentary }: Company, { companies, words }: Texts): string =>
  [plan, complimentary && companies.complimentary].filter(Boolean).join(', ') || words.none;

function StateBadge({ suspended, verified, approved }: Company) {
  const { companies: texts } = useTexts();
  if (suspended) return <Badge tone="bad" text={texts.states.suspended} />;
  if (!verified) return <Badge tone="waiting" text={texts.states.unverified} />;
  return approved ? (
    <Badge tone="good" text={texts.states.approved} />
  ) : (
    <Badge tone="quiet" text={texts.notApproved} />
  );
}
