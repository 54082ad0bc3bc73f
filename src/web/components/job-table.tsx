import type { Schemas } from '../../contract/types.ts';
import { JobStatusBadge } from './badges.tsx';
import { Table } from './table.tsx';
import { CalendarDay, Instant } from './text.tsx';

interface JobTableProps {
  readonly label: string;
  readonly jobs: readonly Schemas['Job'][];
  readonly hrefOf: (id: number) => string;
}

/** Jobs of one company and environment. */
export const JobTable = ({ label, jobs, hrefOf }: JobTableProps) => (
  <Table
    label={label}
    rows={jobs}
    rowHead="Title"
    columns={[
      ['Title', ({ id, title }) => <a href={hrefOf(id)}>{title}</a>],
      ['Status', ({ status }) => <JobStatusBadge status={status} />],
      ['Last day', ({ valid_until: day }) => (day === null ? 'Open-ended' : <CalendarDay day={day} />)],
      ['Created', ({ created_at: at }) => at && <Instant at={new Date(at)} />],
      ['Changed', ({ updated_at: at }) => at && <Instant at={new Date(at)} />],
    ]}
  />
);
