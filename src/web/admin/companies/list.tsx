import { listCompanies } from '../../../operations/companies/list-companies.ts';
import { listPlans } from '../../../operations/plans/set-plan.ts';
import { type PageAnswer, page } from '../../page.ts';
import { Badge } from '../../parts/badge.tsx';
import { Pager, pageOf } from '../../parts/pager.tsx';
import { Table, TableRow } from '../../parts/table.tsx';
import { Instant } from '../../parts/when.tsx';
import type { AdminContext } from '../context.ts';
import { CompanySearch, companyFilterOf } from './search.tsx';

type Company = Awaited<ReturnType<typeof listCompanies>>['items'][number];

/** All companies, newest first, or those that a search finds. */
export async function companies(ctx: AdminContext): Promise<PageAnswer> {
  const { filter, typed } = companyFilterOf(ctx.query);
  const [found, plans] = await Promise.all([
    listCompanies(ctx, { ...filter, page: pageOf(ctx.query) }),
    listPlans(ctx),
  ]);
  return page(
    'Companies',
    <>
      <h1>Companies</h1>
      <CompanySearch typed={typed} plans={plans} />
      {found.total === 0 ? (
        <p>No company was found. Search for less, or for another name.</p>
      ) : (
        <>
          <p>{found.total === 1 ? 'One company.' : `${found.total} companies, the newest first.`}</p>
          <Table label="Companies" heads={['Company', 'State', 'Plan', 'Waiting jobs', 'Since']}>
            {found.items.map((company) => (
              <CompanyLine key={String(company.id)} company={company} />
            ))}
          </Table>
          <Pager page={found.page} lastPage={found.lastPage} query={typed} />
        </>
      )}
    </>,
  );
}

const CompanyLine = ({ company }: { readonly company: Company }) => (
  <TableRow>
    <th scope="row">
      <a href={`/admin/companies/${company.id}`}>{company.name}</a>
    </th>
    <td>
      <State company={company} />
    </td>
    <td>{[company.plan, company.complimentary && 'Complimentary'].filter(Boolean).join(', ') || 'None'}</td>
    <td>{company.pendingJobs}</td>
    <td>
      <Instant at={company.createdAt} />
    </td>
  </TableRow>
);

function State({ company: { suspended, verified, approved } }: { readonly company: Company }) {
  if (suspended) return <Badge tone="bad" text="Suspended" />;
  if (!verified) return <Badge tone="waiting" text="Unverified" />;
  return approved ? <Badge tone="good" text="Approved" /> : <Badge tone="quiet" text="Not approved" />;
}
