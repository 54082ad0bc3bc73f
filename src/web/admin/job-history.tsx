import type { showJob } from '../../actions/show-job.ts';
import { JobStatusBadge } from '../parts/job-status.tsx';
import { Table } from '../parts/table.tsx';
import { Instant } from '../parts/when.tsx';

type Events = Awaited<ReturnType<typeof showJob>>['events'];

/** What happened to a job, oldest first. */
export const JobHistory = ({ events }: { readonly events: Events }) => (
  <>
    <h2>History</h2>
    {events.length === 0 ? (
      <p>Nothing was noted about this job.</p>
    ) : (
      <Table label="History of the job" heads={['When', 'What', 'Status after', 'Who']}>
        {events.map(({ createdAt, kind, status, actor }) => (
          <tr key={`${createdAt.getTime()} ${kind}`}>
            <td>
              <Instant at={createdAt} />
            </td>
            <td>{kind}</td>
            <td>
              <JobStatusBadge status={status} />
            </td>
            <td>{actor}</td>
          </tr>
        ))}
      </Table>
    )}
  </>
);
