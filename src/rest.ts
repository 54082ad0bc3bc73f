import type { Request, RequestHandler } from 'express';
import { type Match, match, type Operation, operationOf, type Parameter } from './contract/document.ts';
import type { PlainRequest } from './contract/types.ts';
import { dispatch } from './dispatch.ts';
import type { Environment } from './domain/environment.ts';
import { methodNotAllowed, notFound } from './domain/errors.ts';
import { admitRequest, isResponseDropped, refuseSimulated, simulationIn } from './server/admit-request.ts';
import { sendText } from './server/answer.ts';
import type { AdapterDeps } from './server/deps.ts';
import { type JsonBody, readJsonBody } from './server/json-body.ts';
import { hasCurrent } from './server/none-match.ts';
import { requestContextOf } from './server/request-context.ts';

/** REST for one environment. Mount it at its base path. */
export const rest =
  (environment: Environment, deps: AdapterDeps): RequestHandler =>
  async (request, response) => {
    const context = requestContextOf(response);
    const found = match(request.method === 'HEAD' ? 'get' : request.method.toLowerCase(), request.path);
    if (found.kind === 'operation') context.askedOperationId = found.operation.operationId;
    const simulation = simulationIn(request, response, environment);
    const { work } = await admitRequest(deps, environment, request, response);
    refuseSimulated(simulation);
    const plain = plainRequest(found, request, await readJsonBody(request), simulation);
    context.operationId = plain.operationId;
    const { takesIfNoneMatch } = operationOf(plain.operationId);
    const made = await work(plain.operationId, async (ctx) => {
      const reply = await dispatch({ ...ctx, about: context }, plain);
      const { status, headers = {}, body, text, pieces } = reply;
      if (takesIfNoneMatch) response.set({ ...headers, 'Cache-Control': 'private, no-cache' });
      if (takesIfNoneMatch && hasCurrent(request, response)) return { status: 304, headers: {} };
      const isEmpty = status === 204 || body === undefined;
      return { status, headers, text: pieces ?? (isEmpty ? undefined : (text ?? JSON.stringify(body))) };
    });
    if (isResponseDropped(simulation)) response.destroy();
    else await sendText(response, made);
  };

/**
 * Converts the parameters of a matched request to their types. `simulation` is the value of X-Simulate, unless the environment ignores it.
 * Throws 404 for the path or what it names, and 405 `method`.
 */
function plainRequest(
  found: Match,
  { url, headers }: Pick<Request, 'url' | 'headers'>,
  body: JsonBody,
  simulation: string | undefined,
): PlainRequest {
  if (found.kind === 'none') throw notFound('path');
  if (found.kind === 'method') throw methodNotAllowed(found.allow.join(', '));
  const { operation, pathValues } = found;
  return {
    operationId: operation.operationId,
    path: Object.fromEntries(
      Object.entries(pathValues).map(([name, segment]) => [name, segmentOf(operation, name, segment)]),
    ),
    query: queryOf(operation, url),
    header: headersOf(operation, headers),
    simulation,
    ...(body.kind === 'json' ? { body: body.value } : {}),
    ...(body.kind === 'malformed' ? { bodyError: body.message } : {}),
  };
}

/** Converts a path segment to its parameter's type. For an integer, throws 404 if the text is not one, or if JSON would round it. */
function segmentOf({ pathParameters }: Operation, name: string, segment: string): unknown {
  const { schema, 'x-names': reason = 'path' } = pathParameters.find((one) => one.name === name) ?? {};
  const value = typed(schema, decoded(segment));
  if (schema?.type === 'integer' && !Number.isSafeInteger(value)) throw notFound(reason);
  return value;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw notFound('path');
  }
}

function queryOf({ parameters }: Operation, url: string): Record<string, unknown> {
  const sent = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '')) {
    const values = sent.get(name);
    if (values) values.push(value);
    else sent.set(name, [value]);
  }
  const values = [...sent].map(([name, [value = '', ...more]]): [string, unknown] => {
    const { schema } = parameters.find((one) => one.in === 'query' && one.name === name) ?? {};
    if (schema?.type === 'array') return [name, [value, ...more].map((one) => typed(schema.items, one))];
    return [name, more.length > 0 ? [value, ...more] : typed(schema, value)];
  });
  return Object.fromEntries(values);
}

const plainDigits: Readonly<Record<string, RegExp>> = {
  integer: /^(0|-?[1-9]\d*)$/,
  number: /^-?(0|[1-9]\d*)(\.\d+)?$/,
};

/** Converts plain digits, true and false to the type of the schema. Leaves other text for validation to refuse. */
function typed(schema: Parameter['schema'] | undefined, text: string): unknown {
  if (schema?.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return plainDigits[schema?.type ?? '']?.test(text) ? Number(text) : text;
}

const headersOf = ({ parameters }: Operation, headers: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    parameters.flatMap(({ in: place, name, schema }) => {
      const value = place === 'header' ? headers[name.toLowerCase()] : undefined;
      return value === undefined ? [] : [[name, typeof value === 'string' ? typed(schema, value) : value]];
    }),
  );
