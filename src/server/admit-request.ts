import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { authenticateRequest } from '../auth/authenticate-request.ts';
import type { Input } from '../contract/types.ts';
import type { Caller } from '../domain/actor.ts';
import type { RequestTime } from '../domain/dates.ts';
import { type Environment, policy } from '../domain/environment.ts';
import { type ApiError, tooManyRequests, unavailable } from '../domain/errors.ts';
import { budgetHeaders } from '../rate-limit/request-limits.ts';
import { clientInfoOf } from './client-info.ts';
import type { AdapterDeps } from './deps.ts';
import { requestContextOf } from './request-context.ts';

/**
 * Admits a request of the API, before its body is read: address, credential, count, the company's turn. Throws what authenticateRequest throws, 429
 * `company`, and 503 `overload`. A burst past the request limit gets 429, not 503.
 */
export async function admitRequest(
  { auth, requestLimit, queue, listener }: AdapterDeps,
  environment: Environment,
  request: Request,
  response: Response,
  time: RequestTime,
): Promise<Caller> {
  const context = requestContextOf(response);
  const caller = await authenticateRequest(auth, clientInfoOf(request, environment, listener), time, (issued) => {
    context.credential = issued;
  });
  response.set(budgetHeaders(await requestLimit.consume(caller.tenant, 1)));
  context.isCounted = true;
  await queue.enter(caller.tenant.companyId, request.method === 'GET' ? 'read' : 'change', context.lifetime);
  return caller;
}

/**
 * Counts the messages of an admitted MCP request, of which one is counted already: a request costs one also if nothing in it is answered.
 * Throws 429 `company`: the messages run all or not at all, and those that do not fit count nothing.
 */
export async function countMessages(
  limit: AdapterDeps['requestLimit'],
  { tenant }: Caller,
  messages: number,
  response: Response,
): Promise<void> {
  if (messages > 1) response.set(budgetHeaders(await limit.consume(tenant, messages - 1)));
}

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
