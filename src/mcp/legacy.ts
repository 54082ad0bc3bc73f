import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, type JSONRPCMessage, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { JsonText } from '../contract/types.ts';
import { isJsonObject } from '../domain/json-object.ts';
import { type Call, callTool } from './call-tool.ts';
import { instructionsFor } from './instructions.ts';
import { codes, orEmptyObject, type Params, type Request, RpcError, response } from './json-rpc.ts';
import { type Answer, listTools } from './methods.ts';
import { capabilities, legacyVersions, serverInfo } from './versions.ts';

/** A request in progress at the SDK's server. */
interface Running {
  readonly params: Params;
  readonly call: Call;
  readonly resolve: (response: JSONRPCMessage) => void;
}

/**
 * The SDK's server, shared by all clients: it keeps nothing between two messages. Requests get ids of our own, so
 * clients' ids cannot collide. Notifications do not reach it, so no client can cancel another's call.
 */
export class LegacyServer {
  readonly #running = new Map<unknown, Running>();
  readonly #transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (message) => {
      if ('id' in message && !('method' in message)) this.#running.get(message.id)?.resolve(message);
    },
  };
  #lastId = 0;

  constructor() {
    const server = new Server(serverInfo, { capabilities });
    // The SDK gets empty results to validate. It would parse the real ones three times, and drop a field named __proto__.
    server.setRequestHandler(ListToolsRequestSchema, async (_request, { requestId }) => ({
      tools: [],
      members: await this.#run(listTools, requestId),
    }));
    server.setRequestHandler(CallToolRequestSchema, async (_request, { requestId }) => ({
      content: [],
      members: await this.#run(callTool, requestId),
    }));
    // Not awaited: `connect` sets the transport's handlers before its first await.
    void server.connect(this.#transport);
  }

  /** Answers one request with the JSON of its response. Throws an RpcError. */
  async answer({ id, method, params }: Request, call: Call): Promise<JsonText> {
    if (method === 'initialize') checkInitialize(params);
    const sent = await this.#ask(method, params, call);
    if ('error' in sent) throw new RpcError(sent.error.code, sent.error.message, sent.error.data);
    if (!('result' in sent)) throw new Error('the SDK sent no response');
    // The instructions depend on the credential, but the SDK has only one text for all clients.
    const own = method === 'initialize' ? { instructions: instructionsFor(call.ctx.actor) } : {};
    const { members = JSON.stringify({ ...sent.result, ...own }).slice(1, -1) } = sent.result;
    return response(id, members as JsonText);
  }

  async #run(answer: Answer, requestId: unknown): Promise<JsonText> {
    const running = this.#running.get(requestId);
    if (!running) throw new Error('the SDK runs a request that nobody has sent');
    return answer(running.params, running.call);
  }

  #ask(method: string, params: Params, call: Call): Promise<JSONRPCMessage> {
    const id = ++this.#lastId;
    return new Promise<JSONRPCMessage>((resolve) => {
      this.#running.set(id, { params, call, resolve });
      this.#transport.onmessage?.({ jsonrpc: '2.0', id, method, params: sdkParams(method, params) });
    }).finally(() => this.#running.delete(id));
  }
}

/** Throws an RpcError for invalid params. The SDK itself would answer with its schema library's text. */
function checkInitialize({ protocolVersion, capabilities: theirs, clientInfo }: Params): void {
  if (typeof protocolVersion !== 'string') throw new RpcError(codes.params, 'protocolVersion must be a string.');
  if (!isJsonObject(orEmptyObject(theirs))) throw new RpcError(codes.params, 'capabilities must be an object.');
  if (!isJsonObject(clientInfo) || typeof clientInfo.name !== 'string' || typeof clientInfo.version !== 'string')
    throw new RpcError(codes.params, 'clientInfo must be an object with the strings name and version.');
}

/**
 * Passes on only what the SDK's server needs: not `_meta` (progress, tasks), which we do not support, and not a tool's arguments, which
 * callTool checks. Passes on only a version that we serve, because the SDK would also accept older ones.
 */
function sdkParams(method: string, { protocolVersion, clientInfo, name: tool }: Params): Record<string, unknown> {
  if (method === 'tools/call') return { name: typeof tool === 'string' ? tool : '' };
  if (method !== 'initialize' || !isJsonObject(clientInfo)) return {};
  const { name, version } = clientInfo;
  const negotiated = legacyVersions.find((known) => known === protocolVersion) ?? legacyVersions[0];
  return { protocolVersion: negotiated, capabilities: {}, clientInfo: { name, version } };
}
