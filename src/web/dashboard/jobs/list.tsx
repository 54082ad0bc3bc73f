import type { CompanyPerson } from '../../../auth/person.ts';
import { listCompanyJobs } from '../../../operations/jobs/list-jobs.ts';
import { type PageAnswer, type PageContext, page } from '../../page.ts';
import { JobStatusBadge } from '../../parts/job-status.tsx';
import { Pager, pageOf } from '../../parts/pager.tsx';
import { Table, TableRow } from '../../parts/table.tsx';
import { CalendarDay, Instant } from '../../parts/when.tsx';
import { FilterForm, filterIn, type JobFilter } from './filter.tsx';

type Jobs = Awaited<ReturnType<typeof listCompanyJobs>>;

/** A company's jobs in one environment, newest first. */
export async function jobs(ctx: PageContext<CompanyPerson>): Promise<PageAnswer> {
  const filter = filterIn(ctx.query);
  const { company } = ctx.person;
  const found = await listCompanyJobs(ctx, { ...filter, companyId: company.id, page: pageOf(ctx.query) });
  return page(
    'Jobs',
    <>
      <h1>Jobs</h1>
      <FilterForm {...filter} />
      {found.items.length === 0 ? <Nothing {...filter} /> : <Found found={found} {...filter} />}
      <Pager
        page={found.page}
        lastPage={found.lastPage}
        query={{ environment: filter.environment, status: filter.status ?? '' }}
      />
    </>,
  );
}

const Nothing = ({ environment, status }: JobFilter) => (
  <p>
    {status === undefined
      ? `There is no job in ${environment}. A program creates one with a credential that may write.`
      : `No job in ${environment} is ${status}.`}
  </p>
);

const Found = ({ found, environment }: JobFilter & { readonly found: Jobs }) => (
  <>
    <p>{found.total === 1 ? 'One job.' : `${found.total} jobs, the newest first.`}</p>
    <Table label={`Jobs of the ${environment}`} heads={['Title', 'Status', 'Until', 'Created', 'Changed']}>
      {found.items.map(({ id, title, status, valid_until, created_at, updated_at }) => (
        <TableRow key={id}>
          <th scope="row">
            <a href={`/dashboard/jobs/${environment}/${id}`}>{title}</a>
          </th>
          <td>
            <JobStatusBadge status={status} />
          </td>
          <td>{valid_until === null ? 'Open-ended' : <CalendarDay day={valid_until} />}</td>
          <td>{created_at && <Instant at={new Date(created_at)} />}</td>
          <td>{updated_at && <Instant at={new Date(updated_at)} />}</td>
        </TableRow>
      ))}
    </Table>
  </>
);
