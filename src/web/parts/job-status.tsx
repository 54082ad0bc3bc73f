import type { JobStatus } from '../../domain/job.ts';
import { Badge, type Tone } from './badge.tsx';

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
