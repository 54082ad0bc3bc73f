import type { Request as HttpRequest, Response as HttpResponse, RequestHandler } from 'express';
import type { Environment } from '../domain/environment.ts';
import { refusal } from '../domain/errors.ts';
import type { Lifetime } from '../domain/lifetime.ts';
import { type Era, eraOfHeader } from '../domain/mcp-era.ts';
import { requestTimeAt } from '../domain/request-time.ts';
import { traceparentOf } from '../domain/traceparent.ts';
import { admitRequest, countMessages } from '../server/admit-request.ts';
import { send, sendPieces, sendText, toRefusal } from '../server/answer.ts';
import type { AdapterDeps } from '../server/deps.ts';
import { rpcError } from '../server/error-body.ts';
import { readJsonBody } from '../server/json-body.ts';
import { type RequestContext, requestContextOf } from '../server/request-context.ts';
import { isResponseDropped, simulationIn } from '../server/simulate.ts';
import { batchResponses } from './batch.ts';
import type { Call } from './call-tool.ts';
import { failure, type Id, type Message } from './json-rpc.ts';
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

/**
 * MCP's Streamable HTTP for one environment: only POST, JSON responses, no sessions. Refusals before dispatch are HTTP statuses with a
 * JSON-RPC error; those of dispatch and operations are tool results.
 */
export function mcp(environment: Environment, deps: AdapterDeps): RequestHandler {
  const legacy = new LegacyServer(environment);
  const checkOrigin = originCheck(deps.services.publicUrl, deps.listener.isLoopback);
  const endpoint: Endpoint = { ...deps, environment, checkOrigin, legacy };
  return async (request, response) => {
    const context = requestContextOf(response);
    context.protocol = 'mcp';
    const sender: Sender = { era: eraOfHeader(request.headers), id: null };
    try {
      await handle(endpoint, context, sender, request, response);
    } catch (error) {
      const refused = toRefusal(error, deps.log, context.requestId);
      context.reason = refused.code;
      if (!response.headersSent)
        send(response, refused.status, refused.headers, rpcError(refused, sender.era, sender.id));
    }
  };
}

/** The form of a refusal: by the header, and once the body has been read, by that. */
interface Sender {
  era: Era;
  id: Id | null;
}

async function handle(
  endpoint: Endpoint,
  context: RequestContext,
  sender: Sender,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  const { requestLimit, environment, checkOrigin, services, clock, timeZone, log } = endpoint;
  const time = requestTimeAt(clock(), timeZone);
  const simulation = simulationIn(request, response, environment);
  if (request.method !== 'POST')
    throw refusal(405, 'method', 'The MCP endpoint accepts only POST.', {}, { Allow: 'POST' });
  checkOrigin(request);
  const caller = await admitRequest(endpoint, environment, request, response, time);
  const body = await readJsonBody(request);
  const { era, messages, isBatch, id } = readMessages(body, request.headers);
  if (body.kind === 'json') context.traceparent = traceparentOf(metaOf(body.value).traceparent) ?? context.traceparent;
  Object.assign(sender, { era, id });
  // Notifications are free.
  const answered = messages.filter(({ kind }) => kind !== 'silent').length;
  await countMessages(requestLimit, caller, answered, response);
  if (answered === 0) return send(response, 202, {}, undefined);

  const { db } = await services.database.of(caller.tenant.companyId);
  const respond = async (message: Message, lifetime: Lifetime) => {
    if (message.kind === 'silent') return '';
    if (message.kind === 'invalid') return failure(message.id, message.error, era);
    const call: Call = {
      ctx: { ...services, ...time, db, actor: caller, lifetime },
      requestContext: context,
      simulation,
      toRefusal: (error) => toRefusal(error, log, context.requestId),
    };
    return era === 'modern' ? answerModern(message.request, call) : endpoint.legacy.answer(message.request, call);
  };
  const isDropped = () => isResponseDropped(simulation) && hasSucceeded(context);
  const [first] = messages;
  if (isBatch || !first) {
    const pieces = batchResponses(messages, context.lifetime, respond);
    if (!isResponseDropped(simulation)) return sendPieces(response, 200, {}, pieces);
    let text = '';
    for await (const piece of pieces) text += piece;
    return void (isDropped() ? response.destroy() : sendText(response, 200, {}, text));
  }
  const text = await respond(first, context.lifetime);
  const status = first.kind === 'invalid' ? first.status : 200;
  if (isDropped()) response.destroy();
  else if (typeof text === 'string') sendText(response, status, {}, text);
  else await sendPieces(response, status, {}, text());
}

const hasSucceeded = ({ toolCalls = [] }: RequestContext): boolean =>
  toolCalls.some(({ status = 500 }) => status < 400);
