import type { ListedJob } from '../../operations/jobs/search-jobs.ts';
import { useTexts } from '../texts/texts.ts';
import { JobStatusBadge } from './badges.tsx';
import { Table } from './table.tsx';
import { CalendarDay, Instant } from './text.tsx';

interface JobTableProps {
  readonly label: string;
  readonly jobs: readonly ListedJob[];
  readonly hrefOf: (id: number) => string;
}

/** Jobs of one company and environment. */
export function JobTable({ label, jobs, hrefOf }: JobTableProps) {
  const {
    words,
    jobs: { columns },
  } = useTexts();
  return (
    <Table
      label={label}
      rows={jobs}
      rowHead={columns.title}
      columns={[
        [columns.title, ({ id, title }) => <a href={hrefOf(id)}>{title}</a>],
        [columns.status, ({ status }) => <JobStatusBadge status={status} />],
        [columns.lastDay, ({ validUntil: day }) => (day === null ? words.openEnded : <CalendarDay day={day} />)],
        [columns.created, ({ createdAt }) => <Instant at={createdAt} />],
        [columns.changed, ({ updatedAt }) => <Instant at={updatedAt} />],
      ]}
    />
  );
}
