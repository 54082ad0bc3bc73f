import { type Tool, tools } from '../contract/tools.ts';
import type { Caller } from '../domain/actor.ts';
import { nearest } from '../domain/nearest.ts';
import { isObject, type Params } from './json-rpc.ts';

/** The tools that a credential may call. It cannot discover the others. */
export const permittedTools = ({ scopes }: Caller): Tool['tool'][] =>
  tools.filter(({ scope }) => scopes.has(scope)).map(({ tool }) => tool);

/** What is wrong with the params of tools/list or tools/call. */
export function paramsError(method: string, params: Params, caller: Caller): string | undefined {
  if (method === 'tools/list' && params.cursor !== undefined)
    return 'tools/list has no pages: it returns all tools at once.';
  if (method !== 'tools/call') return undefined;
  if (typeof params.name !== 'string') return 'name must be a string, the name of a tool.';
  if (params.arguments !== undefined && !isObject(params.arguments)) return 'arguments must be an object.';
  if (toolOf(params)) return undefined;
  const [meant] = nearest(
    params.name,
    permittedTools(caller).map(({ name }) => name),
  );
  const hint = meant === undefined ? '' : `did you mean ${meant}? `;
  return `There is no such tool; ${hint}tools/list names the available ones.`;
}

/** The tool that the params of a tools/call name. */
export const toolOf = ({ name }: Params): Tool | undefined => tools.find(({ tool }) => tool.name === name);
