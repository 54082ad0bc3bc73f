import type { Response } from 'express';
import type { Caller } from '../domain/actor.ts';
import { budgetHeaders, type RequestLimit } from '../rate-limit/request-limit.ts';
import { requestContextOf } from './request-context.ts';

/** Counts requests of the caller's company and sets the RateLimit headers. Throws 429 `company`. */
export async function consumeRequests(
  limit: RequestLimit,
  { tenant }: Caller,
  requests: number,
  response: Response,
): Promise<void> {
  const budget = await limit.consume(tenant, requests);
  requestContextOf(response).isCounted = true;
  response.set(budgetHeaders(budget));
}
