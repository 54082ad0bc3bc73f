import type { ComponentChildren } from 'preact';
import type { storedFields } from '../../../generated/stored-fields.ts';
import { operationOf } from '../../contract/document.ts';
import type { Schemas } from '../../contract/types.ts';
import { type JobStatus, jobRules } from '../../operations/jobs/job.ts';
import { statusLabels } from '../../operations/jobs/people/search-jobs.ts';
import type { JobRef, showJob } from '../../operations/jobs/people/show-job.ts';
import type { FieldErrors } from '../form.ts';
import { optionLabel } from '../labels.ts';
import { type Cells, Pager } from '../list.tsx';
import { environmentIn, idIn, type PageContext, usePageRequest, useT } from '../page.ts';
import { eurosText } from '../texts/formats.ts';
import { isolated } from '../texts/isolated.ts';
import type { Translate } from '../texts/language.ts';
import { ActorName } from './audit-cells.tsx';
import { Table } from './data-table.tsx';
import { fieldSchemas } from './field-schema.ts';
import { FormErrors } from './post-form.tsx';
import { linkedAddresses, SanitizedHtml } from './sanitized-html.tsx';
import { shownValue } from './stored-value.tsx';
import { Badge, CalendarDay, Facts, Instant, type Tone } from './text.tsx';

const tones: Readonly<Record<JobStatus, Tone>> = {
  pending: 'waiting',
  active: 'good',
  inactive: 'quiet',
  expired: 'quiet',
  denied: 'bad',
};

const JobStatusBadge = ({ status }: { readonly status: JobStatus }) => (
  <Badge tone={tones[status]} text={useT()(statusLabels[status])} />
);

/** A job's last day. */
export const lastDay =
  (t: Translate) =>
  ({ validUntil: day }: { readonly validUntil: string | null }) =>
    day === null ? t('Open-ended') : <CalendarDay day={day} />;

interface ListedJob {
  readonly id: number;
  readonly status: JobStatus;
  readonly validUntil: string | null;
}

/** The cells of a list of jobs, except the title, which links to a different page in each list. */
export const jobCells = (t: Translate): Cells<ListedJob> => ({
  id: null,
  status: ({ status }) => <JobStatusBadge status={status} />,
  validUntil: lastDay(t),
});

/** The job that a path names. Its company is the signed-in person's, or for an administrator the path's. Throws 404 for a malformed path. */
export const jobIn = ({ person, params }: PageContext): JobRef => ({
  companyId: 'company' in person ? person.company.id : idIn(params, 'company'),
  environment: environmentIn(params),
  jobId: idIn(params, 'job'),
});

type ShownJob = Awaited<ReturnType<typeof showJob>>;

interface JobDetailsProps {
  readonly shown: ShownJob;
  /** The path of the job's page. */
  readonly path: string;
  readonly errors?: FieldErrors;
  /** Returns a text such as: Job 12, production, created 21 Nov 2026. `created` is the element that shows the instant. */
  readonly caption: (created: ComponentChildren) => ComponentChildren;
  readonly denial: ComponentChildren;
  /** The form for a reviewer's decision, below the job. */
  readonly review?: ComponentChildren;
  /** Shown above the job. */
  readonly children?: ComponentChildren;
}

/**
 * Shows one job as candidates see it, its JSON (folded), and its history, oldest event first, with a link to earlier events. Administrators
 * also see where its links lead.
 */
export function JobDetails({ shown, path, errors = {}, caption, denial, review, children }: JobDetailsProps) {
  const t = useT();
  const { portal, query } = usePageRequest();
  // `next` asks for another job if somebody else has this one open.
  const { next: _, ...here } = Object.fromEntries(query);
  const { job, events, names, older } = shown;
  const addresses = portal === 'administrator' ? linkedAddresses(job.body) : [];
  return (
    <>
      <h1>{isolated(job.title)}</h1>
      <FormErrors errors={errors} />
      <p>
        <JobStatusBadge status={job.status} /> {caption(job.created_at && <Instant at={new Date(job.created_at)} />)}
      </p>
      {denial}
      {children}
      {job.is_anonymous && <p>{t("Published without the company's name.")}</p>}
      <article aria-labelledby="preview">
        <h2 id="preview">{t('As candidates see it')}</h2>
        <p>
          <strong>{isolated(job.title)}</strong> <span class="text-light">{isolated(job.company_name ?? '')}</span>
        </p>
        <SanitizedHtml html={job.body} />
        <Facts facts={factsOf(shown, t)} />
      </article>
      {addresses.length > 0 && <Facts facts={[[t('Links lead to'), addresses.join('\n')]]} />}
      {review}
      <details>
        <summary>{t('As the API returns it')}</summary>
        <pre data-copy>{JSON.stringify(job, null, 2)}</pre>
      </details>
      <h2>{t('History')}</h2>
      <Pager
        label={t('Older events')}
        path={path}
        next={!!older && [t('Older events'), { ...here, before: String(older) }]}
      />
      {events.length === 0 && <p>{t('No events.')}</p>}
      <Table
        label={t('History of the job')}
        rows={events}
        columns={[
          [t('Time'), ({ createdAt }) => <Instant at={createdAt} />],
          [t('Event'), ({ kind, reason }) => [t(eventLabels[kind]), reason].filter(Boolean).join(': ')],
          [t('New status'), ({ status }) => <JobStatusBadge status={status} />],
          [t('Actor'), ({ actor }) => <ActorName actor={actor} names={names} />],
        ]}
      />
    </>
  );
}

const schemas = fieldSchemas(operationOf('updateJob'));

type Fact = readonly [label: string, value: ComponentChildren];

/** Every field of a job except title and body, with the contract's labels in the contract's order. */
function factsOf(shown: ShownJob, t: Translate): Fact[] {
  return [...jobRules].flatMap(([field, { kind, label: contractLabel }]): Fact[] => {
    const name = field as FieldName;
    const label = t(contractLabel);
    const known = composed[name];
    const fact = known
      ? known(shown, t, label)
      : ([label, shownValue(kind, schemas[name] ?? {}, shown.job[name], t)] as const);
    return fact ? [fact] : [];
  });
}

type FieldName = keyof typeof storedFields.jobs;
type Composed = (shown: ShownJob, t: Translate, label: string) => Fact | undefined;

/** Fields that the page shows elsewhere, or together with other data. */
const composed: { readonly [F in FieldName]?: Composed } = {
  title: () => undefined,
  body: () => undefined,
  category_id: ({ category }, _t, label) => [
    label,
    category && [category.parent?.name, category.name].filter(Boolean).join(', '),
  ],
  district_id: ({ district }, _t, label) => [label, district?.name ?? null],
  salary_min: ({ job }, t) => [t('Salary'), salaryText(job, t)],
  salary_max: () => undefined,
  salary_negotiable: () => undefined,
  salary_type: () => undefined,
  valid_until: ({ job }, t, label) => [label, lastDay(t)({ validUntil: job.valid_until })],
};

const periodLabels: Readonly<Record<string, string>> = { hourly: 'an hour', monthly: 'a month', yearly: 'a year' };

/** €1,200.00 to €1,500.50 a month, negotiable */
function salaryText({ salary_type: type, salary_negotiable, ...amounts }: Schemas['Job'], t: Translate): string | null {
  const amount = amountText(amounts, t);
  const period = amount && type && periodLabels[type];
  const parts = [
    period ? `${amount} ${t(period)}` : amount,
    !period && type && t(optionLabel(type)).toLowerCase(),
    salary_negotiable && t('Negotiable').toLowerCase(),
  ];
  return [...new Set(parts)].filter(Boolean).join(', ') || null;
}

type Amounts = Pick<Schemas['Job'], 'salary_min' | 'salary_max'>;

function amountText({ salary_min, salary_max }: Amounts, t: Translate): string {
  const min = salary_min && eurosText(salary_min, t.locale);
  const max = salary_max && eurosText(salary_max, t.locale);
  if (min && max) return t('{{min}} to {{max}}', { min, max });
  if (min) return t('from {{min}}', { min });
  return max ? t('up to {{max}}', { max }) : '';
}

export const eventLabels = {
  created: 'Job created',
  updated: 'Job changed',
  resubmitted: 'Job sent to review again',
  undone: 'Job review undone',
  withdrawn: 'Job withdrawn',
  approved: 'Job approved',
  denied: 'Job denied',
};
