import type { ApiContext } from '../context.ts';
import { operationOf } from '../contract/document.ts';
import type { Tool } from '../contract/tools.ts';
import type { JsonText, PlainReply, PlainRequest } from '../contract/types.ts';
import { dispatch } from '../dispatch.ts';
import type { Environment } from '../domain/environment.ts';
import { type ApiError, inWordsOf } from '../domain/errors.ts';
import { unknownNamesMax } from '../domain/field-rules.ts';
import { isJsonObject } from '../domain/json-object.ts';
import type { FieldError } from '../domain/message.ts';
import { parsedJson } from '../server/json-body.ts';
import type { LoggedCall, RequestContext } from '../server/request-context.ts';
import { toolNames, toolOf } from './find-tool.ts';
import { around, codes, orEmptyObject, type Params, RpcError } from './json-rpc.ts';

/** What is known of an MCP request besides its method and params. */
export interface Call {
  readonly ctx: Omit<ApiContext, 'about'>;
  readonly requestContext: RequestContext;
  /** The value of X-Simulate, unless the environment ignores it. */
  readonly simulation: string | undefined;
  readonly toRefusal: (error: unknown) => ApiError;
}

/**
 * Runs a tool and returns the members of its result as JSON. A refusal is a result with isError and REST's status and details. Throws an
 * RpcError if the params name no tool or `arguments` is no object.
 */
export async function callTool(params: Params, call: Call): Promise<JsonText> {
  const { ctx, requestContext, simulation, toRefusal } = call;
  // Several SDKs send null if there are no arguments.
  const given = orEmptyObject(params.arguments ?? {});
  const tool = toolOf(params, ctx.actor);
  if (!isJsonObject(given)) throw new RpcError(codes.params, 'arguments must be an object.');
  const { environment } = ctx.actor.tenant;
  const { operationId } = tool;
  const logged: LoggedCall = { operationId };
  requestContext.operationId = operationId;
  requestContext.toolCalls = [...(requestContext.toolCalls ?? []), logged];
  try {
    const wanted = given.view ? tool.summary : undefined;
    const reply = await dispatch({ ...ctx, about: logged, wanted }, plainRequestOf(tool, given, simulation));
    logged.status = reply.status;
    return succeeded(tool, environment, wanted ? summaryOf(reply, wanted) : reply);
  } catch (error) {
    const refused = inWordsOf(toolNames(tool), toRefusal(error));
    const { status, message, details } = refused;
    logged.status = status;
    logged.refused = refused;
    return resultOf(JSON.stringify({ environment, http_status: status, error: { status, message, details } }), true);
  }
}

type Sent = Record<'path' | 'query' | 'header' | 'body', [name: string, value: unknown][]>;

/**
 * Turns a tool call into a request. A null for an optional argument counts as absent, because strict clients must send every argument.
 * Passes on unknown arguments for validation to refuse: each of them if there are at most 20, otherwise only their number.
 */
function plainRequestOf(tool: Tool, given: Params, simulation: string | undefined): PlainRequest {
  const { operationId, arguments: places } = tool;
  const { required = [] } = tool.tool.inputSchema;
  const sent: Sent = { path: [], query: [], header: [], body: [] };
  const errors: FieldError[] = [];
  for (const [argument, place] of Object.entries(places)) {
    const value = Object.hasOwn(given, argument) ? given[argument] : undefined;
    if (value === undefined || (value === null && !required.includes(argument))) continue;
    if (place === 'view') {
      if (value !== 'summary') errors.push([argument, { text: 'must be summary; leave it out for whole items' }]);
      continue;
    }
    // A place such as `header:If-Match` contains the header's name. Otherwise, the argument's name is used.
    const [kind, name = argument] = place.split(':') as [keyof Sent, string?];
    sent[kind].push([name, value]);
  }
  const names = Object.keys(given);
  const unknownNames = names.length - Object.keys(places).filter((argument) => Object.hasOwn(given, argument)).length;
  if (unknownNames <= unknownNamesMax)
    for (const argument of names) if (!Object.hasOwn(places, argument)) sent.query.push([argument, given[argument]]);
  return {
    operationId,
    ...(unknownNames > unknownNamesMax ? { unknownNames } : {}),
    errors,
    path: Object.fromEntries(sent.path),
    query: Object.fromEntries(sent.query),
    header: Object.fromEntries(sent.header),
    simulation,
    body: parseObject(sent.body[0]?.[1]),
  };
}

/** Several clients send an object argument as JSON text. Other text is never parsed. */
function parseObject(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const parsed = parsedJson(value);
    return isJsonObject(parsed) ? parsed : value;
  } catch {
    return value;
  }
}

function succeeded(
  { operationId }: Tool,
  environment: Environment,
  { status, body, headers, pieces }: PlainReply,
): JsonText {
  if (pieces) {
    const before = `{"environment":"${environment}","http_status":${status},"response":`;
    return resultOf(around(before, pieces, '}'), false);
  }
  // The ETag of an operation that takes If-None-Match is only for HTTP caches.
  const etag = operationOf(operationId).takesIfNoneMatch ? undefined : headers?.ETag;
  const idempotency_key = headers?.['Idempotency-Key'];
  const members = JSON.stringify({ environment, http_status: status, etag, idempotency_key }).slice(0, -1);
  const response = body === undefined ? '' : `,"response":${linesOf(body)}`;
  return resultOf(`${members}${response}}`, false);
}

/** Returns a list whose items have only `fields`: enough to choose an item, which another call then reads whole. */
function summaryOf({ body, pieces, ...reply }: PlainReply, fields: readonly string[]): PlainReply {
  const { data, ...rest } = (pieces?.list ?? body) as { data: Iterable<Record<string, unknown>> };
  const summaries = Array.from(data, (item) => Object.fromEntries(fields.map((field) => [field, item[field]])));
  return { ...reply, body: { data: summaries, ...rest } };
}

/** JSON with a line end after each item of a list: clients that shorten a result cut it at a line end. */
function linesOf(body: unknown): string {
  if (!isJsonObject(body) || !Array.isArray(body.data)) return JSON.stringify(body);
  const { data, ...rest } = body;
  const others = JSON.stringify(rest).slice(1);
  const items = data.map((item) => JSON.stringify(item)).join(',\n');
  return `{"data":[${items}]${others === '}' ? '' : ','}${others}`;
}

/** A tool's result has the same members in both eras. `content` is the JSON text of `structuredContent`. */
function resultOf(structured: JsonText, isError: boolean): JsonText {
  if (typeof structured === 'string')
    return `"content":[{"type":"text","text":${JSON.stringify(structured)}}],"structuredContent":${structured},"isError":${isError}`;
  return {
    length: structured.length,
    *[Symbol.iterator]() {
      yield '"content":[{"type":"text","text":"';
      for (const piece of structured) yield JSON.stringify(piece).slice(1, -1);
      yield '"}],"structuredContent":';
      yield* structured;
      yield `,"isError":${isError}`;
    },
  };
}
