import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import type { Input } from '../contract/types.ts';
import { type Environment, policy } from '../domain/environment.ts';
import { type ApiError, tooManyRequests, unavailable } from '../domain/errors.ts';

type Simulation = NonNullable<Input<'getAccount'>['header']['X-Simulate']>;

const message = 'The header X-Simulate asked for this response; nothing was done.';

/** What is answered in place of the operation; a value of the contract that is missing here does not compile. */
const refusals: Readonly<Record<Simulation, (() => ApiError) | undefined>> = {
  429: () => tooManyRequests('simulated', message, 1),
  503: () => unavailable('simulated', message, 1),
  'lost-response': undefined,
};

/**
 * The value of X-Simulate where the environment simulates failures, as it was sent: the contract judges it. Elsewhere undefined,
 * and the answer says that the header was ignored.
 */
export function simulationIn(
  { headers }: IncomingMessage,
  response: Response,
  environment: Environment,
): string | undefined {
  const asked = headers['x-simulate'];
  if (asked === undefined) return undefined;
  if (policy[environment].simulates) return String(asked);
  response.set('X-Simulate-Ignored', environment);
  return undefined;
}

/** Refuses with 429 or 503 `simulated` where that was asked for. */
export function refuseSimulated(simulation: string | undefined): void {
  if (simulation !== undefined && Object.hasOwn(refusals, simulation)) {
    const refused = refusals[simulation as Simulation]?.();
    if (refused) throw refused;
  }
}

/** Whether the answer to what has been done is to be lost. */
export const isResponseDropped = (simulation: string | undefined): boolean => simulation === 'lost-response';

/** Closes the connection in place of an answer. */
export function dropResponse(response: Response): void {
  response.destroy();
}
