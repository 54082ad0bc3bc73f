import type { Request, Response } from 'express';
import { authenticateRequest } from '../auth/authenticate-request.ts';
import type { Caller } from '../domain/actor.ts';
import type { Environment } from '../domain/environment.ts';
import type { RequestTime } from '../domain/request-time.ts';
import { budgetHeaders } from '../rate-limit/request-limit.ts';
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

/** Counts the messages of an admitted MCP request, of which one is counted already. Throws 429 `company`: they run all or not at all. */
export async function countMessages(
  limit: AdapterDeps['requestLimit'],
  { tenant }: Caller,
  messages: number,
  response: Response,
): Promise<void> {
  if (messages > 1) response.set(budgetHeaders(await limit.consume(tenant, messages - 1)));
  if (messages > 0) return;
  requestContextOf(response).isCounted = false;
  await limit.refund(tenant);
}
