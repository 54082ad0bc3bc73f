import type { Response } from 'express';
import type { Caller } from '../domain/caller.ts';
import type { Gate } from '../gate/admit.ts';
import { budgetHeaders } from '../gate/limits.ts';
import { traceOf } from './stamp.ts';

/** Counts so many requests of the caller's company; the answer tells what is left. Refuses with 429 `company`. */
export async function spendRequests(
  { limits }: Gate,
  caller: Caller,
  requests: number,
  response: Response,
): Promise<void> {
  const budget = await limits.spendRequests(caller.tenant, requests);
  traceOf(response).isCounted = true;
  response.set(budgetHeaders(budget));
}
