import type { FieldError } from './message.ts';
import { holdsSecret, secretMessage } from './token.ts';

/**
 * The values of X-Simulate. The contract describes the header in its text, but not as a parameter, because tools fill in every parameter by
 * themselves.
 */
const simulations = ['429', '503', 'lost-response'] as const;

export type Simulation = (typeof simulations)[number];

/** What is wrong with a value of X-Simulate, in the form of field errors. */
export function simulationErrors(value: string | undefined): FieldError[] {
  if (value === undefined || simulations.some((known) => known === value)) return [];
  if (holdsSecret(value)) return [['X-Simulate', { text: secretMessage }]];
  return [['X-Simulate', { text: 'must be one of {{values}}', params: { values: simulations.join(', ') } }]];
}
