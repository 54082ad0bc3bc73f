import type { Request, RequestHandler, Response } from 'express';
import { dispatch } from '../dispatch.ts';
import type { Environment } from '../domain/environment.ts';
import { requestTimeAt } from '../domain/request-time.ts';
import { admitRequest } from '../server/admit-request.ts';
import { send, sendCachedJson, sendPieces } from '../server/answer.ts';
import type { AdapterDeps } from '../server/deps.ts';
import { readJsonBody } from '../server/json-body.ts';
import { requestContextOf } from '../server/request-context.ts';
import { isResponseDropped, refuseSimulated, simulationIn } from '../server/simulate.ts';
import { plainRequest } from './plain-request.ts';

/** REST of one environment, to be mounted at its base path. */
export function rest(environment: Environment, deps: AdapterDeps): RequestHandler {
  return (request, response) => handle(environment, deps, request, response);
}

async function handle(
  environment: Environment,
  deps: AdapterDeps,
  request: Request,
  response: Response,
): Promise<void> {
  const { services, clock, timeZone } = deps;
  const time = requestTimeAt(clock(), timeZone);
  const context = requestContextOf(response);
  context.protocol = 'rest';
  const simulation = simulationIn(request, response, environment);
  const caller = await admitRequest(deps, environment, request, response, time);
  refuseSimulated(simulation);
  const body = await readJsonBody(request);
  const { method, path, url, headers } = request;
  const search = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  const plain = plainRequest({ method, path, search, headers, simulation, body });
  context.operationId = plain.operationId;
  const { db } = await services.database.of(caller.tenant.companyId);
  const reply = await dispatch({ ...services, ...time, db, actor: caller, lifetime: context.lifetime }, plain);
  if (isResponseDropped(simulation)) response.destroy();
  else if (reply.cached) sendCachedJson(request, response, reply.cached);
  else if (reply.pieces) await sendPieces(response, reply.status, reply.headers ?? {}, reply.pieces());
  else send(response, reply.status, reply.headers ?? {}, reply.status === 204 ? undefined : reply.body);
}
