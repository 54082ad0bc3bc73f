import { type Tool, tools } from '../contract/tools.ts';
import type { Caller } from '../domain/actor.ts';
import { isObject, type Params } from './json-rpc.ts';

/** The tools that a credential may call. It cannot discover the others. */
export const permittedTools = ({ scopes }: Caller): Tool['tool'][] =>
  tools.filter(({ scope }) => scopes.has(scope)).map(({ tool }) => tool);

/** What is wrong with the params of tools/list or tools/call. */
export function paramsError(method: string, params: Params): string | undefined {
  if (method === 'tools/list' && params.cursor !== undefined)
    return 'tools/list has no pages: it returns all tools at once.';
  if (method !== 'tools/call') return undefined;
  if (typeof params.name !== 'string') return 'name must be a string, the name of a tool.';
  if (params.arguments !== undefined && !isObject(params.arguments)) return 'arguments must be an object.';
  return toolOf(params) ? undefined : 'There is no such tool; tools/list names the available ones.';
}

/** The tool that the params of a tools/call name. */
export const toolOf = ({ name }: Params): Tool | undefined => tools.find(({ tool }) => tool.name === name);
