import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import type { Input } from '../contract/types.ts';
import { type Environment, policy } from '../domain/environment.ts';
import { type ApiError, tooManyRequests, unavailable } from '../domain/errors.ts';

type Simulation = NonNullable<Input<'getAccount'>['header']['X-Simulate']>;

const message = 'The header X-Simulate asked for this response; nothing was done.';

/** Responses that replace the operation's. A value of the contract that is missing here does not compile. */
const refusals: Readonly<Record<Simulation, (() => ApiError) | undefined>> = {
  429: () => tooManyRequests('simulated', message, 1),
  503: () => unavailable('simulated', message, 1),
  'lost-response': undefined,
};

/**
 * The value of X-Simulate, not yet validated, if the environment simulates failures. Otherwise undefined, and the response says that
 * the header was ignored.
 */
export function simulationIn(
  { headers }: IncomingMessage,
  response: Response,
  environment: Environment,
): string | undefined {
  const value = headers['x-simulate'];
  if (value === undefined) return undefined;
  if (policy[environment].simulates) return String(value);
  response.set('X-Simulate-Ignored', environment);
  return undefined;
}

/** Throws the 429 or 503 `simulated` that the header asks for. */
export function refuseSimulated(simulation: string | undefined): void {
  if (simulation !== undefined && Object.hasOwn(refusals, simulation)) {
    const refused = refusals[simulation as Simulation]?.();
    if (refused) throw refused;
  }
}

/** The operation runs, but its response is dropped. */
export const isResponseDropped = (simulation: string | undefined): boolean => simulation === 'lost-response';
