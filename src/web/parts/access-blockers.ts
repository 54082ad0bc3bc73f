import type { AccessBlocker } from '../../domain/eligibility.ts';

/** What keeps an environment closed to a company, in words that both sides read. */
const words: Readonly<Record<AccessBlocker, string>> = {
  suspended: 'Suspended',
  unverified: 'Company not verified',
  plan: 'Plan not eligible',
  approval: 'Waiting for approval',
};

export const accessBlockersText = (blockers: readonly AccessBlocker[]): string =>
  blockers.map((blocker) => words[blocker]).join(', ');
