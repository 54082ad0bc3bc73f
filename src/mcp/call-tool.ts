import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ApiContext } from '../context.ts';
import type { Tool } from '../contract/tools.ts';
import type { PlainRequest } from '../contract/types.ts';
import { dispatch } from '../dispatch.ts';
import type { ApiError } from '../domain/errors.ts';
import { refuseSimulated } from '../server/simulate.ts';
import { isObject } from './json-rpc.ts';
import { refused, succeeded } from './tool-result.ts';
import { argumentNamesOf, inToolWords } from './tool-words.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** What a call brings besides the tool and its arguments. */
export interface CallSetting {
  readonly ctx: ApiContext;
  readonly refusalOf: (error: unknown) => ApiError;
  /** X-Simulate of the HTTP request, where the environment simulates failures. */
  readonly simulation: string | undefined;
}

/**
 * Runs a tool as the request that it stands for. Refusals are results with isError, with the status and details of REST in the words of
 * the tool.
 */
export async function callTool(
  { ctx, refusalOf, simulation }: CallSetting,
  tool: Tool,
  given: Arguments,
): Promise<CallToolResult> {
  const { environment } = ctx.actor.tenant;
  try {
    refuseSimulated(simulation);
    const reply = await dispatch(ctx, plainRequest(tool, given, simulation));
    return succeeded(environment, reply);
  } catch (error) {
    return refused(environment, inToolWords(tool, refusalOf(error)));
  }
}

/** Each argument goes where the contract has it; one that the tool lacks is left for the contract to refuse by name. */
function plainRequest(tool: Tool, given: Arguments, simulation: string | undefined): PlainRequest {
  const { operationId, arguments: routes } = tool;
  const path: [string, unknown][] = [];
  const query: [string, unknown][] = [];
  const header: [string, unknown][] = simulation === undefined ? [] : [['X-Simulate', simulation]];
  let body: unknown;
  for (const [name, value] of Object.entries(given)) {
    const route = Object.hasOwn(routes, name) ? (routes[name] as string) : 'query';
    if (route === 'body') body = fromText(value);
    else if (route === 'path') path.push([name, value]);
    else if (route === 'query') query.push([name, value]);
    else header.push([route.replace(/^header:/, ''), value]);
  }
  const parameters = {
    path: Object.fromEntries(path),
    query: Object.fromEntries(query),
    header: Object.fromEntries(header),
  };
  return { operationId, ...parameters, body, names: argumentNamesOf(tool) };
}

/** Several clients send an object argument as its JSON text. Only an object is taken from text; scalars are never coerced. */
function fromText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : value;
  } catch {
    return value;
  }
}
