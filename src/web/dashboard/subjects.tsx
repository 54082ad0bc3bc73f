import { hasEnded, showCredential } from '../../operations/credentials/list-credentials.ts';
import { showJob } from '../../operations/jobs/show-job.ts';
import { accessText, maskedSecret } from '../components/credential-table.tsx';
import { Instant } from '../components/text.tsx';
import type { Subject } from '../operation-page.tsx';
import { type DashboardContext, type Redirect, redirect } from '../page.ts';
import { environmentIn, idIn } from '../params.ts';
import type { Translate } from '../texts/t.ts';

// What the forms of the dashboard are about.

export const given = ({ person }: DashboardContext) => ({ companyId: person.company.id });

const overlapHours = [0, 1, 24, 168, 336, 720];

function overlapText(hours: number, t: Translate): string {
  if (hours === 0) return t('None, it ends now');
  if (hours % 24 > 0) return t('{{count}} hours', { count: hours, one: '{{count}} hour' });
  return t('{{count}} days', { count: hours / 24, one: '{{count}} day' });
}

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
    options: { overlapHours: overlapHours.map((hours) => [String(hours), overlapText(hours, t)]) },
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
