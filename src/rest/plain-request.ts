import type { Operation } from '../contract/document.ts';
import { match } from '../contract/match.ts';
import type { PlainRequest } from '../contract/types.ts';
import { jobNotFound, refusal } from '../domain/errors.ts';
import type { JsonBody } from '../server/json-body.ts';

interface Incoming {
  readonly method: string;
  /** Below the base path, without the query. */
  readonly path: string;
  readonly search: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The value of X-Simulate, unless the environment ignores it. */
  readonly simulation: string | undefined;
  readonly body: JsonBody;
}

/** Finds the operation of a REST request and types its parameters. Throws 404 `path` or `job`, 405 `method`. */
export function plainRequest({ method, path, search, headers, simulation, body }: Incoming): PlainRequest {
  const found = match(method.toLowerCase(), path);
  if (found.kind === 'none') throw refusal(404, 'path', 'There is nothing at this path.');
  if (found.kind === 'method')
    throw refusal(405, 'method', 'This path does not have that method.', {}, { Allow: found.allow.join(', ') });
  const { operation, pathValues } = found;
  return {
    operationId: operation.operationId,
    path: Object.fromEntries(Object.entries(pathValues).map(([name, segment]) => [name, idOf(segment)])),
    query: queryOf(operation, search),
    header: headersOf(operation, headers, simulation),
    ...(body.kind === 'json' ? { body: body.value } : {}),
    ...(body.kind === 'malformed' ? { bodyError: body.message } : {}),
  };
}

/** Only digits that a number holds exactly can be a job id. */
function idOf(segment: string): number {
  const id = /^[1-9]\d*$/.test(segment) ? Number(segment) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw jobNotFound();
  return id;
}

function queryOf({ parameters }: Operation, search: string): Record<string, unknown> {
  const sent = new URLSearchParams(search);
  const typed = [...new Set(sent.keys())].map((name): [string, unknown] => {
    const [value = '', ...more] = sent.getAll(name);
    const parameter = parameters.find((other) => other.in === 'query' && other.name === name);
    if (more.length > 0) return [name, [value, ...more]];
    return [name, parameter?.schema.type === 'integer' ? integerOf(value) : value];
  });
  return Object.fromEntries(typed);
}

/** A number in plain digits; other text is left for validation to refuse. */
const integerOf = (text: string): number | string => (/^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : text);

function headersOf(
  { parameters }: Operation,
  headers: Incoming['headers'],
  simulation: string | undefined,
): Record<string, unknown> {
  const named = parameters.filter((parameter) => parameter.in === 'header');
  return Object.fromEntries(
    named.flatMap(({ name }) => {
      const value = name === 'X-Simulate' ? simulation : headers[name.toLowerCase()];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
