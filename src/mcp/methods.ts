import type { JsonText } from '../contract/types.ts';
import type { Era } from '../server/mcp-era.ts';
import { type Call, callTool } from './call-tool.ts';
import { permittedTools } from './find-tool.ts';
import { instructionsFor } from './instructions.ts';
import { codes, type Params, RpcError } from './json-rpc.ts';
import { capabilities, modernVersions } from './versions.ts';

/** An MCP method, without the envelope that each era puts around its result. */
interface Method {
  readonly eras: readonly Era[];
  /** Whether clients may cache the result for a while. */
  readonly isCacheable: boolean;
  /** Returns the members of the result as JSON. Throws an RpcError for params that it does not accept. */
  readonly answer: (params: Params, call: Call) => JsonText | Promise<JsonText>;
}

/** The methods that we answer. In the legacy era, the SDK answers `initialize` and `ping`. */
const methods = new Map<string, Method>([
  ['server/discover', { eras: ['modern'], isCacheable: true, answer: discover }],
  ['tools/list', { eras: ['legacy', 'modern'], isCacheable: true, answer: listTools }],
  ['tools/call', { eras: ['legacy', 'modern'], isCacheable: false, answer: callTool }],
]);

export function methodOf(era: Era, name: string): Method | undefined {
  const method = methods.get(name);
  return method?.eras.includes(era) ? method : undefined;
}

function discover(_params: Params, { ctx }: Call): string {
  const instructions = instructionsFor(ctx.actor.tenant.environment);
  return membersOf({ supportedVersions: modernVersions, capabilities, instructions });
}

function listTools({ cursor }: Params, { ctx }: Call): string {
  if (cursor !== undefined) throw new RpcError(codes.params, 'tools/list has no pages: it returns all tools at once.');
  return membersOf({ tools: permittedTools(ctx.actor) });
}

const membersOf = (result: object): string => JSON.stringify(result).slice(1, -1);
