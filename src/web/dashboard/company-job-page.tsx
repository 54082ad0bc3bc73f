import { showCompany } from '../../operations/companies/people/show-company.ts';
import { resubmitJob, withdrawCompanyJob } from '../../operations/jobs/people/review-job.ts';
import { type JobRef, showJob } from '../../operations/jobs/people/show-job.ts';
import { AccessBadge } from '../components/access.tsx';
import { actorTextForCompany } from '../components/audit-cells.ts';
import { JobDetails, jobIn } from '../components/job-details.tsx';
import { Action } from '../components/operation-form.tsx';
import { Instant } from '../components/text.tsx';
import { environmentLabels, inEnvironmentLabels, mainAccountLabels } from '../labels.ts';
import { type DashboardContext, idInQuery, type PageAnswer, page } from '../page.ts';

const pathOf = ({ environment, jobId }: JobRef): string => `/dashboard/jobs/${environment}/${jobId}`;

/** One job as candidates read it, its history, and if it was denied why and the form that sends it to review again. */
export async function job(ctx: DashboardContext): Promise<PageAnswer> {
  const { t } = ctx;
  const ref = jobIn(ctx);
  const path = pathOf(ref);
  const before = idInQuery(ctx.query, 'before');
  const shown = await showJob(ctx, { ...ref, before });
  const { title, status } = shown.job;
  const edit = shown.events.findLast(({ kind }) => kind === 'updated' || kind === 'created');
  const isSender = shown.denialReason !== null && ctx.person.isMain;
  const access = isSender ? (await showCompany(ctx, ref)).access[ref.environment] : undefined;
  const nameOf = (actor: string): string => actorTextForCompany(actor, shown.names, t);
  const content = (
    <>
      <JobDetails
        shown={shown}
        path={path}
        nameOf={nameOf}
        caption={(created) =>
          t('Job {{id}}, {{environment}}, created {{created}}', {
            id: String(ref.jobId),
            environment: t(environmentLabels[ref.environment]).toLowerCase(),
            created,
          })
        }
        denial={
          shown.denialReason !== null && (
            <div class="alert" id="denial">
              <p>{t('Denied: {{reason}}', { reason: shown.denialReason })}</p>
              {before === undefined && edit && (
                <p>
                  {t('Not changed since. The last change was {{at}}, by {{actor}}.', {
                    at: <Instant at={edit.createdAt} />,
                    actor: nameOf(edit.actor),
                  })}
                </p>
              )}
              {ctx.person.isMain ? (
                <>
                  <p>{t('A program with a write credential can change it, which also sends it to review:')}</p>
                  <pre data-copy>{`PATCH ${ctx.origin}/v1/jobs/${ref.jobId}`}</pre>
                </>
              ) : (
                <p>{t(mainAccountLabels.jobs)}</p>
              )}
              {access?.kind === 'closed' && <AccessBadge access={access} />}
              {access?.kind === 'open' && (
                <Action
                  operation={resubmitJob}
                  href={`${path}/resubmit`}
                  version={shown.version}
                  text={t('Send to review unchanged')}
                />
              )}
            </div>
          )
        }
      />
      {ctx.person.isMain && status !== 'inactive' && (
        <div class="actions">
          <Action operation={withdrawCompanyJob} href={`${path}/withdraw`} />
        </div>
      )}
      <p>
        <a href={`/dashboard/jobs?environment=${ref.environment}`}>
          {t('Back to the jobs {{inEnvironment}}', { inEnvironment: t(inEnvironmentLabels[ref.environment]) })}
        </a>
      </p>
    </>
  );
  return page(title, content);
}
