import { text as whole } from 'node:stream/consumers';
import type { Request as HttpRequest, Response as HttpResponse, RequestHandler } from 'express';
import { requestTimeAt } from '../domain/dates.ts';
import type { Environment } from '../domain/environment.ts';
import { methodNotAllowed } from '../domain/errors.ts';
import { type Era, eraOfHeader } from '../domain/mcp-era.ts';
import { admitRequest, countMessages, isResponseDropped, simulationIn } from '../server/admit-request.ts';
import { send, sendPieces, sendText, toRefusal } from '../server/answer.ts';
import type { AdapterDeps } from '../server/deps.ts';
import { rpcRefusal } from '../server/error-body.ts';
import { readJsonBody } from '../server/json-body.ts';
import {
  asWork,
  type LoggedCall,
  type RequestContext,
  requestContextOf,
  traceparentOf,
} from '../server/request-context.ts';
import { batchResponses } from './batch.ts';
import type { Call } from './call-tool.ts';
import { toolNameOf } from './find-tool.ts';
import { type AnsweredMessage, failure, type Id, RpcError } from './json-rpc.ts';
import { LegacyServer } from './legacy.ts';
import { answerModern } from './modern.ts';
import { metaOf } from './modern-request.ts';
import { originCheck } from './origin-check.ts';
import { readMessages } from './read-messages.ts';

interface Endpoint extends AdapterDeps {
  readonly environment: Environment;
  readonly checkOrigin: ReturnType<typeof originCheck>;
  readonly legacy: LegacyServer;
}

/** One HTTP request. A refusal has the era of its header and no id until its body has been read. */
interface Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly context: RequestContext;
  era: Era;
  id: Id | null;
}

/**
 * MCP's Streamable HTTP for one environment: only POST, JSON responses, no sessions. Refusals before dispatch are HTTP statuses with a
 * JSON-RPC error; those of dispatch and operations are tool results.
 */
export function mcp(environment: Environment, deps: AdapterDeps): RequestHandler {
  const checkOrigin = originCheck(deps.services.publicUrl, deps.listener.isLoopback);
  const endpoint: Endpoint = { ...deps, environment, checkOrigin, legacy: new LegacyServer(environment) };
  return asWork(async (request, response) => {
    const context = requestContextOf(response);
    const exchange: Exchange = { request, response, context, era: eraOfHeader(request.headers), id: null };
    try {
      await handle(endpoint, exchange);
    } catch (error) {
      const refused = toRefusal(error, deps.log, context.requestId);
      context.refused = refused;
      if (response.headersSent) return;
      send(response, refused.status, refused.headers, rpcRefusal(exchange.era, exchange.id, refused));
    }
  });
}

async function handle(endpoint: Endpoint, exchange: Exchange): Promise<void> {
  const { requestLimit, environment, services, clock, timeZone, log } = endpoint;
  const { request, response, context } = exchange;
  const time = requestTimeAt(clock(), timeZone);
  const simulation = simulationIn(request, response, environment);
  if (request.method !== 'POST') throw methodNotAllowed('POST');
  endpoint.checkOrigin(request);
  const actor = await admitRequest(endpoint, environment, request, response, time);
  const body = await readJsonBody(request);
  const { era, messages, isBatch } = readMessages(body, request.headers);
  const answered = messages.filter((message) => message.kind !== 'silent');
  const [first] = answered;
  Object.assign(exchange, { era, id: isBatch || !first ? null : first.id });
  if (body.kind === 'json') context.traceparent = traceparentOf(metaOf(body.value).traceparent) ?? context.traceparent;
  await countMessages(requestLimit, actor, answered.length, response);
  if (!first) return send(response, 202, {}, undefined);

  const { db } = await services.database.connectionsFor(actor.tenant.companyId);
  const respond = async (message: AnsweredMessage) => {
    const call: Call = {
      ctx: { ...services, ...time, db, actor, nameOf: toolNameOf },
      requestContext: context,
      simulation,
      toRefusal: (error) => toRefusal(error, log, context.requestId),
    };
    try {
      if (message.kind === 'invalid') throw new RpcError(message.error.code, message.error.message, message.error.data);
      return await (era === 'modern' ? answerModern(message, call) : endpoint.legacy.answer(message, call));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const refused: LoggedCall = { operationId: null, status: 400, refused: { code: 'mcp_message' } };
      context.toolCalls = [...(context.toolCalls ?? []), refused];
      return failure(message.id, error, era);
    }
  };
  const batch = isBatch ? batchResponses(answered, respond) : undefined;
  const mayBeDropped = isResponseDropped(simulation);
  if (batch && !mayBeDropped) return sendPieces(response, 200, {}, batch);
  const text = await (batch ? whole(batch) : respond(first));
  const status = batch || first.kind === 'request' ? 200 : first.status;
  if (mayBeDropped && hasSucceeded(context)) response.destroy();
  else if (typeof text === 'string') sendText(response, status, {}, text);
  else await sendPieces(response, status, {}, text());
}

const hasSucceeded = ({ toolCalls = [] }: RequestContext): boolean =>
  toolCalls.some(({ status = 500 }) => status < 400);
