import type { Request as HttpRequest, Response as HttpResponse, RequestHandler } from 'express';
import { authenticateRequest } from '../auth/authenticate-request.ts';
import type { ApiContext, Services } from '../context.ts';
import type { JsonPieces } from '../domain/cached-json.ts';
import type { Environment } from '../domain/environment.ts';
import { refusal } from '../domain/errors.ts';
import { type RequestTime, requestTimeAt } from '../domain/request-time.ts';
import { closed, send, sendPieces, sendText, toRefusal } from '../server/answer.ts';
import { clientInfoOf } from '../server/client-info.ts';
import { consumeRequests } from '../server/consume-requests.ts';
import type { AdapterDeps } from '../server/deps.ts';
import { rpcError } from '../server/error-body.ts';
import { type JsonBody, readJsonBody } from '../server/json-body.ts';
import { assignSlot } from '../server/load-shedding.ts';
import { type RequestContext, requestContextOf } from '../server/request-context.ts';
import { dropResponse, isResponseDropped, simulationIn } from '../server/simulate.ts';
import { batchAnswers, batchMessagesMax } from './batch.ts';
import { codes, failure, type Message, type Response, readMessage } from './json-rpc.ts';
import { originCheck } from './origin-check.ts';
import { type Call, Protocol } from './protocol.ts';
import { textOf } from './tool-result.ts';
import { isSupported, versionWithoutHeader } from './versions.ts';

/** What the requests of one environment share. */
interface Endpoint extends AdapterDeps {
  readonly environment: Environment;
  readonly protocol: Protocol;
  readonly assertOwnSite: ReturnType<typeof originCheck>;
}

/**
 * MCP's Streamable HTTP of one environment: POST alone, JSON answers, no sessions. What the gate refuses is an HTTP status with a
 * JSON-RPC error; what an operation refuses is a tool result.
 */
export async function mcp(environment: Environment, deps: AdapterDeps): Promise<RequestHandler> {
  const protocol = new Protocol(environment);
  await protocol.open();
  const { services, listener } = deps;
  const assertOwnSite = originCheck({ publicUrl: services.publicUrl, loopback: listener.isLoopback });
  const endpoint: Endpoint = { ...deps, environment, protocol, assertOwnSite };
  return async (request, response) => {
    requestContextOf(response).protocol = 'mcp';
    const time = requestTimeAt(deps.clock(), deps.timeZone);
    try {
      await answer(endpoint, time, request, response);
    } catch (error) {
      const refused = toRefusal(error, deps.log, requestContextOf(response).requestId);
      if (!response.headersSent) send(response, refused.status, refused.headers, rpcError(refused));
    }
  };
}

async function answer(
  endpoint: Endpoint,
  time: RequestTime,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  const { auth, requestLimit, listener, environment, protocol, assertOwnSite } = endpoint;
  const context = requestContextOf(response);
  const simulation = simulationIn(request, response, environment);
  if (request.method !== 'POST')
    throw refusal(405, 'method', 'The MCP endpoint takes POST only.', {}, { Allow: 'POST' });
  assertOwnSite(request);
  const caller = await authenticateRequest(auth, clientInfoOf(request, environment, listener), time);
  context.caller = caller;
  assignSlot(response, caller);
  const consume = async (requests: number) => requests > 0 && consumeRequests(requestLimit, caller, requests, response);
  const body = await readJsonBody(request).catch(async (refused: unknown) => {
    await consume(1);
    throw refused;
  });
  const { messages, isBatch } = readMessages(body, request.headers['mcp-protocol-version']);
  // Every message that is answered counts one request of the company; notifications count none.
  await consume(messages.filter(({ kind }) => kind !== 'silent').length);
  const respond = async (message: Message, answered: () => Promise<unknown>): Promise<string | JsonPieces> => {
    if (message.kind !== 'request') return JSON.stringify(failureOf(message));
    const call = callOf(endpoint, { ...time, actor: caller, answered }, simulation, context);
    return json(await protocol.answer(message.request, call));
  };
  const isLost = () => isResponseDropped(simulation) && hasSucceeded(context);
  const [first] = messages;
  if (first === undefined || messages.every(({ kind }) => kind === 'silent')) send(response, 202, {}, undefined);
  else if (isBatch)
    await sendBatch(response, batchAnswers(messages, respond), isResponseDropped(simulation) ? isLost : undefined);
  else {
    const text = await respond(first, () => closed(response));
    if (isLost()) dropResponse(response);
    else if (typeof text === 'string') sendText(response, statusOf(first), {}, text);
    else await sendPieces(response, 200, {}, text());
  }
}

/** The answers to a batch; where they may be to be lost, sent only once all of them have been made. */
async function sendBatch(
  response: HttpResponse,
  pieces: AsyncGenerator<string>,
  isLost: (() => boolean) | undefined,
): Promise<void> {
  if (!isLost) return sendPieces(response, 200, {}, pieces);
  const made: string[] = [];
  for await (const piece of pieces) made.push(piece);
  if (isLost()) dropResponse(response);
  else sendText(response, 200, {}, made.join(''));
}

function json(response: Response): string | JsonPieces {
  const result = 'result' in response ? textOf(response.result) : undefined;
  if (result === undefined) return JSON.stringify(response);
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(response.id)},"result":`;
  if (typeof result === 'string') return `${head}${result}}`;
  return function* () {
    yield head;
    yield* result();
    yield '}';
  };
}

const failureOf = (message: Message): Response | undefined =>
  message.kind === 'invalid' ? failure(message.id, message.error) : undefined;

/** A single message that is no request at all is a bad HTTP request too; wrong params of one are not. */
const statusOf = (message: Message): number =>
  message.kind === 'invalid' && message.error.code !== codes.params ? 400 : 200;

/** Whether a tool call has done what it was to do. */
const hasSucceeded = ({ toolCalls = [] }: RequestContext): boolean =>
  toolCalls.some(({ status = 500 }) => status < 400);

function callOf(
  { services, log }: AdapterDeps,
  asked: Omit<ApiContext, keyof Services>,
  simulation: string | undefined,
  context: RequestContext,
): Call {
  return {
    ctx: { ...services, ...asked },
    simulation,
    refusalOf: (error) => toRefusal(error, log, context.requestId),
    onOperation: ({ operationId }) => {
      context.operationId = operationId;
      const call: NonNullable<RequestContext['toolCalls']>[number] = { operationId };
      context.toolCalls = [...(context.toolCalls ?? []), call];
      return (status) => {
        call.status = status;
      };
    },
  };
}

function readMessages(
  body: JsonBody,
  versionHeader: string | string[] | undefined,
): { messages: Message[]; isBatch: boolean } {
  const one = (code: number, message: string) => ({
    messages: [{ kind: 'invalid' as const, id: null, error: { code, message } }],
    isBatch: false,
  });
  if (body.kind === 'malformed') return one(codes.parse, `The request body ${body.message}.`);
  if (body.kind === 'none') return one(codes.request, 'The request body must be a JSON-RPC message.');
  const version = versionHeader ?? versionWithoutHeader;
  if (!isSupported(version)) return one(codes.server, 'The version in MCP-Protocol-Version is not supported.');
  if (!Array.isArray(body.value)) return { messages: [readMessage(body.value)], isBatch: false };
  if (version !== versionWithoutHeader)
    return one(codes.request, `Batches belong to version ${versionWithoutHeader} alone.`);
  if (body.value.length === 0 || body.value.length > batchMessagesMax)
    return one(codes.request, `A batch has 1 to ${batchMessagesMax} messages.`);
  return { messages: body.value.map(readMessage), isBatch: true };
}
