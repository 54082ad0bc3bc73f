import { operationOf } from '../../contract/document.ts';
import { showAccess } from '../../operations/companies/people/show-company.ts';
import { type JobStatus, jobRules } from '../../operations/jobs/job.ts';
import { resubmitJob } from '../../operations/jobs/people/review-job.ts';
import { type JobRef, showJob } from '../../operations/jobs/people/show-job.ts';
import { updateCompanyJob } from '../../operations/jobs/people/update-company-job.ts';
import { withdrawCompanyJob } from '../../operations/jobs/people/withdraw-company-job.ts';
import type { Shown } from '../../operations/kit/declare.ts';
import { environmentLabels } from '../../operations/kit/fields.ts';
import { AccessBadge } from '../components/access.tsx';
import { ActorName } from '../components/audit-cells.tsx';
import { JobDetails, jobIn } from '../components/job-details.tsx';
import { Action } from '../components/operation-form.tsx';
import { storedEditor } from '../components/stored-form.tsx';
import { Instant } from '../components/text.tsx';
import { inEnvironmentLabels, mainAccountLabels } from '../labels.ts';
import { type DashboardContext, idInQuery, type PageAnswer, page } from '../page.ts';
import type { Translate } from '../texts/language.ts';

const pathOf = ({ environment, jobId }: JobRef): string => `/dashboard/jobs/${environment}/${jobId}`;

/** Shows one job as candidates see it, and its history. If it is denied, also shows the reason and how to send it to review again. */
export async function job(ctx: DashboardContext): Promise<PageAnswer> {
  const { t } = ctx;
  const ref = jobIn(ctx);
  const path = pathOf(ref);
  const before = idInQuery(ctx.query, 'before');
  const shown = await showJob(ctx, { ...ref, before });
  const { title, status } = shown.job;
  const isDenied = status === 'denied';
  const edit = shown.events.findLast(({ kind }) => kind === 'updated' || kind === 'created');
  const access = ctx.person.isMain
    ? await showAccess(ctx, { companyId: ref.companyId, environment: ref.environment })
    : undefined;
  const content = (
    <>
      <JobDetails
        shown={shown}
        path={path}
        caption={(created) =>
          t('Job {{id}}, {{environment}}, created {{created}}', {
            id: String(ref.jobId),
            environment: t(environmentLabels[ref.environment]).toLowerCase(),
            created,
          })
        }
        denial={
          isDenied && (
            <div class="alert" id="denial">
              <p>{t('Denied: {{reason}}', { reason: shown.denialReason })}</p>
              {before === undefined && edit && (
                <p>
                  {t('Not changed since. The last change was {{at}}, by {{actor}}.', {
                    at: <Instant at={edit.createdAt} />,
                    actor: <ActorName actor={edit.actor} names={shown.names} />,
                  })}
                </p>
              )}
              {!ctx.person.isMain && <p>{t(mainAccountLabels.jobs)}</p>}
              {access?.kind === 'closed' && <AccessBadge access={access} />}
              {access?.kind === 'open' && (
                <div class="actions">
                  <a href={`${path}/update`} class="action">
                    {t('Change the job')}
                  </a>
                  <Action
                    operation={resubmitJob}
                    href={`${path}/resubmit`}
                    version={shown.version}
                    text={t('Send to review unchanged')}
                  />
                </div>
              )}
            </div>
          )
        }
      />
      {ctx.person.isMain && (
        <div class="actions">
          {access?.kind === 'open' && !isDenied && <Action operation={updateCompanyJob} href={`${path}/update`} />}
          {status !== 'inactive' && <Action operation={withdrawCompanyJob} href={`${path}/withdraw`} />}
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

/** Says what a change does to a job. The key is the status that the job keeps, or `review` if its status changes. */
const outcomes = {
  pending: 'The job stays pending.',
  active: 'The job stays published: your company publishes without review.',
  inactive: 'The job stays withdrawn: candidates do not see it.',
  expired: 'The job stays expired: a change does not publish it again.',
  review: 'Saving sends the job to review. Candidates do not see it until it is approved.',
};

/** Why a job was denied, and what changing it will do. */
export const jobFacts = ({ status, after, denialReason }: Shown, t: Translate) => (
  <>
    {typeof denialReason === 'string' && <p class="alert">{t('Denied: {{reason}}', { reason: denialReason })}</p>}
    <p>{t(outcomes[status === after ? (after as JobStatus & keyof typeof outcomes) : 'review'])}</p>
  </>
);

/** The groups of the form that changes a job. */
export const jobGroups = {
  Text: ['title', 'body', 'requirements', 'professional_requirements', 'education_details', 'language_requirements'],
  Conditions: [
    'category_id',
    'district_id',
    'valid_until',
    'contract_type',
    'work_modality',
    'remote_policy',
    'experience_years',
    'education_level',
  ],
  Salary: ['salary_type', 'salary_min', 'salary_max', 'salary_negotiable', 'salary_benefits'],
  Application: [
    'application_method',
    'contact_email',
    'contact_phone',
    'external_application_url',
    'contact_instructions',
  ],
};

/** The form that changes a job. */
export const jobEditor = storedEditor({
  noun: 'job',
  field: 'patch',
  operation: operationOf('updateJob'),
  rules: jobRules,
  groups: jobGroups,
  previewLabel: 'As candidates see it',
});
