import type { ComponentChildren } from 'preact';
import type { Schemas } from '../../contract/types.ts';
import type { showJob } from '../../operations/jobs/show-job.ts';
import { JobStatusBadge } from './job-table.tsx';
import { OlderLink } from './pager.tsx';
import { Table, TableRow } from './table.tsx';
import { Facts } from './text.tsx';
import { CalendarDay, Instant } from './time.tsx';

type ShownJob = Awaited<ReturnType<typeof showJob>>;

interface JobDetailsProps {
  readonly shown: ShownJob;
  /** Such as: Job 12, production. */
  readonly caption: string;
  readonly denial?: ComponentChildren;
}

/** One job as candidates read it. */
export const JobDetails = ({ shown: { job, category, district }, caption, denial }: JobDetailsProps) => (
  <>
    <p>
      <JobStatusBadge status={job.status} /> {`${caption}, created `}
      {job.created_at && <Instant at={new Date(job.created_at)} />}
    </p>
    {denial}
    {job.is_anonymous && <p>Published without the company's name.</p>}
    <article>
      <JobBody body={job.body} />
    </article>
    <Facts
      facts={[
        ['Category', category && [category.parent?.name, category.name].filter(Boolean).join(', ')],
        ['Region', district?.name ?? null],
        ['Last day', job.valid_until && <CalendarDay day={job.valid_until} />],
        ['How to apply', job.contact_instructions],
        ['Application method', words(job.application_method)],
        ['Contact e-mail', job.contact_email],
        ['Contact phone', job.contact_phone],
        ['Application page', job.external_application_url],
        ['Requirements', job.requirements],
        ['Salary', salary(job)],
        ['Salary and benefits', job.salary_benefits],
        ['Contract', words(job.contract_type)],
        ['Work modality', words(job.work_modality)],
        ['Remote policy', job.remote_policy],
        ['Experience', job.experience_years === null ? null : `${job.experience_years} years`],
        ['Education level', words(job.education_level)],
        ['Education', lines(job.education_details)],
        ['Professional requirements', lines(job.professional_requirements)],
        ['Languages', lines(job.language_requirements)],
      ]}
    />
  </>
);

/** The only place for raw HTML: a job's body was sanitized before it was stored. */
const JobBody = ({ body }: { readonly body: string }) => (
  <div class="job-body" dangerouslySetInnerHTML={{ __html: body }} />
);

/** A value of an enumeration as words: full_time is "Full time". */
function words(value: string | null): string | null {
  const spaced = value?.replaceAll('_', ' ');
  return spaced ? spaced.charAt(0).toUpperCase() + spaced.slice(1) : null;
}

const lines = (values: readonly string[] | null): string | null => (values?.length ? values.join('\n') : null);

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
    <Table label="History of the job" heads={['Time', 'Event', 'Status after', 'Actor']}>
      {events.map(({ id, createdAt, kind, status, actor }) => (
        <TableRow key={String(id)}>
          <td>
            <Instant at={createdAt} />
          </td>
          <td>{eventNames[kind]}</td>
          <td>
            <JobStatusBadge status={status} />
          </td>
          <td>{nameOf(actor)}</td>
        </TableRow>
      ))}
    </Table>
  </>
);
