import type { VNode } from 'preact';
import { actorName } from '../../domain/actor.ts';
import { listAudit } from '../../operations/audit/people/list-audit.ts';
import { showCompany } from '../../operations/companies/people/show-company.ts';
import { reasonCharactersMax } from '../../operations/fields.ts';
import { removeJob } from '../../operations/jobs/people/remove-job.ts';
import { approveJob, denyJob, withdrawCompanyJob } from '../../operations/jobs/people/review-job.ts';
import { showNextInQueue } from '../../operations/jobs/people/search-jobs.ts';
import { type JobRef, showJob } from '../../operations/jobs/people/show-job.ts';
import { perPage } from '../../operations/paging.ts';
import { actorText } from '../components/audit-cells.ts';
import { TextAreaField } from '../components/field.tsx';
import { JobDetails, jobIn } from '../components/job-details.tsx';
import { Action } from '../components/operation-form.tsx';
import { LanguageButtons, PostForm } from '../components/post-form.tsx';
import { type FieldErrors, Form, tryOperation } from '../form.ts';
import { environmentLabels } from '../labels.ts';
import { type AdminContext, idInQuery, type PageAnswer, page, redirect, useT } from '../page.ts';
import { countsText } from './company-page.tsx';
import { companyJobsPath, companyPath, jobPath, type Pass, passIn, withPass } from './paths.ts';

const noticeLabels = {
  approved: 'Approved and published: {{title}}.',
  expired: 'Approved, but not published, because its last day has passed: {{title}}.',
  denied: 'Denied: {{title}}. The company sees the reason.',
};

export const approve = (ctx: AdminContext): Promise<PageAnswer> =>
  afterReview(ctx, 'approved', (ref) => approveJob(ctx, { ...ref, version: ctx.form.text('version') }));

/** Sends the job back to the company with the reasons that were chosen and typed. */
export const deny = (ctx: AdminContext): Promise<PageAnswer> =>
  afterReview(ctx, 'denied', (ref) => {
    const reason = [...ctx.form.all('usual'), ctx.form.text('reason')].join(' ').trim();
    return denyJob(ctx, { ...ref, version: ctx.form.text('version'), reason });
  });

type Decision = Exclude<keyof typeof noticeLabels, 'expired'>;
type Review = (ref: JobRef) => Promise<unknown>;

/** Says what was decided and opens the next job of the pass; after its last one the queue, with what was skipped. */
async function afterReview(ctx: AdminContext, decision: Decision, review: Review): Promise<PageAnswer> {
  const { t } = ctx;
  const { notice, errors } = await decide(ctx, jobIn(ctx), decision, review);
  if (errors) return job(ctx, errors);
  const pass = passIn(ctx);
  const { next } = await nextOf(ctx, pass);
  if (next) return redirect(nextPath(next, pass), `${notice} ${t('This is the next job.')}`);
  return redirect(withPass(queuePath, { ...pass, seen: 0 }), `${notice} ${t('It was the last one.')}`);
}

/** A double click sends a form twice and shows the second answer: what the same person has decided so already is no error. */
async function decide(ctx: AdminContext, ref: JobRef, decision: Decision, review: Review) {
  const { errors } = await tryOperation(ctx, () => review(ref));
  const { job, events } = await showJob(ctx, ref);
  const { title, status } = job;
  const latest = events.at(-1);
  const isOwn = latest?.kind === decision && latest.actor === actorName(ctx.actor);
  return {
    errors: isOwn ? undefined : errors,
    title,
    notice: ctx.t(noticeLabels[status === 'expired' ? status : decision], { title }),
  };
}

/** Approves the jobs that were selected in the list, as they were listed there, and says of each what became of it. */
export async function approveSelected(ctx: AdminContext): Promise<PageAnswer> {
  const { t, form } = ctx;
  const answers: string[] = [];
  for (const selected of form.all('jobs').slice(0, perPage)) {
    const [, companyId, jobId, version] = /^([1-9]\d{0,17})\/([1-9]\d{0,17})\/(.{1,100})$/.exec(selected) ?? [];
    if (companyId === undefined || jobId === undefined) continue;
    const ref = { companyId: BigInt(companyId), environment: 'production', jobId: BigInt(jobId) } as const;
    const asked = { ...ctx, form: new Form({ body: { jobId } }) };
    const review = () => decide(asked, ref, 'approved', () => approveJob(ctx, { ...ref, version }));
    const { result, errors = result?.errors } = await tryOperation(asked, review);
    const [refused] = Object.values(errors ?? {});
    answers.push(refused ? `${result?.title ?? jobId}: ${refused}` : (result?.notice ?? ''));
  }
  const notice = answers.join('\n') || t('No job was selected.');
  return redirect(withPass(queuePath, { ...passIn(ctx), seen: 0 }), notice);
}

const queuePath = '/admin/review';

const nextOf = (ctx: AdminContext, { text, sort }: Pass) => showNextInQueue(ctx, { ...jobIn(ctx), text, sort });

const nextPath = (next: Omit<JobRef, 'environment'>, pass: Pass): string =>
  withPass(jobPath({ ...next, environment: 'production' }), { ...pass, seen: pass.seen + 1 });

/** One job as candidates read it, with its history; a pending one with the forms to review it. */
export async function job(ctx: AdminContext, errors: FieldErrors = {}): Promise<PageAnswer> {
  const { t } = ctx;
  const name = jobIn(ctx);
  const path = jobPath(name);
  const shown = await showJob(ctx, { ...name, before: idInQuery(ctx.query, 'before') });
  const company = await showCompany(ctx, name);
  const { denialReason } = shown;
  const { title, status } = shown.job;
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
            company: <a href={companyPath(name.companyId)}>{company.name}</a>,
            environment: t(environmentLabels[name.environment]).toLowerCase(),
            created,
          })
        }
        denial={denialReason !== null && <p>{t('Denied: {{reason}}', { reason: denialReason })}</p>}
        nameOf={(actor) => actorText(actor, shown.names, t)}
      >
        <p>
          {t('The company in {{environment}}: {{jobs}}. {{denials}}', {
            environment: t(environmentLabels[name.environment]).toLowerCase(),
            jobs: <a href={companyJobsPath(name)}>{countsText(company, name.environment, t)}</a>,
            denials: <a href={`/admin/audit?${denials}`}>{t('Its denials')}</a>,
          })}
        </p>
        {name.environment === 'production' && status === 'pending' && (await reviewOf(ctx, shown.version, errors))}
      </JobDetails>
      <p>
        <a href={withPass(queuePath, { ...passIn(ctx), seen: 0 })} accesskey="q">
          {t('Back to the review queue')}
        </a>
      </p>
      <div class="actions">
        {status !== 'inactive' && <Action operation={withdrawCompanyJob} href={`${path}/withdraw`} />}
        <Action operation={removeJob} href={`${path}/remove`} />
      </div>
    </>
  );
  return page(title, content, errors);
}

/** Reasons for a denial that can be chosen; longer ones are typed. */
const usualReasons = { max: 5, charactersMax: 80 };

/** Where the job is in its pass, and the forms to decide about it or to leave it for the next pass. */
async function reviewOf(ctx: AdminContext, version: string, errors: FieldErrors): Promise<VNode> {
  const { t, form } = ctx;
  const path = jobPath(jobIn(ctx));
  const pass = passIn(ctx);
  const { waiting, next } = await nextOf(ctx, pass);
  const { items: denials } = await listAudit(ctx, { action: 'job.denied' });
  const reasons = [...new Set(denials.map(({ details }) => String(details.reason)))]
    .filter(({ length }) => length <= usualReasons.charactersMax)
    .slice(0, usualReasons.max);
  return (
    <section aria-labelledby="review" class="review">
      <h2 id="review">
        {t('Review: {{place}} of {{total}}', { place: pass.seen + 1, total: pass.seen + 1 + waiting })}
      </h2>
      <div class="actions">
        <PostForm action={withPass(`${path}/approve`, pass)}>
          <input type="hidden" name="version" value={version} />
          <button type="submit" accesskey="a">
            {t('Approve and publish')}
          </button>
        </PostForm>
        <a href={next ? nextPath(next, pass) : withPass(queuePath, { ...pass, seen: 0 })} accesskey="s">
          {t('Skip')}
        </a>
        <a href="#deny">{t('Deny')}</a>
      </div>
      <PostForm id="deny" action={withPass(`${path}/deny`, pass)} values={form.values()} errors={errors}>
        <input type="hidden" name="version" value={version} />
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
        <TextAreaField
          name="reason"
          accesskey="r"
          label={t('Reason for denial')}
          hint={t('The company sees it. Say what has to change.')}
          rows={2}
          maxLength={reasonCharactersMax}
          required={reasons.length === 0}
        />
        <button type="submit" class="secondary" accesskey="d">
          {t('Deny')}
        </button>
        <LanguageButtons />
      </PostForm>
      <ReviewKeys />
    </section>
  );
}

/** Says how the review queue is worked through by keyboard, with the browser's own keys for access keys. */
export function ReviewKeys() {
  const [n, a, s, first, fifth, r, d, q] = [...'NAS15RDQ'].map((key) => <kbd key={key}>{key}</kbd>);
  return (
    <p class="keys">
      {useT()(
        "Keyboard, with your browser's access keys (usually Alt, or Alt and Shift): {{n}} opens the first job, {{a}} approves it, {{s}} skips it, {{first}} to {{fifth}} choose a reason, {{r}} goes to the reason for denial, {{d}} denies, {{q}} returns to the queue.",
        { n, a, s, first, fifth, r, d, q },
      )}
    </p>
  );
}
