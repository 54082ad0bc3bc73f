import type { AccessBlocker } from '../../domain/eligibility.ts';
import type { EnvironmentAccess } from '../../operations/companies/show-company.ts';
import type { JobStatus } from '../../operations/jobs/job.ts';
import { statusLabels } from '../labels.ts';
import { useT } from '../texts/t.ts';
import { quotaState } from './quota.tsx';

export type Tone = 'good' | 'waiting' | 'bad' | 'quiet';

/** What the style sheet calls them. */
const variants = { good: 'success', waiting: 'warning', bad: 'danger', quiet: undefined };

/** A state in one or two words. The colour only repeats what the words say. */
export const Badge = ({ tone, text }: { readonly tone: Tone; readonly text: string }) => (
  <span class={tone === 'quiet' ? 'badge outline' : 'badge'} data-variant={variants[tone]}>
    {text}
  </span>
);

const tones: Readonly<Record<JobStatus, Tone>> = {
  pending: 'waiting',
  active: 'good',
  inactive: 'quiet',
  expired: 'quiet',
  denied: 'bad',
};

export const JobStatusBadge = ({ status }: { readonly status: JobStatus }) => (
  <Badge tone={tones[status]} text={useT()(statusLabels[status])} />
);

const blockerLabels: Readonly<Record<AccessBlocker, string>> = {
  suspended: 'Company suspended',
  unverified: 'Company not verified',
  plan: 'Plan not eligible',
  approval: 'Waiting for approval',
};

const quotaLabels = { enough: 'Open', low: 'Quota nearly used up', full: 'Quota used up' };
const quotaTones = { enough: 'good', low: 'waiting', full: 'bad' } as const;

/** Whether an environment is open to a company and has quota left, and if not, why. */
export function AccessBadge({ access }: { readonly access: EnvironmentAccess }) {
  const t = useT();
  if (access.kind === 'open') {
    const state = quotaState({ used: access.used, limit: access.entitlement.limit });
    return <Badge tone={quotaTones[state]} text={t(quotaLabels[state])} />;
  }
  const reasons = access.blockers.map((blocker) => t(blockerLabels[blocker]));
  const tone = access.blockers.includes('suspended') ? 'bad' : 'waiting';
  return <Badge tone={tone} text={t('Closed: {{reasons}}', { reasons: reasons.join(', ') })} />;
}
