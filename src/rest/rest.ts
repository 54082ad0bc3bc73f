import type { Request, RequestHandler, Response } from 'express';
import { dispatch } from '../dispatch.ts';
import { type Environment, policy } from '../domain/environment.ts';
import { momentAt } from '../domain/moment.ts';
import { identify } from '../gate/admit.ts';
import { closed, send, sendPieces, sendReady } from '../http/answer.ts';
import { arrivalOf } from '../http/arrival.ts';
import { consumeRequests } from '../http/consume-requests.ts';
import type { Door } from '../http/door.ts';
import { readJsonBody } from '../http/json-body.ts';
import { assignSlot } from '../http/load-shedding.ts';
import { isToBeLost, lose, refuseSimulated, simulationIn } from '../http/simulate.ts';
import { traceOf } from '../http/stamp.ts';
import { plainRequest } from './plain-request.ts';

/** REST below the base address of one environment: gate, body, match, dispatch, answer. */
export function rest(environment: Environment, door: Door): RequestHandler {
  return (request, response) => answer(environment, door, request, response);
}

async function answer(
  environment: Environment,
  { services, gate, listener, clock, timeZone }: Door,
  request: Request,
  response: Response,
): Promise<void> {
  const moment = momentAt(clock(), timeZone);
  const trace = traceOf(response);
  trace.protocol = 'rest';
  const simulation = simulationIn(request, response, environment);
  const caller = await identify(gate, arrivalOf(request, environment, listener), moment);
  trace.caller = caller;
  await consumeRequests(gate, caller, 1, response);
  // After the request limit: a burst past it gets 429, not 503.
  assignSlot(response, caller);
  refuseSimulated(simulation);
  const body = await readJsonBody(request);
  const { method, url } = request;
  const path = request.path.slice(policy[environment].restBase.length) || '/';
  const isIgnored = request.headers['x-simulate'] !== simulation;
  const headers = isIgnored ? { ...request.headers, 'x-simulate': simulation } : request.headers;
  const search = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  const plain = plainRequest({ method, path, search, headers, body });
  trace.operationId = plain.operationId;
  const reply = await dispatch({ ...services, ...moment, caller, answered: () => closed(response) }, plain);
  if (isToBeLost(simulation)) lose(response);
  else if (reply.ready) sendReady(request, response, reply.ready);
  else if (reply.pieces) await sendPieces(response, reply.status, reply.headers ?? {}, reply.pieces());
  else send(response, reply.status, reply.headers ?? {}, reply.body);
}
