import { text as whole } from 'node:stream/consumers';
import type { Request as HttpRequest, Response as HttpResponse, RequestHandler } from 'express';
import type { JsonText } from '../contract/types.ts';
import type { Environment } from '../domain/environment.ts';
import { type ApiError, methodNotAllowed } from '../domain/errors.ts';
import {
  type Admitted,
  admitRequest,
  isResponseDropped,
  refuseSimulated,
  simulationIn,
  type WorkContext,
} from '../server/admit-request.ts';
import { sendPieces, sendText, toRefusal } from '../server/answer.ts';
import type { AdapterDeps } from '../server/deps.ts';
import { rpcRefusal } from '../server/error-body.ts';
import { type JsonBody, readJsonBody } from '../server/json-body.ts';
import { type Era, eraOfHeader } from '../server/mcp-era.ts';
import {
  type Lifetime,
  type LoggedCall,
  type RequestContext,
  requestContextOf,
  traceparentOf,
} from '../server/request-context.ts';
import { batchResponses } from './batch.ts';
import { operationIn } from './find-tool.ts';
import { type AnsweredMessage, failure, RpcError } from './json-rpc.ts';
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

/** One HTTP request. */
interface Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly context: RequestContext;
  /** Reads the body on the first call. */
  readonly body: () => Promise<JsonBody>;
}

/**
 * MCP's Streamable HTTP for one environment: only POST, JSON responses, no sessions. A refusal before dispatch is an HTTP status with a
 * JSON-RPC error; a refusal by dispatch or an operation is a tool result.
 */
export function mcp(environment: Environment, deps: AdapterDeps): RequestHandler {
  const checkOrigin = originCheck(deps.services.publicUrl, deps.listener.isLoopback);
  const endpoint: Endpoint = { ...deps, environment, checkOrigin, legacy: new LegacyServer() };
  return async (request, response) => {
    const context = requestContextOf(response);
    let reading: Promise<JsonBody> | undefined;
    const exchange: Exchange = {
      ...{ request, response, context },
      body: () => (reading ??= readJsonBody(request)),
    };
    try {
      await handle(endpoint, exchange);
    } catch (error) {
      const refused = toRefusal(error, deps.log, context.requestId);
      context.refused = refused;
      await sendRefusal(endpoint, exchange, refused);
    }
  };
}

/** Refusals for which the body is not read: the caller is not known yet. */
const early = new Set<string>(['https', 'address']);

/**
 * Answers every message with its id, even if the credential is refused: after a JSON-RPC error without the id, clients wait until their
 * timeout. If no message with an id can be read, the refusal is plain text: after plain text, clients do not wait.
 */
async function sendRefusal(
  { services: { requestsPerMinute } }: Endpoint,
  { request, response, body }: Exchange,
  refused: ApiError,
): Promise<void> {
  const { status, headers, message, code } = refused;
  const isPost = request.method === 'POST';
  const read =
    isPost && !early.has(code)
      ? await body().then((read) => readMessages(read, request.headers, requestsPerMinute), noMessages)
      : undefined;
  if (response.headersSent) return;
  const { era = eraOfHeader(request.headers), messages = [], isBatch = false } = read ?? {};
  const ids = messages.flatMap((one) => (one.kind === 'silent' || one.id === null ? [] : [one.id]));
  if (isPost && ids.length === 0) {
    response.status(status).set(headers).type('text/plain').end(message);
    return;
  }
  const errors = ids.map((id) => rpcRefusal(era, id, refused));
  const [first = rpcRefusal(era, null, refused)] = errors;
  await sendText(response, { status, headers, text: isBatch ? `[${errors.join(',')}]` : first });
}

const noMessages = () => undefined;

async function handle(endpoint: Endpoint, exchange: Exchange): Promise<void> {
  const { request, response, context } = exchange;
  const simulation = simulationIn(request, response, endpoint.environment);
  if (request.method !== 'POST') throw methodNotAllowed('POST');
  const admitted = await admitRequest(endpoint, endpoint.environment, request, response, endpoint.checkOrigin);
  const body = await exchange.body();
  const { era, messages, isBatch } = readMessages(body, request.headers, endpoint.services.requestsPerMinute);
  const answered = messages.filter((message) => message.kind !== 'silent');
  const [first] = answered;
  if (body.kind === 'json') context.traceparent = traceparentOf(metaOf(body.value).traceparent) ?? context.traceparent;
  if (!first) return sendText(response, { status: 202 });
  if (messages.length > 1) await admitted.count(messages.length - 1);
  context.askedOperationId = answered.map(operationIn).find((asked) => asked !== undefined);
  // Only of calls, so that a client that sends the header with every request can connect.
  if (context.askedOperationId !== undefined) refuseSimulated(simulation);

  const respond = responder(endpoint, context, admitted, { era, isBatch, simulation });
  const batch = isBatch ? batchResponses(answered, respond, context.lifetime) : undefined;
  const mayBeDropped = isResponseDropped(simulation);
  if (batch && !mayBeDropped) return sendPieces(response.status(200).type('json'), batch);
  const text = await (batch ? whole(batch) : respond(first, context.lifetime));
  const status = batch || first.kind === 'request' ? 200 : first.status;
  if (mayBeDropped && hasSucceeded(context)) response.destroy();
  else await sendText(response, { status, text });
}

interface Sent {
  readonly era: Era;
  readonly isBatch: boolean;
  readonly simulation: string | undefined;
}

/**
 * Returns a function that responds to one message. If the message cannot be run, for example because its company has no place left, the
 * function throws; for a message of a batch, it returns an error response instead.
 */
function responder(
  { log, legacy }: Endpoint,
  context: RequestContext,
  { work }: Admitted,
  { era, isBatch, simulation }: Sent,
): (message: AnsweredMessage, lifetime: Lifetime) => Promise<JsonText> {
  const refusalOf = (error: unknown): ApiError => toRefusal(error, log, context.requestId);
  const answer = async (message: AnsweredMessage, ctx: WorkContext): Promise<JsonText> => {
    const call = { ctx, requestContext: context, simulation, toRefusal: refusalOf };
    try {
      if (message.kind === 'invalid') throw new RpcError(message.error.code, message.error.message, message.error.data);
      return await (era === 'modern' ? answerModern(message, call) : legacy.answer(message, call));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      logCall(context, { operationId: null, status: 400, refused: { code: 'mcp_message' } });
      return failure(message.id, error, era);
    }
  };
  return async (message, lifetime) => {
    const operationId = operationIn(message);
    const { toolCalls } = context;
    const make = async (ctx: WorkContext) => {
      // Reset, because `make` runs again if UnreadAnswers had no room for its first answer.
      context.toolCalls = toolCalls;
      return { text: await answer(message, ctx) };
    };
    try {
      return (await work(operationId, make, lifetime)).text;
    } catch (error) {
      // A message is logged once: as refused, not as answered, if its answer got no room.
      context.toolCalls = toolCalls;
      if (!isBatch) throw error;
      const refused = refusalOf(error);
      logCall(context, { operationId: operationId ?? null, status: refused.status, refused });
      return rpcRefusal(era, message.id, refused);
    }
  };
}

function logCall(context: RequestContext, call: LoggedCall): void {
  context.toolCalls = [...(context.toolCalls ?? []), call];
}

const hasSucceeded = ({ toolCalls = [] }: RequestContext): boolean =>
  toolCalls.some(({ status = 500 }) => status < 400);
