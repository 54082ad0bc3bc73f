import type { showJob } from '../../actions/show-job.ts';
import { JobStatusBadge } from './job-status.tsx';
import { Table, TableRow } from './table.tsx';
import { Instant } from './when.tsx';

type Events = Awaited<ReturnType<typeof showJob>>['events'];

const deeds = {
  created: 'Created',
  updated: 'Changed',
  withdrawn: 'Withdrawn',
  approved: 'Approved',
  denied: 'Denied',
} as const;

interface HistoryProps {
  readonly events: Events;
  /** Who acted, as the reader may know them. */
  readonly nameOf: (actor: string) => string;
}

/** What happened to a job, oldest first. */
export const JobHistory = ({ events, nameOf }: HistoryProps) => (
  <>
    <h2>History</h2>
    {events.length === 0 && <p>Nothing was noted about this job.</p>}
    <Table label="History of the job" heads={['When', 'What', 'Status after', 'Who']}>
      {events.map(({ createdAt, kind, status, actor }) => (
        <TableRow key={`${createdAt.getTime()} ${kind}`}>
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
