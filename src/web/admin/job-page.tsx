import type { VNode } from 'preact';
import { listAudit } from '../../operations/audit/people/list-audit.ts';
import { showCompany } from '../../operations/companies/people/show-company.ts';
import { openReview } from '../../operations/jobs/people/open-review.ts';
import { removeJob } from '../../operations/jobs/people/remove-job.ts';
import { resubmitJob, undoReview } from '../../operations/jobs/people/review-job.ts';
import { showNextInQueue } from '../../operations/jobs/people/search-jobs.ts';
import { type JobRef, showJob } from '../../operations/jobs/people/show-job.ts';
import { withdrawCompanyJob } from '../../operations/jobs/people/withdraw-company-job.ts';
import type { Shown } from '../../operations/kit/declare.ts';
import { environmentLabels, reasonCharactersMax } from '../../operations/kit/fields.ts';
import { ClosedTo } from '../components/access.tsx';
import { ActorName, actorPath, actorText } from '../components/audit-cells.tsx';
import { HiddenField, TextAreaField } from '../components/field.tsx';
import { eventLabels, JobDetails, jobIn } from '../components/job-details.tsx';
import { Action } from '../components/operation-form.tsx';
import { BeginDecision, LanguageButtons, PostForm } from '../components/post-form.tsx';
import { Instant, LeftOut } from '../components/text.tsx';
import type { FieldErrors, FieldValues, Form } from '../form.ts';
import type { Next } from '../operation-page.tsx';
import { type AdminContext, idInQuery, type PageAnswer, page, redirect, usePageRequest, useT } from '../page.ts';
import { instantText } from '../texts/formats.ts';
import { isolated } from '../texts/isolated.ts';
import type { Translate } from '../texts/language.ts';
import { countsText } from './company-page.tsx';
import { allJobsPath, companyJobsPath, companyPath, jobPath, type Pass, passIn, queuePath, withPass } from './paths.ts';

/** After a decision, opens the next job of the pass through the queue. After the last job, opens the queue, which still has the skipped ones. */
export async function afterReview(ctx: AdminContext, { version }: Shown): Promise<Next> {
  const { t } = ctx;
  const pass = passIn(ctx);
  const { next } = await nextOf(ctx, pass);
  const undo = {
    action: withPass(`${jobPath(jobIn(ctx))}/undo`, pass),
    fields: [['version', String(version)]],
  } as const;
  return { to: nextPath(next, pass), more: next ? t('This is the next job.') : t('It was the last one.'), undo };
}

/** After an undo, opens the job again, at the same position in the pass. */
export const afterUndo = async (ctx: AdminContext): Promise<Next> => ({
  to: withPass(jobPath(jobIn(ctx)), passIn(ctx)),
});

/** Joins the chosen and the typed reasons for a denial. */
export const typedReason = (form: Form): Shown => ({
  reason: [...form.all('usual'), form.text('reason')].join(' ').trim(),
});

const nextOf = (ctx: AdminContext, { input }: Pass) => showNextInQueue(ctx, { ...jobIn(ctx), ...input });

/** The address at which a pass continues: its next job, or the queue if there is none. */
const nextPath = (next: Omit<JobRef, 'environment'> | undefined, pass: Pass, seen = pass.seen + 1): string =>
  next
    ? withPass(jobPath({ ...next, environment: 'production' }), { ...pass, seen, isNext: true })
    : withPass(queuePath, { ...pass, seen: 0 });

/** One job as candidates see it, with its history. A pending job has the review forms. */
export async function job(ctx: AdminContext, errors: FieldErrors = {}): Promise<PageAnswer> {
  const { t } = ctx;
  const name = jobIn(ctx);
  const path = jobPath(name);
  const other = await openReview(ctx, name);
  const shown = await showJob(ctx, { ...name, before: idInQuery(ctx.query, 'before') });
  const company = await showCompany(ctx, name);
  const { denialReason, version, isOwnReview } = shown;
  const { title, status } = shown.job;
  const isWaiting = name.environment === 'production' && status === 'pending';
  // It began to wait between the two.
  if (isWaiting && !other.isWaiting) return job(ctx, errors);
  const access = company.access[name.environment];
  const closed = access.kind === 'closed' ? access : undefined;
  const pass = passIn(ctx);
  const isTaken = isWaiting ? other.email !== null : !isOwnReview;
  if (isTaken && ctx.query.has('next') && !ctx.form.has('version'))
    return redirect(nextPath((await nextOf(ctx, pass)).next, pass, pass.seen));
  // If somebody else has decided a job of the pass, its page still links to the next job.
  const isReview = isWaiting || ctx.form.has('version') || ctx.query.has('seen');
  const latest = shown.events.at(-1);
  const denials = new URLSearchParams({ action: 'job.denied', companyId: String(name.companyId) });
  const content = (
    <>
      <JobDetails
        shown={shown}
        path={path}
        errors={errors}
        caption={(created) =>
          t('Job {{id}} of {{company}}, {{environment}}, created {{created}}', {
            id: String(name.jobId),
            company: <a href={companyPath(name.companyId)}>{isolated(`${company.name} (${company.id})`)}</a>,
            environment: t(environmentLabels[name.environment]).toLowerCase(),
            created,
          })
        }
        denial={denialReason !== null && <p>{t('Denied: {{reason}}', { reason: denialReason })}</p>}
        review={isReview && (await reviewOf(ctx, isWaiting ? version : undefined, errors))}
      >
        <p>
          {t('The company in {{environment}}: {{jobs}}. {{denials}}', {
            environment: t(environmentLabels[name.environment]).toLowerCase(),
            jobs: <a href={companyJobsPath(name)}>{countsText(company, name.environment, t)}</a>,
            denials: <a href={`/admin/audit?${denials}`}>{t('Its denials')}</a>,
          })}
        </p>
        {closed && (
          <div class="alert waiting" id="closed">
            <ClosedTo {...closed} suspensionReason={company.suspensionReason} />
            {isWaiting && <p>{t('An approval publishes the job all the same.')}</p>}
          </div>
        )}
        {other.email !== null && <p>{openedBy(other, t)}</p>}
        {isReview && !isWaiting && latest && (
          <p id="decided">
            {`${t(eventLabels[latest.kind])}: `}
            <ActorName actor={latest.actor} names={shown.names} />
            {', '}
            <Instant at={latest.createdAt} />
          </p>
        )}
      </JobDetails>
      <p>
        <a href={nextPath(undefined, pass)} accesskey="q">
          {t('Back to the review queue')}
        </a>{' '}
        <YourDecisions />
      </p>
      <div class="actions">
        {isOwnReview && <Action operation={undoReview} href={withPass(`${path}/undo`, pass)} version={version} />}
        {status === 'denied' && !isOwnReview && company.access.production.kind === 'open' && (
          <Action operation={resubmitJob} href={`${path}/resubmit`} version={version} />
        )}
        {status !== 'inactive' && <Action operation={withdrawCompanyJob} href={`${path}/withdraw`} />}
        <details>
          <summary>{t('More actions')}</summary>
          <div class="actions">
            <Action operation={removeJob} href={`${path}/remove`} />
          </div>
        </details>
      </div>
    </>
  );
  return page(title, content, errors, isReview ? queuePath : allJobsPath);
}

/** Says which other reviewer has a job open, and since when. */
export const openedBy = ({ email, at }: Pick<Awaited<ReturnType<typeof openReview>>, 'email' | 'at'>, t: Translate) =>
  t('Opened by {{reviewer}}: {{at}}', { reviewer: email, at: at && <Instant at={at} /> });

/** Says what the latest change of a job was, by whom and when. */
export function decidedText(
  { events, names }: Pick<Awaited<ReturnType<typeof showJob>>, 'events' | 'names'>,
  { portal, t, timeZone }: AdminContext,
): string {
  const latest = events.at(-1);
  if (!latest) return '';
  const at = instantText(latest.createdAt, t.locale, timeZone, 'short');
  return `${t(eventLabels[latest.kind])}: ${actorText(latest.actor, names, { portal, t })}, ${at}.`;
}

/** How many recent reasons for denial are offered to choose from, and how long they may be. Longer ones must be typed. */
const usualReasons = { max: 5, charactersMax: 80 };

/** The job's position in the pass, and the forms to decide about it or to skip it. */
async function reviewOf(ctx: AdminContext, version: string | undefined, errors: FieldErrors): Promise<VNode> {
  const { t, form } = ctx;
  const path = jobPath(jobIn(ctx));
  const pass = passIn(ctx);
  const { total, waiting, next, leftOutNodes } = await nextOf(ctx, pass);
  // A job that was not opened within a pass shows its position in the whole queue.
  const place = version && !ctx.query.has('seen') ? Math.max(total - waiting, 1) : pass.seen + 1;
  const typed = String(typedReason(form).reason);
  return (
    <section aria-labelledby="review" class="review">
      <h2 id="review">{t('Review: {{place}} of {{total}}', { place, total: place + waiting })}</h2>
      <LeftOut nodes={leftOutNodes} />
      <div class="actions">
        {version && (
          <PostForm action={withPass(`${path}/approve`, pass)} values={{ version }}>
            <HiddenField name="version" />
            <BeginDecision />
            <button type="submit" accesskey="a">
              {t('Approve and publish')}
            </button>
          </PostForm>
        )}
        <a href={nextPath(next, pass)} accesskey="s">
          {version ? t('Skip') : t('Next job')}
        </a>
        {version && <a href="#deny">{t('Deny')}</a>}
      </div>
      {version && (await denialForm(ctx, withPass(`${path}/deny`, pass), { ...form.values(), version }, errors))}
      {!version && typed && (
        <>
          <p>{t('Your reason was not recorded:')}</p>
          <pre data-copy>{typed}</pre>
        </>
      )}
      <ReviewKeys />
    </section>
  );
}

async function denialForm(ctx: AdminContext, action: string, values: FieldValues, errors: FieldErrors): Promise<VNode> {
  const { t, form } = ctx;
  const { items: denials } = await listAudit(ctx, { action: 'job.denied' });
  const reasons = [...new Set(denials.map(({ details }) => String(details.reason)))]
    .filter(({ length }) => length <= usualReasons.charactersMax)
    .slice(0, usualReasons.max);
  return (
    <PostForm id="deny" action={action} values={values} errors={errors}>
      <HiddenField name="version" />
      <BeginDecision />
      {reasons.length > 0 && (
        <fieldset>
          <legend>{t('Latest reasons')}</legend>
          {reasons.map((reason, at) => (
            <label key={reason}>
              <input
                type="checkbox"
                name="usual"
                value={reason}
                checked={form.all('usual').includes(reason)}
                accesskey={String(at + 1)}
              />
              {reason}
            </label>
          ))}
        </fieldset>
      )}
      <DenialReason required={reasons.length === 0} />
      <div class="buttons">
        <button type="submit" class="secondary" accesskey="d">
          {t('Deny')}
        </button>
        <LanguageButtons />
      </div>
    </PostForm>
  );
}

export function DenialReason({ required }: { readonly required: boolean }) {
  const t = useT();
  return (
    <TextAreaField
      name="reason"
      accesskey="r"
      label={t('Reason for denial')}
      hint={t('The company sees it. Say what has to change.')}
      rows={2}
      maxLength={reasonCharactersMax}
      required={required}
    />
  );
}

/** Links to the reader's decisions. While a decision is the job's latest change, it can be undone on the job's page. */
export function YourDecisions() {
  const { t, person } = usePageRequest();
  return <a href={actorPath('administrator', person?.email ?? '')}>{t('Your decisions')}</a>;
}

/** Explains reviewing by keyboard, with the browser's own modifier for access keys. */
export function ReviewKeys() {
  const [n, a, s, first, fifth, r, d, u, q, f] = [...'NAS15RDUQF'].map((key) => <kbd key={key}>{key}</kbd>);
  return (
    <p class="keys">
      {useT()(
        "Keyboard, with your browser's access keys (usually Alt, or Alt and Shift): {{n}} opens the first job, {{a}} approves it, {{s}} skips it, {{first}} to {{fifth}} choose a reason, {{r}} goes to the reason for denial, {{d}} denies, {{u}} undoes the last decision, {{q}} returns to the queue, {{f}} goes to the search.",
        { n, a, s, first, fifth, r, d, u, q, f },
      )}
    </p>
  );
}
