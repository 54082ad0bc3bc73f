import type { JobStatus } from '../../domain/job.ts';
import type { EnvironmentAccess } from '../../operations/companies/show-company.ts';
import { useTexts } from '../texts/texts.ts';

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
  <Badge tone={tones[status]} text={useTexts().statuses[status].name} />
);

/** Whether an environment is open to a company, and if not, why. */
export function AccessBadge({ access }: { readonly access: EnvironmentAccess }) {
  const { access: texts } = useTexts();
  if (access.kind === 'open') return <Badge tone="good" text={texts.open} />;
  const reasons = access.blockers.map((blocker) => texts.blockers[blocker]);
  return <Badge tone="waiting" text={texts.closed(reasons.join(', '))} />;
}
