import type { AccessBlocker } from '../../domain/eligibility.ts';
import type { JobStatus } from '../../domain/job.ts';
import type { EnvironmentAccess } from '../../operations/companies/show-company.ts';
import { statusLabels } from '../labels.ts';
import { useT } from '../texts/t.ts';

export type Tone = 'good' | 'waiting' | 'bad' | 'quiet';

/** A state in one or two words. The colour only repeats what the words say. */
export const Badge = ({ tone, text }: { readonly tone: Tone; readonly text: string }) => (
  <span class={`badge ${tone}`}>{text}</span>
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

/** Whether an environment is open to a company, and if not, why. */
export function AccessBadge({ access }: { readonly access: EnvironmentAccess }) {
  const t = useT();
  if (access.kind === 'open') return <Badge tone="good" text={t('Open')} />;
  const reasons = access.blockers.map((blocker) => t(blockerLabels[blocker]));
  return <Badge tone="waiting" text={t('Closed: {{reasons}}', { reasons: reasons.join(', ') })} />;
}
