import type { UndoForm } from '../../auth/sent-form.ts';
import { versionOf } from '../../domain/job-version.ts';
import { approveJob, denyJob, undoReview } from '../../operations/jobs/people/review-job.ts';
import { searchQueue } from '../../operations/jobs/people/search-jobs.ts';
import { type JobRef, showJob } from '../../operations/jobs/people/show-job.ts';
import type { Declaration, Shown } from '../../operations/kit/declare.ts';
import { checkInput } from '../../operations/kit/fields.ts';
import { perPage } from '../../operations/kit/paging.ts';
import { ClosedTo } from '../components/access.tsx';
import { lastDay } from '../components/job-details.tsx';
import { BeginDecision, FormErrors, LanguageButtons, PostForm } from '../components/post-form.tsx';
import { Form, inLanguage, tryOperation, unseenErrors } from '../form.ts';
import { companyLabel } from '../labels.ts';
import { listPage } from '../list.tsx';
import { type AdminContext, type PageAnswer, redirect } from '../page.ts';
import { isolated } from '../texts/isolated.ts';
import { DenialReason, decidedText, openedBy, ReviewKeys, YourDecisions } from './job-page.tsx';
import { companyPath, jobPath, passIn, queuePath, withPass } from './paths.ts';

/** The value of a job's checkbox: names the job, and the version of it that was listed. */
const selectedJob = ({ companyId, jobId }: Omit<JobRef, 'environment'>, version: unknown): string =>
  `${companyId}/${jobId}/${version}`;

/** Pending production jobs of all companies, oldest first. */
export const reviewQueue = listPage('Review queue', searchQueue, (ctx: AdminContext, errors) => {
  const { t, query, form } = ctx;
  const pass = passIn(ctx);
  const shown = new URLSearchParams([...query].filter(([name]) => name !== 'select'));
  const areAllSelected = query.get('select') === 'all';
  return {
    intro: (
      <>
        <ReviewKeys />
        <p>
          <YourDecisions />
        </p>
      </>
    ),
    none: t('No jobs are waiting for review.'),
    rowName: 'title',
    cells: {
      jobId: null,
      title: (job, { items, page = 1, ofOthers }) => {
        const other = ofOthers.find(({ companyId, jobId }) => companyId === job.companyId && jobId === job.jobId);
        const isNext = job === items[0] && !other;
        const value = selectedJob(job, versionOf({ status: 'pending', updated_at: job.updatedAt.toISOString() }));
        return (
          <>
            <input
              type="checkbox"
              form="selected"
              name="jobs"
              value={value}
              checked={(areAllSelected && !other) || form.all('jobs').includes(value)}
              aria-label={t('Select {{title}}', { title: job.title })}
            />{' '}
            <a
              href={withPass(jobPath({ ...job, environment: 'production' }), {
                ...pass,
                seen: (page - 1) * perPage + items.indexOf(job),
                isNext,
              })}
              {...(isNext && { accesskey: 'n' })}
            >
              {isolated(job.title)}
            </a>{' '}
            {other && <small class="text-light">{openedBy(other, t)}</small>}
          </>
        );
      },
      companyId: null,
      approved: null,
      suspended: null,
      suspensionReason: null,
      companyName: (job, { items }) => <CompanyOf {...job} companyName={companyLabel(job, items)} />,
      category: ({ category }) => category ?? t('No category'),
      district: ({ district }) => district ?? t('No region'),
      validUntil: lastDay(t),
    },
    outro: (
      <article class="narrow">
        <p>
          <a href={`${queuePath}?${new URLSearchParams([...shown, ['select', 'all']])}#selected`}>
            {t('Select all jobs on this page')}
          </a>
        </p>
        <FormErrors errors={errors} />
        <PostForm
          id="selected"
          action={shown.size > 0 ? `${queuePath}?${shown}` : queuePath}
          values={form.values()}
          errors={errors}
        >
          <BeginDecision />
          <button type="submit" name="do" value="approve" class="secondary" accesskey="a" formNoValidate>
            {t('Approve and publish the selected jobs')}
          </button>
          <DenialReason required />
          <button type="submit" name="do" value="deny" class="secondary" accesskey="d">
            {t('Deny the selected jobs')}
          </button>
          <LanguageButtons />
        </PostForm>
      </article>
    ),
  };
});

type QueuedJob = Awaited<ReturnType<typeof searchQueue>>['items'][number];

/** The company of a job, and whether its suspension or a missing approval closes production to it. */
const CompanyOf = ({ companyId, companyName, approved, suspended, suspensionReason }: QueuedJob) => (
  <>
    <a href={companyPath(companyId)}>{companyName}</a>{' '}
    <ClosedTo
      blockers={[...(suspended ? ['suspended' as const] : []), ...(approved ? [] : ['approval' as const])]}
      suspensionReason={suspensionReason}
    />
  </>
);

const reviews: ReadonlyMap<string, Declaration> = new Map(
  Object.entries({ approve: approveJob, deny: denyJob, undo: undoReview }),
);

/**
 * Approves or denies the selected jobs, or undoes their reviews, each in the version that was listed. The notice gives each job's result. If
 * a job is refused, the page keeps the typed reason; sent again, the form decides nothing twice.
 */
export async function reviewSelected(ctx: AdminContext): Promise<PageAnswer> {
  const { t, form } = ctx;
  const operation = reviews.get(form.text('do'));
  const unseen = unseenErrors(ctx);
  if (!operation || unseen) return reviewQueue(ctx, unseen);
  if (operation.command === approveJob.command && form.text('reason').trim() !== '')
    return reviewQueue(ctx, { reason: t('An approval has no reason. Deny the jobs, or delete the reason.') });
  const given: Shown = 'reason' in operation.input.shape ? { reason: form.text('reason') } : {};
  const { errors } = await tryOperation(ctx, async () => checkInput(operation.input, { jobId: 1n, ...given }));
  if (errors) return reviewQueue(ctx, errors);
  const done: string[] = [];
  const refusals: string[] = [];
  const decided: string[] = [];
  for (const selected of form.all('jobs').slice(0, perPage)) {
    const [, companyId, jobId, version] = /^([1-9]\d{0,17})\/([1-9]\d{0,17})\/(.{1,100})$/.exec(selected) ?? [];
    if (companyId === undefined || jobId === undefined) continue;
    const ref = { companyId: BigInt(companyId), environment: 'production', jobId: BigInt(jobId) } as const;
    const asked = { ...ctx, form: new Form({ body: { jobId } }) };
    const { result, ...outcome } = await tryOperation(asked, () =>
      operation.answer(ctx, { ...ref, version, ...given }),
    );
    if (result?.done) done.push(inLanguage(result.done, t));
    if (result) decided.push(selectedJob(ref, result.shown.version));
    const [refused] = Object.values(outcome.errors ?? {});
    if (refused === undefined) continue;
    const found = await tryOperation(asked, () => showJob(ctx, ref));
    const { result: read } = found;
    const latest = read && read.job.status !== 'pending' && decidedText(read, ctx);
    refusals.push([`${isolated(read?.job.title ?? `${jobId}`)}: ${refused}`, latest].filter(Boolean).join(' '));
  }
  const to = withPass(queuePath, { ...passIn(ctx), seen: 0 });
  const notice = [...done, ...refusals].join('\n') || t('No job was selected.');
  if (operation.command === undoReview.command) return redirect(to, notice);
  if (decided.length === 0) return reviewQueue(ctx, { '': notice });
  const undo: UndoForm = { action: to, fields: [['do', 'undo'], ...decided.map((job) => ['jobs', job] as const)] };
  // A redirect would lose the reason, which the refused jobs may still need.
  if (refusals.length === 0 || form.text('reason') === '') return redirect(to, notice, undo);
  await ctx.session.leaveNotice(done.join('\n'), undo);
  return reviewQueue(ctx, { '': refusals.join('\n') });
}
