import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { authenticateRequest, checkClient } from '../auth/authenticate-request.ts';
import type { ApiContext } from '../context.ts';
import { operationOf } from '../contract/document.ts';
import type { JsonText, OperationId } from '../contract/types.ts';
import { hasScope } from '../domain/actor.ts';
import { requestTimeAt } from '../domain/dates.ts';
import { type Environment, policy } from '../domain/environment.ts';
import { type ApiError, tooManyRequests, unavailable } from '../domain/errors.ts';
import type { Simulation } from '../domain/simulation.ts';
import { budgetHeaders } from '../rate-limit/request-limits.ts';
import { clientInfoOf } from './client-info.ts';
import type { AdapterDeps } from './deps.ts';
import { type Lifetime, requestContextOf } from './request-context.ts';

/** An operation's context before the adapter adds `about`. */
export type WorkContext = Omit<ApiContext, 'about'>;

/** The result of work. `text` is the body for the client. */
interface Made {
  readonly text?: JsonText | undefined;
}

/** In characters. UnreadAnswers counts longer answers to reads. An answer to a change has one job and is hardly longer than its request. */
const largeFrom = 65_536;

/** An admitted request of the API. */
export interface Admitted {
  /** Counts further messages against the company's limit. If they do not all fit, counts none and throws 429 `company`. */
  readonly count: (messages: number) => Promise<void>;
  /**
   * Runs `make` in one of the company's places, or in none if the caller may not call the operation. Authenticates the request again if it
   * has waited since (for its body, a place or an earlier answer). A large answer to a read holds room in UnreadAnswers until the lifetime
   * ends. If there is no room yet, drops the answer, waits for room and makes it again, so that waiting holds no memory. Throws 503
   * `overload` and what authenticateRequest throws.
   */
  readonly work: <T extends Made>(
    operationId: OperationId | undefined,
    make: (ctx: WorkContext) => Promise<T>,
    lifetime?: Lifetime,
  ) => Promise<T>;
}

/**
 * Admits an API request by its head: checks the client's address, runs `check`, authenticates, and counts the request. Throws what
 * checkClient, `check` and authenticateRequest throw, and 429 `company`.
 */
export async function admitRequest(
  { services, auth, requestLimit, queue, unread, listener, clock, timeZone }: AdapterDeps,
  environment: Environment,
  request: Request,
  response: Response,
  check: (request: Request) => void = () => undefined,
): Promise<Admitted> {
  const context = requestContextOf(response);
  const client = clientInfoOf(request, environment, listener);
  await checkClient(auth, client);
  check(request);

  const judge = async (): Promise<WorkContext> => {
    const time = requestTimeAt(clock(), timeZone);
    const actor = await authenticateRequest(auth, client, time, (issued) => {
      context.credential = issued;
    });
    const { db } = await services.database.connectionsFor(actor.tenant.companyId);
    return { ...services, ...time, clock, db, actor, judgeAgain: judge };
  };
  const first = await judge();
  const { actor } = first;
  const { tenant } = actor;
  const { companyId } = tenant;
  /** If the body has already arrived, the first operation reuses this authentication. Later ones authenticate again. */
  let judged = request.complete ? first : undefined;

  const count = async (messages: number): Promise<void> => {
    response.set(budgetHeaders(await requestLimit.consume(tenant, messages)));
  };
  await count(1);
  context.isCounted = true;

  const work: Admitted['work'] = async (operationId, make, lifetime = context.lifetime) => {
    const operation = operationId && operationOf(operationId);
    if (!operation || !hasScope(actor, operation.scope)) return make(first);
    const kind = operation.method === 'get' ? 'read' : 'change';
    const makeInPlace = () =>
      queue.run(companyId, kind, lifetime, async (hasWaited) => {
        const ctx = (!hasWaited && judged) || (await judge());
        judged = undefined;
        return make(ctx);
      });
    const made = await makeInPlace();
    const { length = 0 } = made.text ?? {};
    const wait = kind === 'read' && length > largeFrom ? unread.hold(companyId, length, lifetime) : undefined;
    return wait === undefined ? made : wait.then(makeInPlace);
  };
  return { count, work };
}

const message = 'The header X-Simulate asked for this response; nothing was done.';

/** Refusals that replace the operation's response, by simulation. A simulation without an entry here does not compile. */
const refusals: Readonly<Record<Simulation, (() => ApiError) | undefined>> = {
  429: () => tooManyRequests('simulated', message, 1),
  503: () => unavailable('simulated', message, 1),
  'lost-response': undefined,
};

/**
 * Returns the value of X-Simulate, not yet validated, if the environment simulates failures. Otherwise returns undefined, and adds
 * X-Simulate-Ignored to the response if the request has X-Simulate.
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

/** Whether the operation runs and its response is dropped. */
export const isResponseDropped = (simulation: string | undefined): boolean => simulation === 'lost-response';
