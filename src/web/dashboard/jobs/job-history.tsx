import type { showJob } from '../../../actions/show-job.ts';
import { JobStatusBadge } from '../../parts/job-status.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/when.tsx';
import { actorName } from '../actor-name.ts';

type Events = Awaited<ReturnType<typeof showJob>>['events'];

const deeds = {
  created: 'Created',
  updated: 'Changed',
  withdrawn: 'Withdrawn',
  approved: 'Approved',
  denied: 'Denied',
} as const;

/** What happened to a job, oldest first. */
export const JobHistory = ({ events }: { readonly events: Events }) => (
  <>
    <h2>History</h2>
    <Table label="History of the job" heads={['When', 'What', 'Status after', 'Who']}>
      {events.map(({ createdAt, kind, status, actor }) => (
        <tr key={`${createdAt.getTime()} ${kind}`}>
          <td>
            <Instant at={createdAt} />
          </td>
          <td>{deeds[kind]}</td>
          <td>
            <JobStatusBadge status={status} />
          </td>
          <td>{actorName(actor)}</td>
        </tr>
      ))}
    </Table>
  </>
);
