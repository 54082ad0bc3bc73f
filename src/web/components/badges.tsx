import type { JobStatus } from '../../operations/jobs/job.ts';
import { statusLabels } from '../labels.ts';
import { useT } from '../page.ts';

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
