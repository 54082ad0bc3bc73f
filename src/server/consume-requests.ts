import type { Response } from 'express';
import type { AuthDeps } from '../auth/admit.ts';
import type { Caller } from '../domain/actor.ts';
import { budgetHeaders } from '../rate-limit/limits.ts';
import { requestContextOf } from './request-context.ts';

/** Counts requests of the caller's company and puts what is left into the response headers. Throws 429 `company`. */
export async function consumeRequests(
  { limits }: AuthDeps,
  caller: Caller,
  requests: number,
  response: Response,
): Promise<void> {
  const budget = await limits.consumeRequests(caller.tenant, requests);
  requestContextOf(response).isCounted = true;
  response.set(budgetHeaders(budget));
}
