import { hasEnded, showCredential } from '../../operations/credentials/list-credentials.ts';
import { showJob } from '../../operations/jobs/show-job.ts';
import { accessText, maskedSecret } from '../components/credential-table.tsx';
import { Instant } from '../components/text.tsx';
import type { Subject } from '../operation-page.tsx';
import { type DashboardContext, type Redirect, redirect } from '../page.ts';
import { environmentIn, idIn, optionsOf } from '../params.ts';

// What the forms of the dashboard are about.

export const given = ({ person }: DashboardContext) => ({ companyId: person.company.id });

const overlapLabels = {
  0: 'None, it ends now',
  1: '1 hour',
  24: '1 day',
  168: '7 days',
  336: '14 days',
  720: '30 days',
};

export const newCredential = async (): Promise<Subject> => ({ values: { environment: 'sandbox', access: 'write' } });

/** A credential that works. */
export async function credential(ctx: DashboardContext): Promise<Subject | Redirect> {
  const { t } = ctx;
  const found = await showCredential(ctx, { ...given(ctx), credentialId: idIn(ctx.params, 'credential') });
  const { label, lastFour, state, expiresAt } = found;
  if (hasEnded(state)) return redirect('/dashboard/credentials', t('{{label}} no longer works.', { label }));
  return {
    name: `${label} …${lastFour}`,
    values: { overlapHours: 24 },
    options: { overlapHours: optionsOf(overlapLabels, t) },
    about: (
      <p>
        <code>{maskedSecret(found)}</code> {accessText(found, t)},{' '}
        {t('expires {{at}}', { at: <Instant at={expiresAt} /> })}
      </p>
    ),
  };
}

/** A job that is not withdrawn. */
export async function job(ctx: DashboardContext): Promise<Subject | Redirect> {
  const ref = { ...given(ctx), environment: environmentIn(ctx.params), jobId: idIn(ctx.params, 'job') };
  const { title, status } = (await showJob(ctx, ref)).job;
  if (status === 'inactive')
    return redirect(`/dashboard/jobs/${ref.environment}/${ref.jobId}`, ctx.t('The job is already withdrawn.'));
  return { name: title };
}
