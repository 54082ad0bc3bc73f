import type { showJob } from '../../operations/jobs/show-job.ts';
import { JobStatusBadge } from './job-status.tsx';
import { OlderLink } from './older-link.tsx';
import { Table, TableRow } from './table.tsx';
import { Instant } from './when.tsx';

type ShownJob = Awaited<ReturnType<typeof showJob>>;

const deeds = {
  created: 'Created',
  updated: 'Changed',
  withdrawn: 'Withdrawn',
  approved: 'Approved',
  denied: 'Denied',
} as const;

interface HistoryProps extends Pick<ShownJob, 'events' | 'older'> {
  /** The job's page. */
  readonly path: string;
  /** Who acted, as the reader may know them. */
  readonly nameOf: (actor: string) => string;
}

/** What happened to a job, oldest first, with the way to what happened before. */
export const JobHistory = ({ path, events, older, nameOf }: HistoryProps) => (
  <>
    <h2>History</h2>
    <OlderLink next={older} path={path} what="events" />
    {events.length === 0 && <p>Nothing was noted about this job.</p>}
    <Table label="History of the job" heads={['When', 'What', 'Status after', 'Who']}>
      {events.map(({ id, createdAt, kind, status, actor }) => (
        <TableRow key={String(id)}>
          <td>
            <Instant at={createdAt} />
          </td>
          <td>{deeds[kind]}</td>
          <td>
            <JobStatusBadge status={status} />
          </td>
          <td>{nameOf(actor)}</td>
        </TableRow>
      ))}
    </Table>
  </>
);
