import type { Request, RequestHandler, Response } from 'express';
import { dispatch } from '../dispatch.ts';
import type { Environment } from '../domain/environment.ts';
import { type Moment, momentAt } from '../domain/moment.ts';
import { admit } from '../gate/admit.ts';
import { budgetHeaders } from '../gate/limits.ts';
import { send, sendReady } from '../http/answer.ts';
import { arrivalOf } from '../http/arrival.ts';
import type { Door } from '../http/door.ts';
import { readJsonBody } from '../http/json-body.ts';
import { traceOf } from '../http/stamp.ts';
import { plainRequest } from './plain-request.ts';

/** REST below the base address of one environment: gate, body, match, dispatch, answer. */
export function rest(environment: Environment, door: Door): RequestHandler {
  return async (request, response) => {
    const moment = momentAt(door.clock(), door.timeZone);
    await answer(environment, door, moment, request, response);
  };
}

async function answer(
  environment: Environment,
  { services, gate, listener }: Door,
  moment: Moment,
  request: Request,
  response: Response,
): Promise<void> {
  const trace = traceOf(response);
  trace.protocol = 'rest';
  response.once('close', gate.load.take());
  const { caller, budget } = await admit(gate, arrivalOf(request, environment, listener), moment);
  trace.caller = caller;
  for (const [name, value] of Object.entries(budgetHeaders(budget))) response.setHeader(name, value);
  const body = await readJsonBody(request, response);
  const { method, path, headers, url } = request;
  const search = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  const plain = plainRequest({ method, path, search, headers, body });
  trace.operationId = plain.operationId;
  const reply = await dispatch({ ...services, ...moment, caller }, plain);
  if (reply.ready) sendReady(request, response, reply.ready);
  else send(response, reply.status, reply.headers ?? {}, reply.body);
}
