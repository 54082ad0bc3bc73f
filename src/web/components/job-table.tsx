import type { Schemas } from '../../contract/types.ts';
import { JobStatusBadge } from './badges.tsx';
import { Table, TableRow } from './table.tsx';
import { CalendarDay, Instant } from './text.tsx';

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
