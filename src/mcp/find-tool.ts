import { operationOf, wholeBody, wholeQuery } from '../contract/document.ts';
import { type Tool, tools } from '../contract/tools.ts';
import type { OperationId } from '../contract/types.ts';
import { type Caller, hasScope } from '../domain/actor.ts';
import type { NameOf } from '../domain/message.ts';
import { nearest } from '../domain/nearest.ts';
import { type AnsweredMessage, codes, type Params, RpcError } from './json-rpc.ts';

/** The tools that a credential may call. It cannot see any other tool. */
export const permittedTools = (actor: Caller): Tool['tool'][] =>
  tools.filter(({ scope }) => hasScope(actor, scope)).map(({ tool }) => tool);

/** The tool that the params of a tools/call name. Throws an RpcError if there is none. */
export function toolOf({ name }: Params, caller: Caller): Tool {
  if (typeof name !== 'string') throw new RpcError(codes.params, 'name must be a string, the name of a tool.');
  const found = tools.find(({ tool }) => tool.name === name);
  if (found) return found;
  const permitted = permittedTools(caller).map((tool) => tool.name);
  const [meant] = nearest(inOurWords(name.slice(0, 100)), permitted);
  const hint = meant === undefined ? '' : `did you mean ${meant}? `;
  throw new RpcError(codes.params, `There is no such tool; ${hint}tools/list names the available ones.`);
}

/** The operation behind the tool that a message calls. Undefined for an unknown tool. */
export const operationIn = (message: AnsweredMessage): OperationId | undefined =>
  message.kind === 'request' && message.method === 'tools/call'
    ? tools.find(({ tool }) => tool.name === message.params.name)?.operationId
    : undefined;

/** Maps words that other interfaces use to our words for the same thing. */
const ourWords = new Map(
  Object.entries({
    create: ['add', 'post', 'publish'],
    region: ['district'],
    regions: ['districts'],
    update: ['change', 'edit', 'modify', 'patch'],
    withdraw: ['cancel', 'close', 'delete', 'remove', 'unpublish'],
  }).flatMap(([ours, others]) => others.map((other) => [other, ours])),
);

const inOurWords = (name: string): string =>
  name.replace(/[A-Z]?[a-z]+/g, (word) => ourWords.get(word.toLowerCase()) ?? word);

/** Maps the contract's names to the words of MCP callers: `GET /categories` to list_categories, If-Match to if_match. */
const names = new Map<string, string>([
  [wholeQuery, 'arguments'],
  ...tools.flatMap(({ operationId, tool, arguments: places }): [string, string][] => {
    const { method, path } = operationOf(operationId);
    const renamed = Object.entries(places).flatMap(([argument, place]): [string, string][] =>
      place.startsWith('header:') ? [[place.replace(/^header:/, ''), argument]] : [],
    );
    return [[`${method.toUpperCase()} ${path}`, tool.name], ...renamed];
  }),
]);

/** Returns a function that turns a name of the contract into the word that the tool's callers know for it. */
export const toolNames =
  ({ arguments: places }: Tool): NameOf =>
  (name) =>
    name === wholeBody
      ? (Object.keys(places).find((argument) => places[argument] === 'body') ?? name)
      : (names.get(name) ?? name);
