import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  InitializeRequestSchema,
  type JSONRPCMessage,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { JsonPieces } from '../domain/cached-json.ts';
import type { Environment } from '../domain/environment.ts';
import { type Call, callTool } from './call-tool.ts';
import { instructionsFor } from './instructions.ts';
import { codes, failure, isObject, type Params, type Request, RpcError, response } from './json-rpc.ts';
import { paramsError, permittedTools } from './tools.ts';
import { capabilities, legacyVersions, serverInfo } from './versions.ts';

/** A request as it was sent, with its caller. */
interface Running {
  readonly params: Params;
  readonly call: Call;
  readonly resolve: (response: JSONRPCMessage) => void;
}

/**
 * The SDK's server of one environment, shared by all clients: it keeps nothing between two messages. Requests get ids of our own, so that
 * those of two clients never meet; notifications do not reach it, so that no client cancels another's call.
 */
export class LegacyServer {
  readonly #server = new Server(serverInfo, { capabilities });
  readonly #running = new Map<number, Running>();
  readonly #transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (message) => {
      if ('id' in message && !('method' in message)) this.#running.get(Number(message.id))?.resolve(message);
    },
  };
  #lastId = 0;

  constructor(environment: Environment) {
    this.#server.setRequestHandler(InitializeRequestSchema, ({ params: { protocolVersion } }) => ({
      protocolVersion: legacyVersions.find((known) => known === protocolVersion) ?? legacyVersions[0],
      capabilities,
      serverInfo,
      instructions: instructionsFor(environment),
    }));
    // A read-only credential does not see the tools that write.
    this.#server.setRequestHandler(ListToolsRequestSchema, (_, { requestId }) => {
      return { tools: permittedTools(this.#runningRequest(requestId).call.ctx.actor) as never[] };
    });
    // Not by the schema of tools/call, which parses params and result three times. The SDK's copy of the params would lack a __proto__.
    this.#server.fallbackRequestHandler = async ({ method }, { requestId }) => {
      if (method !== 'tools/call') throw new RpcError(codes.method, 'Method not found');
      const { params, call } = this.#runningRequest(requestId);
      return { members: await callTool(params, call) };
    };
    // Sets the transport's handlers before it first waits.
    void this.#server.connect(this.#transport);
  }

  /** Answers one request with the JSON of its response. */
  async answer({ id, method, params }: Request, call: Call): Promise<string | JsonPieces> {
    const error = method === 'initialize' ? initializeError(params) : paramsError(method, params, call.ctx.actor);
    if (error) return failure(id, { code: codes.params, message: error });
    const sent = await this.#ask(method, params, call);
    if ('error' in sent) return failure(id, sent.error);
    if (!('result' in sent)) throw new Error('the SDK sent no response');
    const { members } = sent.result;
    if (members !== undefined) return response(id, members as string | JsonPieces);
    return response(id, JSON.stringify(sent.result).slice(1, -1));
  }

  #ask(method: string, params: Params, call: Call): Promise<JSONRPCMessage> {
    const id = ++this.#lastId;
    return new Promise<JSONRPCMessage>((resolve) => {
      this.#running.set(id, { params, call, resolve });
      this.#transport.onmessage?.({ jsonrpc: '2.0', id, method, params: sdkParams(method, params) });
    }).finally(() => this.#running.delete(id));
  }

  #runningRequest(id: string | number): Running {
    const running = this.#running.get(Number(id));
    if (!running) throw new Error(`no request ${id} is running`);
    return running;
  }
}

/** What is wrong with the params of initialize. The SDK would answer with the text of its schema library. */
function initializeError({ protocolVersion, capabilities: theirs, clientInfo }: Params): string | undefined {
  if (typeof protocolVersion !== 'string') return 'protocolVersion must be a string.';
  if (!isObject(theirs)) return 'capabilities must be an object.';
  if (!isObject(clientInfo) || typeof clientInfo.name !== 'string' || typeof clientInfo.version !== 'string')
    return 'clientInfo must be an object with the strings name and version.';
  return undefined;
}

/** Only what the SDK's server reads: of `_meta` (progress, tasks) nothing is offered. */
function sdkParams(method: string, { protocolVersion, clientInfo }: Params): Record<string, unknown> {
  if (method !== 'initialize' || !isObject(clientInfo)) return {};
  const { name, version } = clientInfo;
  return { protocolVersion, capabilities: {}, clientInfo: { name, version } };
}
