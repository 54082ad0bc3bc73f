import type { AccessBlocker } from '../../domain/eligibility.ts';
import type { JobStatus } from '../../domain/job.ts';
import type { EnvironmentAccess } from '../../operations/companies/show-company.ts';

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
  <Badge tone={tones[status]} text={status.charAt(0).toUpperCase() + status.slice(1)} />
);

const blockerTexts: Readonly<Record<AccessBlocker, string>> = {
  suspended: 'Suspended',
  unverified: 'Company not verified',
  plan: 'Plan not eligible',
  approval: 'Waiting for approval',
};

/** Whether an environment is open to a company, and if not, why. */
export const AccessBadge = ({ access }: { readonly access: EnvironmentAccess }) =>
  access.kind === 'open' ? (
    <Badge tone="good" text="Open" />
  ) : (
    <Badge tone="waiting" text={`Closed: ${access.blockers.map((blocker) => blockerTexts[blocker]).join(', ')}`} />
  );
