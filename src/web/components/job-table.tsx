import type { ListedJob } from '../../operations/jobs/search-jobs.ts';
import { useT } from '../texts/t.ts';
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
  const t = useT();
  return (
    <Table
      label={label}
      rows={jobs}
      rowHead={t('Title')}
      columns={[
        [t('Title'), ({ id, title }) => <a href={hrefOf(id)}>{title}</a>],
        [t('Status'), ({ status }) => <JobStatusBadge status={status} />],
        [t('Last day'), ({ validUntil: day }) => (day === null ? t('Open-ended') : <CalendarDay day={day} />)],
        [t('Created'), ({ createdAt }) => <Instant at={createdAt} />],
        [t('Changed'), ({ updatedAt }) => <Instant at={updatedAt} />],
      ]}
    />
  );
}
