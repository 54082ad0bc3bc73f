import type { RequestHandler } from 'express';
import { operationOf } from '../contract/document.ts';
import { match } from '../contract/match.ts';
import { dispatch } from '../dispatch.ts';
import type { Environment } from '../domain/environment.ts';
import { requestTimeAt } from '../domain/request-time.ts';
import { admitRequest } from '../server/admit-request.ts';
import { send, sendPieces } from '../server/answer.ts';
import type { AdapterDeps } from '../server/deps.ts';
import { readJsonBody } from '../server/json-body.ts';
import { asWork, requestContextOf } from '../server/request-context.ts';
import { isResponseDropped, refuseSimulated, simulationIn } from '../server/simulate.ts';
import { plainRequest } from './plain-request.ts';

/** REST of one environment, to be mounted at its base path. */
export const rest = (environment: Environment, deps: AdapterDeps): RequestHandler =>
  asWork(async (request, response) => {
    const { services, clock, timeZone } = deps;
    const time = requestTimeAt(clock(), timeZone);
    const context = requestContextOf(response);
    const found = match(request.method.toLowerCase(), request.path);
    if (found.kind === 'operation') context.askedOperationId = found.operation.operationId;
    const simulation = simulationIn(request, response, environment);
    const actor = await admitRequest(deps, environment, request, response, time);
    refuseSimulated(simulation);
    const plain = plainRequest(found, request, await readJsonBody(request), simulation);
    context.operationId = plain.operationId;
    const { db } = await services.database.connectionsFor(actor.tenant.companyId);
    const reply = await dispatch({ ...services, ...time, db, actor, nameOf: (name) => name }, plain);
    const { status, headers = {}, body, pieces } = reply;
    const { isConditional } = operationOf(plain.operationId);
    if (isConditional) response.set({ ...headers, 'Cache-Control': 'private, no-cache' });
    if (isResponseDropped(simulation)) response.destroy();
    // RFC 9110 section 13.1.2.
    else if (isConditional && request.fresh) send(response, 304, {}, undefined);
    else if (pieces) await sendPieces(response, status, headers, pieces());
    else send(response, status, headers, status === 204 ? undefined : body);
  });
