import type { Request } from 'express';
import type { Operation } from '../contract/document.ts';
import type { Match } from '../contract/match.ts';
import type { PlainRequest } from '../contract/types.ts';
import { jobNotFound, methodNotAllowed, refusal } from '../domain/errors.ts';
import type { JsonBody } from '../server/json-body.ts';

/**
 * Types the parameters of a request whose path and method have this match. `simulation` is the value of X-Simulate, unless the
 * environment ignores it. Throws 404 `path` or `job`, 405 `method`.
 */
export function plainRequest(
  found: Match,
  { url, headers }: Pick<Request, 'url' | 'headers'>,
  body: JsonBody,
  simulation: string | undefined,
): PlainRequest {
  if (found.kind === 'none') throw refusal(404, 'path', 'There is nothing at this path.');
  if (found.kind === 'method') throw methodNotAllowed(found.allow.join(', '));
  const { operation, pathValues } = found;
  return {
    operationId: operation.operationId,
    path: Object.fromEntries(Object.entries(pathValues).map(([name, segment]) => [name, idOf(segment)])),
    query: queryOf(operation, url),
    header: headersOf(operation, { ...headers, 'x-simulate': simulation }),
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

function queryOf({ parameters }: Operation, url: string): Record<string, unknown> {
  const sent = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '')) {
    const values = sent.get(name);
    if (values) values.push(value);
    else sent.set(name, [value]);
  }
  const integers = parameters.filter((one) => one.in === 'query' && one.schema.type === 'integer');
  const typed = [...sent].map(([name, [value = '', ...more]]): [string, unknown] => {
    if (more.length > 0) return [name, [value, ...more]];
    return [name, integers.some((one) => one.name === name) ? integerOf(value) : value];
  });
  return Object.fromEntries(typed);
}

/** A number in plain digits; other text is left for validation to refuse. */
const integerOf = (text: string): number | string => (/^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : text);

const headersOf = ({ parameters }: Operation, headers: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    parameters.flatMap(({ in: place, name }) => {
      const value = place === 'header' ? headers[name.toLowerCase()] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
