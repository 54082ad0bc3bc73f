import type { Schemas } from '../../contract/types.ts';
import type { JobStatus } from '../../domain/job.ts';
import { Table, TableRow } from './table.tsx';
import { Badge, type Tone } from './text.tsx';
import { CalendarDay, Instant } from './time.tsx';

const tones: Readonly<Record<JobStatus, Tone>> = {
  pending: 'waiting',
  active: 'good',
  inactive: 'quiet',
  expired: 'quiet',
  denied: 'bad',
};

export const JobStatusBadge = ({ status }: { readonly status: JobStatus }) => (
  <Badge tone={tones[status]} text={status.charAt(0).toUpperCase() + status.slice(1)} />
);

interface JobTableProps {
  readonly label: string;
  readonly jobs: readonly Schemas['Job'][];
  readonly hrefOf: (id: number) => string;
}

/** Jobs of one company and environment. */
export const JobTable = ({ label, jobs, hrefOf }: JobTableProps) => (
  <Table label={label} heads={['Title', 'Status', 'Last day', 'Created', 'Changed']}>
    {jobs.map(({ id, title, status, valid_until, created_at, updated_at }) => (
      <TableRow key={id}>
        <th scope="row">
          <a href={hrefOf(id)}>{title}</a>
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
);
