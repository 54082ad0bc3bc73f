import type { Request, RequestHandler, Response } from 'express';
import { authenticateRequest } from '../auth/authenticate-request.ts';
import { dispatch } from '../dispatch.ts';
import { type Environment, policy } from '../domain/environment.ts';
import { requestTimeAt } from '../domain/request-time.ts';
import { closed, send, sendCachedJson, sendPieces } from '../server/answer.ts';
import { clientInfoOf } from '../server/client-info.ts';
import { consumeRequests } from '../server/consume-requests.ts';
import type { AdapterDeps } from '../server/deps.ts';
import { readJsonBody } from '../server/json-body.ts';
import { assignSlot } from '../server/load-shedding.ts';
import { requestContextOf } from '../server/request-context.ts';
import { dropResponse, isResponseDropped, refuseSimulated, simulationIn } from '../server/simulate.ts';
import { plainRequest } from './plain-request.ts';

/** REST below the base path of one environment. */
export function rest(environment: Environment, deps: AdapterDeps): RequestHandler {
  return (request, response) => handle(environment, deps, request, response);
}

async function handle(
  environment: Environment,
  { services, auth, requestLimit, listener, clock, timeZone }: AdapterDeps,
  request: Request,
  response: Response,
): Promise<void> {
  const time = requestTimeAt(clock(), timeZone);
  const context = requestContextOf(response);
  context.protocol = 'rest';
  const simulation = simulationIn(request, response, environment);
  const caller = await authenticateRequest(auth, clientInfoOf(request, environment, listener), time);
  context.caller = caller;
  await consumeRequests(requestLimit, caller, 1, response);
  // After the request limit: a burst past it gets 429, not 503.
  assignSlot(response, caller);
  refuseSimulated(simulation);
  const body = await readJsonBody(request);
  const { method, url, headers } = request;
  const path = request.path.slice(policy[environment].restBase.length) || '/';
  const search = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  const plain = plainRequest({ method, path, search, headers, simulation, body });
  context.operationId = plain.operationId;
  const { db } = await services.database.of(caller.tenant.companyId);
  const reply = await dispatch({ ...services, ...time, db, actor: caller, answered: () => closed(response) }, plain);
  if (isResponseDropped(simulation)) dropResponse(response);
  else if (reply.cached) sendCachedJson(request, response, reply.cached);
  else if (reply.pieces) await sendPieces(response, reply.status, reply.headers ?? {}, reply.pieces());
  else send(response, reply.status, reply.headers ?? {}, reply.body);
}
