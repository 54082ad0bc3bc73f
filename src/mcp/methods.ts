import type { JsonText } from '../contract/types.ts';
import { type Call, callTool } from './call-tool.ts';
import { permittedTools } from './find-tool.ts';
import { instructionsFor } from './instructions.ts';
import { codes, type Params, RpcError } from './json-rpc.ts';
import { capabilities, modernVersions } from './versions.ts';

/**
 * Answers a request with the members of its result as JSON. Each era puts its own envelope around these members. Throws an RpcError for
 * params that the method does not accept.
 */
export type Answer = (params: Params, call: Call) => JsonText | Promise<JsonText>;

interface Method {
  /** Whether clients may cache the result for a while. */
  readonly isCacheable: boolean;
  readonly answer: Answer;
}

/** The methods of the modern era. */
export const modernMethods: ReadonlyMap<string, Method> = new Map([
  ['server/discover', { isCacheable: true, answer: discover }],
  ['tools/list', { isCacheable: true, answer: listTools }],
  ['tools/call', { isCacheable: false, answer: callTool }],
]);

function discover(_params: Params, { ctx }: Call): string {
  const instructions = instructionsFor(ctx.actor);
  return membersOf({ supportedVersions: modernVersions, capabilities, instructions });
}

export function listTools({ cursor }: Params, { ctx }: Call): string {
  // Some clients send null for the first page.
  if (cursor !== undefined && cursor !== null)
    throw new RpcError(codes.params, 'tools/list has no pages: it returns all tools at once.');
  return membersOf({ tools: permittedTools(ctx.actor) });
}

const membersOf = (result: object): string => JSON.stringify(result).slice(1, -1);
