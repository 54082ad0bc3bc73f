import type { searchJobs } from '../../operations/jobs/search-jobs.ts';
import type { Cells } from '../list.tsx';
import type { Translate } from '../texts/t.ts';
import { JobStatusBadge } from './badges.tsx';
import { CalendarDay } from './text.tsx';

/** A job's last day. */
export const lastDay =
  (t: Translate) =>
  ({ validUntil: day }: { readonly validUntil: string | null }) =>
    day === null ? t('Open-ended') : <CalendarDay day={day} />;

/** The columns of jobs that lead to their pages. */
export const jobCells = (hrefOf: (id: number) => string, t: Translate) =>
  ({
    id: null,
    title: ({ id, title }) => <a href={hrefOf(id)}>{title}</a>,
    status: ({ status }) => <JobStatusBadge status={status} />,
    validUntil: lastDay(t),
  }) satisfies Cells<Awaited<ReturnType<typeof searchJobs>>>;
