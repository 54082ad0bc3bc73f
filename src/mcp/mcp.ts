import type { Request as HttpRequest, Response as HttpResponse, RequestHandler } from 'express';
import { authenticateRequest } from '../auth/authenticate-request.ts';
import type { Environment } from '../domain/environment.ts';
import { refusal } from '../domain/errors.ts';
import { requestTimeAt } from '../domain/request-time.ts';
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
import { codes, failure, invalid, type Message, readMessage } from './json-rpc.ts';
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
    try {
      await handle(endpoint, context, request, response);
    } catch (error) {
      const refused = toRefusal(error, deps.log, context.requestId);
      if (!response.headersSent) send(response, refused.status, refused.headers, rpcError(refused));
    }
  };
}

async function handle(
  endpoint: Endpoint,
  context: RequestContext,
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
  const { messages, isBatch } = readMessages(body, request.headers['mcp-protocol-version']);
  // Notifications are free.
  const answered = messages.filter(({ kind }) => kind !== 'silent');
  if (answered.length === 0) return send(response, 202, {}, undefined);
  await consumeRequests(requestLimit, caller, answered.length, response);

  const respond = async (message: Message, sent: () => Promise<unknown>) => {
    if (message.kind === 'silent') return '';
    if (message.kind === 'invalid') return failure(message.id, message.error);
    return endpoint.protocol.answer(message.request, {
      ctx: { ...services, ...time, actor: caller, answered: sent },
      requestContext: context,
      simulation,
      toRefusal: (error) => toRefusal(error, log, context.requestId),
    });
  };
  const isDropped = () => isResponseDropped(simulation) && hasSucceeded(context);
  const [first] = messages;
  if (isBatch || !first) {
    const pieces = batchResponses(messages, respond);
    if (!isResponseDropped(simulation)) return sendPieces(response, 200, {}, pieces);
    let text = '';
    for await (const piece of pieces) text += piece;
    return isDropped() ? dropResponse(response) : sendText(response, 200, {}, text);
  }
  const text = await respond(first, () => closed(response));
  if (isDropped()) dropResponse(response);
  else if (typeof text === 'string') sendText(response, statusOf(first), {}, text);
  else await sendPieces(response, 200, {}, text());
}

/** 400 for a message that is no valid request; wrong params are 200. */
const statusOf = (message: Message): number =>
  message.kind === 'invalid' && message.error.code !== codes.params ? 400 : 200;

const hasSucceeded = ({ toolCalls = [] }: RequestContext): boolean =>
  toolCalls.some(({ status = 500 }) => status < 400);

function readMessages(
  body: JsonBody,
  versionHeader: string | string[] | undefined,
): { messages: Message[]; isBatch: boolean } {
  const refuse = (code: number, message: string) => ({ messages: [invalid(null, code, message)], isBatch: false });
  if (body.kind === 'malformed') return refuse(codes.parse, `The request body ${body.message}.`);
  if (body.kind === 'none') return refuse(codes.request, 'The request body must be a JSON-RPC message.');
  const version = versionHeader ?? versionWithoutHeader;
  if (!isSupported(version)) return refuse(codes.server, 'The version in MCP-Protocol-Version is not supported.');
  if (!Array.isArray(body.value)) return { messages: [readMessage(body.value)], isBatch: false };
  if (version !== versionWithoutHeader)
    return refuse(codes.request, `Only version ${versionWithoutHeader} has batches.`);
  if (body.value.length === 0 || body.value.length > batchMessagesMax)
    return refuse(codes.request, `A batch has 1 to ${batchMessagesMax} messages.`);
  return { messages: body.value.map(readMessage), isBatch: true };
}
