import type { Caller } from '../domain/caller.ts';
import type { Gate } from '../gate/admit.ts';
import { budgetHeaders } from '../gate/limits.ts';
import type { Trace } from './stamp.ts';

/** Counts requests of the caller's company and puts what is left into the response headers. Throws 429 `company`. */
export async function consumeRequests({ limits }: Gate, caller: Caller, requests: number, trace: Trace): Promise<void> {
  const budget = await limits.consumeRequests(caller.tenant, requests);
  trace.isCounted = true;
  Object.assign(trace.headers, budgetHeaders(budget));
}
