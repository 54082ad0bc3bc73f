import type { Caller } from '../domain/caller.ts';
import type { Gate } from '../gate/admit.ts';
import { budgetHeaders } from '../gate/limits.ts';
import type { Trace } from './stamp.ts';

/** Counts so many requests of the caller's company; the answer tells what is left. Refuses with 429 `company`. */
export async function spendRequests({ limits }: Gate, caller: Caller, requests: number, trace: Trace): Promise<void> {
  const budget = await limits.spendRequests(caller.tenant, requests);
  trace.isCounted = true;
  Object.assign(trace.headers, budgetHeaders(budget));
}
