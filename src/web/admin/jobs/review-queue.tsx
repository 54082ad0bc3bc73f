import { listPendingJobs } from '../../../operations/jobs/list-pending-jobs.ts';
import { type PageAnswer, page } from '../../page.ts';
import { Pager, pageOf } from '../../parts/pager.tsx';
import { Table, TableRow } from '../../parts/table.tsx';
import { CalendarDay, Instant } from '../../parts/when.tsx';
import type { AdminContext } from '../context.ts';
import { jobPath } from './job-name.ts';

type Pending = Awaited<ReturnType<typeof listPendingJobs>>['items'][number];

/** Pending production jobs of all companies, oldest first. */
export async function reviewQueue(ctx: AdminContext): Promise<PageAnswer> {
  const queue = await listPendingJobs(ctx, { page: pageOf(ctx.query) });
  return page(
    'Review queue',
    <>
      <h1>Review queue</h1>
      {queue.total === 0 ? (
        <p>No job waits for review. A new one appears here as soon as a company posts it in production.</p>
      ) : (
        <>
          <p>{queue.total === 1 ? 'One job waits.' : `${queue.total} jobs wait, the oldest first.`}</p>
          <Table label="Jobs that wait for review" heads={['Job', 'Company', 'Category', 'Region', 'Until', 'Posted']}>
            {queue.items.map((job) => (
              <PendingRow key={String(job.jobId)} job={job} />
            ))}
          </Table>
          <Pager page={queue.page} lastPage={queue.lastPage} />
        </>
      )}
    </>,
  );
}

const PendingRow = ({ job }: { readonly job: Pending }) => (
  <TableRow>
    <th scope="row">
      <a href={jobPath({ ...job, environment: 'production' })}>{job.title}</a>
    </th>
    <td>{job.companyName}</td>
    <td>{job.category ?? 'None'}</td>
    <td>{job.district ?? 'None'}</td>
    <td>{job.validUntil === null ? 'Open-ended' : <CalendarDay day={job.validUntil} />}</td>
    <td>
      <Instant at={job.createdAt} />
    </td>
  </TableRow>
);
