import type { ApiContext } from '../context.ts';
import type { Tool } from '../contract/tools.ts';
import type { PlainReply, PlainRequest } from '../contract/types.ts';
import { dispatch } from '../dispatch.ts';
import type { CachedJson, JsonPieces } from '../domain/cached-json.ts';
import type { Environment } from '../domain/environment.ts';
import type { ApiError } from '../domain/errors.ts';
import type { LoggedCall, RequestContext } from '../server/request-context.ts';
import { refuseSimulated } from '../server/simulate.ts';
import { isObject, type Params } from './json-rpc.ts';
import { argumentNamesOf, inToolWords } from './tool-words.ts';
import { toolOf } from './tools.ts';

/** One MCP request, besides its method and params. */
export interface Call {
  readonly ctx: ApiContext;
  readonly requestContext: RequestContext;
  /** The value of X-Simulate, unless the environment ignores it. */
  readonly simulation: string | undefined;
  readonly toRefusal: (error: unknown) => ApiError;
}

/**
 * Runs the tool that the params of a tools/call name, after paramsError, and returns the members of its result as JSON. A refusal is a
 * result with isError, with REST's status and details in the tool's terms.
 */
export async function callTool(params: Params, call: Call): Promise<string | JsonPieces> {
  const tool = toolOf(params);
  if (!tool) throw new Error('paramsError has not refused an unknown tool');
  const { ctx, requestContext, simulation, toRefusal } = call;
  const { environment } = ctx.actor.tenant;
  const { operationId } = tool;
  const logged: LoggedCall = { operationId };
  requestContext.operationId = operationId;
  requestContext.toolCalls = [...(requestContext.toolCalls ?? []), logged];
  try {
    refuseSimulated(simulation);
    const reply = await dispatch(ctx, plainRequestOf(tool, (params.arguments ?? {}) as Params, simulation));
    logged.status = reply.status;
    return succeeded(environment, reply);
  } catch (error) {
    const refused = inToolWords(tool, toRefusal(error));
    logged.status = refused.status;
    logged.reason = refused.code;
    return failed(environment, refused);
  }
}

/** The request that a tool call stands for. Arguments that the tool lacks stay, so that validation refuses them by name. */
export function plainRequestOf(tool: Tool, given: Params, simulation: string | undefined): PlainRequest {
  const { operationId, arguments: places } = tool;
  const path: [string, unknown][] = [];
  const query: [string, unknown][] = [];
  const header: [string, unknown][] = simulation === undefined ? [] : [['X-Simulate', simulation]];
  let body: unknown;
  for (const [name, value] of Object.entries(given)) {
    const place = Object.hasOwn(places, name) ? (places[name] as string) : 'query';
    if (place === 'body') body = parseObject(value);
    else if (place === 'path') path.push([name, value]);
    else if (place === 'query') query.push([name, value]);
    else header.push([place.replace(/^header:/, ''), value]);
  }
  const parameters = {
    path: Object.fromEntries(path),
    query: Object.fromEntries(query),
    header: Object.fromEntries(header),
  };
  return { operationId, ...parameters, body, names: argumentNamesOf(tool) };
}

/** Several clients send an object argument as JSON text. Other text is never parsed. */
function parseObject(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : value;
  } catch {
    return value;
  }
}

/** The members of results that many calls share. */
const cachedResults: Readonly<Record<Environment, WeakMap<CachedJson<unknown>, string>>> = {
  sandbox: new WeakMap(),
  production: new WeakMap(),
};

function succeeded(environment: Environment, reply: PlainReply): string | JsonPieces {
  const { status, body, headers, cached, pieces } = reply;
  if (pieces) return resultInPieces(environment, status, pieces);
  const known = cached && cachedResults[environment].get(cached);
  if (known) return known;
  // The ETag of a cached list serves only HTTP's caches.
  const etag = cached || headers?.ETag === undefined ? {} : { etag: headers.ETag };
  const result = resultOf({ environment, http_status: status, ...etag, response: body }, false);
  if (cached) cachedResults[environment].set(cached, result);
  return result;
}

const failed = (environment: Environment, { status, message, details }: ApiError): string =>
  resultOf({ environment, http_status: status, error: { status, message, details } }, true);

/** `content` is the JSON text of `structuredContent`. Both eras have these members. */
function resultOf(structuredContent: object, isError: boolean): string {
  const json = JSON.stringify(structuredContent);
  const content = `[{"type":"text","text":${JSON.stringify(json)}}]`;
  return `"content":${content},"structuredContent":${json},"isError":${isError}`;
}

/** The same for a large response, made twice piece by piece. */
function resultInPieces(environment: Environment, status: number, response: JsonPieces): JsonPieces {
  function* structured(): Generator<string> {
    yield `{"environment":"${environment}","http_status":${status},"response":`;
    yield* response();
    yield '}';
  }
  return function* () {
    yield '"content":[{"type":"text","text":"';
    for (const piece of structured()) yield JSON.stringify(piece).slice(1, -1);
    yield '"}],"structuredContent":';
    yield* structured();
    yield ',"isError":false';
  };
}
