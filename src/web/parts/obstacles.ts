import type { Obstacle } from '../../domain/eligibility.ts';

/** What keeps an environment closed to a company, in words that both sides read. */
const words: Readonly<Record<Obstacle, string>> = {
  suspended: 'Suspended',
  unverified: 'Company not verified',
  plan: 'Plan not eligible',
  approval: 'Waiting for approval',
};

export const obstacleText = (obstacles: readonly Obstacle[]): string =>
  obstacles.map((obstacle) => words[obstacle]).join(', ');
