import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { JsonText } from '../contract/types.ts';
import type { Environment } from '../domain/environment.ts';
import type { Call } from './call-tool.ts';
import { instructionsFor } from './instructions.ts';
import { codes, isObject, type Params, type Request, RpcError, response } from './json-rpc.ts';
import { methodOf } from './methods.ts';
import { capabilities, legacyVersions, serverInfo } from './versions.ts';

/** A request in progress at the SDK's server. */
interface Running {
  readonly params: Params;
  readonly call: Call;
  readonly resolve: (response: JSONRPCMessage) => void;
}

/**
 * The SDK's server for one environment, shared by all clients: it keeps nothing between two messages. Requests get ids of our own, so
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

  constructor(environment: Environment) {
    const server = new Server(serverInfo, { capabilities, instructions: instructionsFor(environment) });
    // Handles every method except initialize and ping. The SDK's schemas would parse params and results three times, and drop a __proto__.
    server.fallbackRequestHandler = async ({ method }, { requestId }) => {
      const answered = methodOf('legacy', method);
      const running = this.#running.get(requestId);
      if (!answered || !running) throw new RpcError(codes.method, 'Method not found');
      return { members: await answered.answer(running.params, running.call) };
    };
    // Sets the transport's handlers before its first await.
    void server.connect(this.#transport);
  }

  /** Answers one request with the JSON of its response. Throws an RpcError. */
  async answer({ id, method, params }: Request, call: Call): Promise<JsonText> {
    if (method === 'initialize') checkInitialize(params);
    const sent = await this.#ask(method, params, call);
    if ('error' in sent) throw new RpcError(sent.error.code, sent.error.message, sent.error.data);
    if (!('result' in sent)) throw new Error('the SDK sent no response');
    const { members = JSON.stringify(sent.result).slice(1, -1) } = sent.result;
    return response(id, members as JsonText);
  }

  #ask(method: string, params: Params, call: Call): Promise<JSONRPCMessage> {
    const id = ++this.#lastId;
    return new Promise<JSONRPCMessage>((resolve) => {
      this.#running.set(id, { params, call, resolve });
      this.#transport.onmessage?.({ jsonrpc: '2.0', id, method, params: sdkParams(method, params) });
    }).finally(() => this.#running.delete(id));
  }
}

/** Throws an RpcError. The SDK itself would answer with its schema library's text. */
function checkInitialize({ protocolVersion, capabilities: theirs, clientInfo }: Params): void {
  if (typeof protocolVersion !== 'string') throw new RpcError(codes.params, 'protocolVersion must be a string.');
  if (!isObject(theirs)) throw new RpcError(codes.params, 'capabilities must be an object.');
  if (!isObject(clientInfo) || typeof clientInfo.name !== 'string' || typeof clientInfo.version !== 'string')
    throw new RpcError(codes.params, 'clientInfo must be an object with the strings name and version.');
}

/**
 * Passes on only what the SDK's server reads: we support nothing of `_meta` (progress, tasks). The SDK would negotiate versions older than
 * ours, so it is only offered one of ours.
 */
function sdkParams(method: string, { protocolVersion, clientInfo }: Params): Record<string, unknown> {
  if (method !== 'initialize' || !isObject(clientInfo)) return {};
  const { name, version } = clientInfo;
  const negotiated = legacyVersions.find((known) => known === protocolVersion) ?? legacyVersions[0];
  return { protocolVersion: negotiated, capabilities: {}, clientInfo: { name, version } };
}
