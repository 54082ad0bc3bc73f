import { reasonCharactersMax } from '../../operations/fields.ts';
import { removeJob } from '../../operations/jobs/remove-job.ts';
import { approveJob, denyJob, withdrawCompanyJob } from '../../operations/jobs/review-job.ts';
import { searchQueue } from '../../operations/jobs/search-jobs.ts';
import { showJob } from '../../operations/jobs/show-job.ts';
import { actorText } from '../components/audit-cells.ts';
import { TextAreaField } from '../components/field.tsx';
import { JobDetails } from '../components/job-details.tsx';
import { Action } from '../components/operation-form.tsx';
import { PostForm } from '../components/post-form.tsx';
import { type FieldErrors, tryOperation } from '../form.ts';
import { environmentLabels } from '../labels.ts';
import { type AdminContext, idInQuery, type PageAnswer, page, redirect, useT } from '../page.ts';
import { jobIn, jobPath } from './paths.ts';

const noticeLabels = {
  approved: 'Approved and published: {{title}}.',
  denied: 'Denied: {{title}}. The company sees the reason.',
};

export const approve = (ctx: AdminContext): Promise<PageAnswer> =>
  afterReview(ctx, 'approved', () => approveJob(ctx, { ...jobIn(ctx), version: ctx.form.text('version') }));

/** Sends the job back to the company with a reason. */
export const deny = (ctx: AdminContext): Promise<PageAnswer> =>
  afterReview(ctx, 'denied', () =>
    denyJob(ctx, { ...jobIn(ctx), version: ctx.form.text('version'), reason: ctx.form.text('reason') }),
  );

/** Says what was decided and opens the job that waits longest; the queue if there is none. */
async function afterReview(
  ctx: AdminContext,
  decision: keyof typeof noticeLabels,
  review: () => Promise<unknown>,
): Promise<PageAnswer> {
  const { t } = ctx;
  const { errors } = await tryOperation(ctx, review);
  if (errors) return job(ctx, errors);
  const { title } = (await showJob(ctx, jobIn(ctx))).job;
  const notice = t(noticeLabels[decision], { title });
  const [next] = (await searchQueue(ctx, {})).items;
  if (!next) return redirect('/admin/review', notice);
  return redirect(jobPath({ ...next, environment: 'production' }), `${notice} ${t('This is the next job.')}`);
}

/** One job as candidates read it, with its history; a pending one with the forms to review it. */
export async function job(ctx: AdminContext, errors: FieldErrors = {}): Promise<PageAnswer> {
  const { t } = ctx;
  const name = jobIn(ctx);
  const path = jobPath(name);
  const shown = await showJob(ctx, { ...name, before: idInQuery(ctx.query, 'before') });
  const { company, denialReason, version } = shown;
  const { title, status } = shown.job;
  const content = (
    <>
      <JobDetails
        shown={shown}
        path={path}
        errors={errors}
        caption={(created) =>
          t('Job {{id}} of {{company}}, {{environment}}, created {{created}}', {
            id: String(name.jobId),
            company: company.name,
            environment: t(environmentLabels[name.environment]).toLowerCase(),
            created,
          })
        }
        denial={denialReason !== null && <p>{t('Denied: {{reason}}', { reason: denialReason })}</p>}
        nameOf={(actor) => actorText(actor, shown.names, t)}
      >
        {name.environment === 'production' && status === 'pending' && (
          <section aria-labelledby="review">
            <h2 id="review">{t('Review decision')}</h2>
            <ReviewKeys />
            <PostForm action={`${path}/approve`}>
              <input type="hidden" name="version" value={version} />
              <button type="submit" accesskey="a">
                {t('Approve and publish')}
              </button>
            </PostForm>
            <PostForm action={`${path}/deny`} values={ctx.form.values()} errors={errors}>
              <input type="hidden" name="version" value={version} />
              <TextAreaField
                name="reason"
                accesskey="r"
                label={t('Reason for denial')}
                hint={t('The company sees it. Say what has to change.')}
                rows={2}
                maxLength={reasonCharactersMax}
                required
              />
              <button type="submit" class="secondary" accesskey="d">
                {t('Deny')}
              </button>
            </PostForm>
          </section>
        )}
      </JobDetails>
      <p>
        <a href="/admin/review" accesskey="q">
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

/** Says how the review queue is worked through by keyboard, with the browser's own keys for access keys. */
export function ReviewKeys() {
  const keys = { n: <kbd>N</kbd>, a: <kbd>A</kbd>, r: <kbd>R</kbd>, d: <kbd>D</kbd>, q: <kbd>Q</kbd> };
  return (
    <p class="keys">
      {useT()(
        "Keyboard, with your browser's access keys (usually Alt, or Alt and Shift): {{n}} opens the first job, {{a}} approves it, {{r}} goes to the reason for denial, {{d}} denies, {{q}} returns to the queue.",
        keys,
      )}
    </p>
  );
}
