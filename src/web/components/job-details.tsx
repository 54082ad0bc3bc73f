import type { ComponentChildren } from 'preact';
import { jobFields } from '../../../generated/job-fields.ts';
import type { Schemas } from '../../contract/types.ts';
import type { showJob } from '../../operations/jobs/show-job.ts';
import { JobStatusBadge } from './badges.tsx';
import { OlderLink } from './pager.tsx';
import { Table } from './table.tsx';
import { CalendarDay, Facts, Instant } from './text.tsx';

type ShownJob = Awaited<ReturnType<typeof showJob>>;

interface JobDetailsProps {
  readonly shown: ShownJob;
  /** Such as: Job 12, production. */
  readonly caption: string;
  readonly denial?: ComponentChildren;
}

/** One job as candidates read it. */
export const JobDetails = ({ shown, shown: { job }, caption, denial }: JobDetailsProps) => (
  <>
    <p>
      <JobStatusBadge status={job.status} /> {`${caption}, created `}
      {job.created_at && <Instant at={new Date(job.created_at)} />}
    </p>
    {denial}
    {job.is_anonymous && <p>Published without the company's name.</p>}
    <article>
      <JobHtml html={job.body} />
    </article>
    <Facts facts={factsOf(shown)} />
  </>
);

/** The only place for raw HTML: it was sanitized before it was stored. */
const JobHtml = ({ html }: { readonly html: string }) => (
  <div class="job-body" dangerouslySetInnerHTML={{ __html: html }} />
);

type Fact = readonly [label: string, value: ComponentChildren];

/** Every field of a job besides its title and body, with the contract's labels in the contract's order. */
function factsOf(shown: ShownJob): Fact[] {
  return Object.entries(jobFields).flatMap(([name, { kind, label }]): Fact[] => {
    const known = composed[name as FieldName];
    const fact = known ? known(shown) : ([label, shownValue(kind, shown.job[name as FieldName])] as const);
    return fact ? [fact] : [];
  });
}

type FieldName = keyof typeof jobFields;

/** Fields that the page shows in another way, or within another one. */
const composed: { readonly [F in FieldName]?: (shown: ShownJob) => Fact | undefined } = {
  title: () => undefined,
  body: () => undefined,
  category_id: ({ category }) => [
    jobFields.category_id.label,
    category && [category.parent?.name, category.name].filter(Boolean).join(', '),
  ],
  district_id: ({ district }) => [jobFields.district_id.label, district?.name ?? null],
  salary_min: ({ job }) => ['Salary', salary(job)],
  salary_max: () => undefined,
  salary_negotiable: () => undefined,
  salary_type: () => undefined,
};

type Kind = (typeof jobFields)[FieldName]['kind'];

function shownValue(kind: Kind, value: unknown): ComponentChildren {
  if (value === null || value === undefined) return null;
  if (kind === 'boolean') return value ? 'Yes' : 'No';
  if (kind === 'enum') return words(String(value));
  if (kind === 'date') return <CalendarDay day={String(value)} />;
  if (kind === 'html') return <JobHtml html={String(value)} />;
  if (Array.isArray(value)) return value.length > 0 ? value.join('\n') : null;
  return String(value);
}

/** A value of an enumeration as words: full_time is "Full time". */
function words(value: string | null): string | null {
  const spaced = value?.replaceAll('_', ' ');
  return spaced ? spaced.charAt(0).toUpperCase() + spaced.slice(1) : null;
}

function salary({ salary_min: min, salary_max: max, salary_type: type, salary_negotiable }: Schemas['Job']) {
  const amounts = [min && `from ${min} EUR`, max && `to ${max} EUR`, words(type)?.toLowerCase()];
  const parts = [...amounts, salary_negotiable && 'negotiable'].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : null;
}

const eventNames = {
  created: 'Created',
  updated: 'Changed',
  withdrawn: 'Withdrawn',
  approved: 'Approved',
  denied: 'Denied',
} as const;

interface JobHistoryProps {
  readonly shown: ShownJob;
  /** The job's page. */
  readonly path: string;
  /** What the reader may know of an actor. */
  readonly nameOf: (actor: string) => string;
}

/** What happened to a job, oldest first, with a link to earlier events. */
export const JobHistory = ({ shown: { events, older }, path, nameOf }: JobHistoryProps) => (
  <>
    <h2>History</h2>
    <OlderLink next={older} path={path} what="events" />
    {events.length === 0 && <p>No events.</p>}
    <Table
      label="History of the job"
      rows={events}
      columns={[
        ['Time', ({ createdAt }) => <Instant at={createdAt} />],
        ['Event', ({ kind }) => eventNames[kind]],
        ['Status after', ({ status }) => <JobStatusBadge status={status} />],
        ['Actor', ({ actor }) => nameOf(actor)],
      ]}
    />
  </>
);
