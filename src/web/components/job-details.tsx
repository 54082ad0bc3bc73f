import type { ComponentChildren } from 'preact';
import { jobFields } from '../../../generated/job-fields.ts';
import type { Schemas } from '../../contract/types.ts';
import type { showJob } from '../../operations/jobs/show-job.ts';
import { type Texts, useTexts } from '../texts/texts.ts';
import { JobStatusBadge } from './badges.tsx';
import { OlderLink } from './pager.tsx';
import { Table } from './table.tsx';
import { CalendarDay, Facts, Instant } from './text.tsx';

type ShownJob = Awaited<ReturnType<typeof showJob>>;

interface JobDetailsProps {
  readonly shown: ShownJob;
  /** Such as: Job 12, production, created 21 Nov 2026; given the instant. */
  readonly caption: (created: ComponentChildren) => ComponentChildren;
  readonly denial?: ComponentChildren;
}

/** One job as candidates read it, beside its source. */
export function JobDetails({ shown, shown: { job }, caption, denial }: JobDetailsProps) {
  const texts = useTexts();
  return (
    <>
      <p>
        <JobStatusBadge status={job.status} /> {caption(job.created_at && <Instant at={new Date(job.created_at)} />)}
      </p>
      {denial}
      {job.is_anonymous && <p>{texts.jobs.anonymous}</p>}
      <div class="beside">
        <section aria-labelledby="preview">
          <h2 id="preview">{texts.jobs.preview}</h2>
          <article>
            <p class="preview-title">
              <strong>{job.title}</strong> {job.company_name}
            </p>
            <JobHtml html={job.body} />
            <Facts facts={factsOf(shown, texts)} />
          </article>
        </section>
        <section aria-labelledby="source">
          <h2 id="source">{texts.jobs.source}</h2>
          <pre data-copy>{JSON.stringify(job, null, 2)}</pre>
        </section>
      </div>
    </>
  );
}

/** The only place for raw HTML: it was sanitized before it was stored. */
const JobHtml = ({ html }: { readonly html: string }) => (
  <div class="job-body" dangerouslySetInnerHTML={{ __html: html }} />
);

type Fact = readonly [label: string, value: ComponentChildren];

/** Every field of a job besides its title and body, with the contract's labels in the contract's order. */
function factsOf(shown: ShownJob, texts: Texts): Fact[] {
  return Object.entries(jobFields).flatMap(([field, { kind, label: contractLabel }]): Fact[] => {
    const name = field as FieldName;
    const label = texts.fieldLabels[name] ?? contractLabel;
    const known = composed[name];
    const fact = known ? known(shown, texts, label) : ([label, shownValue(kind, shown.job[name], texts)] as const);
    return fact ? [fact] : [];
  });
}

type FieldName = keyof typeof jobFields;
type Composed = (shown: ShownJob, texts: Texts, label: string) => Fact | undefined;

/** Fields that the page shows in another way, or within another one. */
const composed: { readonly [F in FieldName]?: Composed } = {
  title: () => undefined,
  body: () => undefined,
  category_id: ({ category }, _texts, label) => [
    label,
    category && [category.parent?.name, category.name].filter(Boolean).join(', '),
  ],
  district_id: ({ district }, _texts, label) => [label, district?.name ?? null],
  salary_min: ({ job }, texts) => [texts.jobs.salary, salary(job, texts)],
  salary_max: () => undefined,
  salary_negotiable: () => undefined,
  salary_type: () => undefined,
};

type Kind = (typeof jobFields)[FieldName]['kind'];

function shownValue(kind: Kind, value: unknown, texts: Texts): ComponentChildren {
  if (value === null || value === undefined) return null;
  if (kind === 'boolean') return value ? texts.words.yes : texts.words.no;
  if (kind === 'enum') return valueText(String(value), texts);
  if (kind === 'date') return <CalendarDay day={String(value)} />;
  if (kind === 'html') return <JobHtml html={String(value)} />;
  if (Array.isArray(value)) return value.length > 0 ? value.join('\n') : null;
  return String(value);
}

/** A value of an enumeration as words: full_time is "Full time". */
function valueText(value: string, { fieldValues }: Texts): string {
  const spaced = value.replaceAll('_', ' ');
  return fieldValues[value] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function salary(
  { salary_min: min, salary_max: max, salary_type: type, salary_negotiable }: Schemas['Job'],
  texts: Texts,
) {
  const { salaryFrom, salaryTo, negotiable, amount } = texts.jobs;
  const parts = [
    min && salaryFrom(amount(min)),
    max && salaryTo(amount(max)),
    type && valueText(type, texts).toLowerCase(),
    salary_negotiable && negotiable,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : null;
}

interface JobHistoryProps {
  readonly shown: ShownJob;
  /** The job's page. */
  readonly path: string;
  /** What the reader may know of an actor. */
  readonly nameOf: (actor: string) => string;
}

/** What happened to a job, oldest first, with a link to earlier events. */
export function JobHistory({ shown: { events, older }, path, nameOf }: JobHistoryProps) {
  const { jobs: texts } = useTexts();
  const { historyColumns: columns } = texts;
  return (
    <>
      <h2>{texts.history}</h2>
      <OlderLink next={older} path={path} text={texts.olderEvents} />
      {events.length === 0 && <p>{texts.noEvents}</p>}
      <Table
        label={texts.historyLabel}
        rows={events}
        columns={[
          [columns.time, ({ createdAt }) => <Instant at={createdAt} />],
          [columns.event, ({ kind }) => texts.events[kind]],
          [columns.status, ({ status }) => <JobStatusBadge status={status} />],
          [columns.actor, ({ actor }) => nameOf(actor)],
        ]}
      />
    </>
  );
}
