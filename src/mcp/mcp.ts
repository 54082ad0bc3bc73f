import type { IncomingHttpHeaders } from 'node:http';
import type { Request as HttpRequest, Response as HttpResponse, RequestHandler } from 'express';
import { authenticateRequest } from '../auth/authenticate-request.ts';
import type { Environment } from '../domain/environment.ts';
import { refusal } from '../domain/errors.ts';
import { type Era, eraOfHeader } from '../domain/mcp-era.ts';
import { requestTimeAt } from '../domain/request-time.ts';
import { traceparentOf } from '../domain/traceparent.ts';
import { closed, send, sendPieces, sendText, toRefusal } from '../server/answer.ts';
import { clientInfoOf } from '../server/client-info.ts';
import { consumeRequests } from '../server/consume-requests.ts';
import type { AdapterDeps } from '../server/deps.ts';
import { rpcError } from '../server/error-body.ts';
import { type JsonBody, readJsonBody } from '../server/json-body.ts';
import { assignSlot } from '../server/load-shedding.ts';
import { type RequestContext, requestContextOf } from '../server/request-context.ts';
import { dropResponse, isResponseDropped, simulationIn } from '../server/simulate.ts';
import { batchMessagesMax, batchResponses } from './batch.ts';
import type { Call } from './call-tool.ts';
import { codes, failure, type Id, idOf, invalid, type Message, readMessage } from './json-rpc.ts';
import { answerModern } from './modern.ts';
import { eraOf, metaOf, readModern } from './modern-request.ts';
import { originCheck } from './origin-check.ts';
import { isSupported, Protocol, versionWithoutHeader } from './protocol.ts';

interface Endpoint extends AdapterDeps {
  readonly environment: Environment;
  readonly checkOrigin: ReturnType<typeof originCheck>;
  readonly protocol: Protocol;
}

/**
 * MCP's Streamable HTTP for one environment: only POST, JSON responses, no sessions. Refusals before dispatch are HTTP statuses with a
 * JSON-RPC error; those of dispatch and operations are tool results.
 */
export async function mcp(environment: Environment, deps: AdapterDeps): Promise<RequestHandler> {
  const protocol = new Protocol(environment);
  await protocol.open();
  const checkOrigin = originCheck(deps.services.publicUrl, deps.listener.isLoopback);
  const endpoint: Endpoint = { ...deps, environment, checkOrigin, protocol };
  return async (request, response) => {
    const context = requestContextOf(response);
    context.protocol = 'mcp';
    const sender: Sender = { era: eraOfHeader(request.headers), id: null };
    try {
      await handle(endpoint, context, sender, request, response);
    } catch (error) {
      const refused = toRefusal(error, deps.log, context.requestId);
      if (!response.headersSent)
        send(response, refused.status, refused.headers, rpcError(refused, sender.era, sender.id));
    }
  };
}

/** What a refusal must know of the request: by its header, and once its body has been read by that. */
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
  const { auth, requestLimit, listener, environment, checkOrigin, services, clock, timeZone, log } = endpoint;
  const time = requestTimeAt(clock(), timeZone);
  const simulation = simulationIn(request, response, environment);
  if (request.method !== 'POST')
    throw refusal(405, 'method', 'The MCP endpoint accepts only POST.', {}, { Allow: 'POST' });
  checkOrigin(request);
  const caller = await authenticateRequest(auth, clientInfoOf(request, environment, listener), time);
  context.caller = caller;
  assignSlot(response, caller);
  const body = await readJsonBody(request).catch(async (refused: unknown) => {
    await consumeRequests(requestLimit, caller, 1, response);
    throw refused;
  });
  const { era, messages, isBatch } = readBody(body, request.headers);
  if (body.kind === 'json') context.traceparent = traceparentOf(metaOf(body.value).traceparent) ?? context.traceparent;
  const [first] = messages;
  Object.assign(sender, { era, id: isBatch || !first ? null : idIn(first) });
  // Notifications are free.
  const answered = messages.filter(({ kind }) => kind !== 'silent');
  if (answered.length === 0) return send(response, 202, {}, undefined);
  await consumeRequests(requestLimit, caller, answered.length, response);

  const respond = async (message: Message, sent: () => Promise<unknown>) => {
    if (message.kind === 'silent') return '';
    if (message.kind === 'invalid') return failure(message.id, message.error, era);
    const call: Call = {
      ctx: { ...services, ...time, actor: caller, answered: sent },
      requestContext: context,
      simulation,
      toRefusal: (error) => toRefusal(error, log, context.requestId),
    };
    return era === 'modern' ? answerModern(message.request, call) : endpoint.protocol.answer(message.request, call);
  };
  const isDropped = () => isResponseDropped(simulation) && hasSucceeded(context);
  if (isBatch || !first) {
    const pieces = batchResponses(messages, respond);
    if (!isResponseDropped(simulation)) return sendPieces(response, 200, {}, pieces);
    let text = '';
    for await (const piece of pieces) text += piece;
    return isDropped() ? dropResponse(response) : sendText(response, 200, {}, text);
  }
  const text = await respond(first, () => closed(response));
  const status = first.kind === 'invalid' ? first.status : 200;
  if (isDropped()) dropResponse(response);
  else if (typeof text === 'string') sendText(response, status, {}, text);
  else await sendPieces(response, status, {}, text());
}

const idIn = (message: Message): Id | null => {
  if (message.kind === 'silent') return null;
  return message.kind === 'request' ? message.request.id : message.id;
};

const hasSucceeded = ({ toolCalls = [] }: RequestContext): boolean =>
  toolCalls.some(({ status = 500 }) => status < 400);

interface Messages {
  readonly era: Era;
  readonly messages: readonly Message[];
  readonly isBatch: boolean;
}

function readBody(body: JsonBody, headers: IncomingHttpHeaders): Messages {
  const value = body.kind === 'json' ? body.value : undefined;
  const era = eraOf(value, headers);
  const single = (message: Message): Messages => ({ era, messages: [message], isBatch: false });
  const refuse = (code: number, message: string) => single(invalid(null, code, message));
  if (body.kind === 'malformed') return refuse(codes.parse, `The request body ${body.message}.`);
  if (body.kind === 'none') return refuse(codes.request, 'The request body must be a JSON-RPC message.');
  if (era === 'modern') return single(readModern(value, headers));
  const version = headers['mcp-protocol-version'] ?? versionWithoutHeader;
  if (!isSupported(version))
    return single(invalid(idOf(value), codes.server, 'The version in MCP-Protocol-Version is not supported.'));
  if (!Array.isArray(value)) return single(readMessage(value));
  if (version !== versionWithoutHeader)
    return refuse(codes.request, `Only version ${versionWithoutHeader} has batches.`);
  if (value.length === 0 || value.length > batchMessagesMax)
    return refuse(codes.request, `A batch has 1 to ${batchMessagesMax} messages.`);
  return { era, messages: value.map(readMessage), isBatch: true };
}
