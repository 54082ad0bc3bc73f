import type { Request as HttpRequest, Response as HttpResponse, RequestHandler } from 'express';
import type { Context, Services } from '../context.ts';
import type { Environment } from '../domain/environment.ts';
import { type ApiError, refusal } from '../domain/errors.ts';
import { type Moment, momentAt } from '../domain/moment.ts';
import type { JsonPieces } from '../domain/ready.ts';
import { identify } from '../gate/admit.ts';
import { closed, send, sendPieces, sendText, toRefusal } from '../http/answer.ts';
import { arrivalOf } from '../http/arrival.ts';
import { consumeRequests } from '../http/consume-requests.ts';
import type { Door } from '../http/door.ts';
import { type JsonBody, readJsonBody } from '../http/json-body.ts';
import { assignSlot } from '../http/load-shedding.ts';
import { isToBeLost, lose, simulationIn } from '../http/simulate.ts';
import { type Trace, traceOf } from '../http/stamp.ts';
import { batchAnswers, batchMessagesMax } from './batch.ts';
import { codes, failure, type Message, type Response, readMessage } from './json-rpc.ts';
import { ownSite } from './own-site.ts';
import { type Call, Protocol } from './protocol.ts';
import { textOf } from './tool-result.ts';
import { isSupported, versionWithoutHeader } from './versions.ts';

/** What the requests of one environment share. */
interface Endpoint extends Door {
  readonly environment: Environment;
  readonly protocol: Protocol;
  readonly assertOwnSite: ReturnType<typeof ownSite>;
}

/**
 * MCP's Streamable HTTP of one environment: POST alone, JSON answers, no sessions. What the gate refuses is an HTTP status with a
 * JSON-RPC error; what an operation refuses is a tool result.
 */
export async function mcp(environment: Environment, door: Door): Promise<RequestHandler> {
  const protocol = new Protocol(environment);
  await protocol.open();
  const { services, listener } = door;
  const assertOwnSite = ownSite({ publicUrl: services.publicUrl, loopback: listener.loopback });
  const endpoint: Endpoint = { ...door, environment, protocol, assertOwnSite };
  return async (request, response) => {
    traceOf(response).protocol = 'mcp';
    const moment = momentAt(door.clock(), door.timeZone);
    try {
      await answer(endpoint, moment, request, response);
    } catch (error) {
      const refused = toRefusal(error, door.log, traceOf(response).requestId);
      if (!response.headersSent) refuse(response, refused);
    }
  };
}

async function answer(endpoint: Endpoint, moment: Moment, request: HttpRequest, response: HttpResponse): Promise<void> {
  const { gate, listener, environment, protocol, assertOwnSite } = endpoint;
  const trace = traceOf(response);
  const simulation = simulationIn(request, trace, environment);
  if (request.method !== 'POST')
    throw refusal(405, 'method', 'The MCP endpoint takes POST only.', {}, { Allow: 'POST' });
  assertOwnSite(request);
  const caller = await identify(gate, arrivalOf(request, environment, listener), moment);
  trace.caller = caller;
  assignSlot(response, caller);
  const consume = async (requests: number) => requests > 0 && consumeRequests(gate, caller, requests, trace);
  const body = await readJsonBody(request).catch(async (refused: unknown) => {
    await consume(1);
    throw refused;
  });
  const { messages, isBatch } = readMessages(body, request.headers['mcp-protocol-version']);
  // Every message that is answered counts one request of the company; notifications count none.
  await consume(messages.filter(({ kind }) => kind !== 'silent').length);
  const respond = async (message: Message, answered: () => Promise<unknown>): Promise<string | JsonPieces> => {
    if (message.kind !== 'request') return JSON.stringify(failureOf(message));
    const call = callOf(endpoint, { ...moment, caller, answered }, simulation, trace);
    return json(await protocol.answer(message.request, call));
  };
  const isLost = () => isToBeLost(simulation) && hasSucceeded(trace);
  const [first] = messages;
  if (first === undefined || messages.every(({ kind }) => kind === 'silent')) send(response, 202, {}, undefined);
  else if (isBatch)
    await sendBatch(response, batchAnswers(messages, respond), isToBeLost(simulation) ? isLost : undefined);
  else {
    const text = await respond(first, () => closed(response));
    if (isLost()) lose(response);
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
  if (isLost()) lose(response);
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
const hasSucceeded = ({ toolCalls = [] }: Trace): boolean => toolCalls.some(({ status = 500 }) => status < 400);

function callOf(
  { services, log }: Door,
  asked: Omit<Context, keyof Services>,
  simulation: string | undefined,
  trace: Trace,
): Call {
  return {
    ctx: { ...services, ...asked },
    simulation,
    refusalOf: (error) => toRefusal(error, log, trace.requestId),
    onOperation: ({ operationId }) => {
      trace.operationId = operationId;
      const call: NonNullable<Trace['toolCalls']>[number] = { operationId };
      trace.toolCalls = [...(trace.toolCalls ?? []), call];
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

function refuse(response: HttpResponse, { status, message, details, headers }: ApiError): void {
  send(response, status, headers, failure(null, { code: codes.server, message, data: { status, ...details } }));
}
