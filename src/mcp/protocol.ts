import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CallToolResult,
  ErrorCode,
  InitializeRequestSchema,
  type JSONRPCMessage,
  ListToolsRequestSchema,
  type ListToolsResult,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { type Tool, tools } from '../contract/tools.ts';
import type { Environment } from '../domain/environment.ts';
import { type CallSetting, callTool } from './call-tool.ts';
import { instructionsFor } from './instructions.ts';
import { codes, type Request, type Response } from './json-rpc.ts';
import { checkParams } from './params.ts';
import { negotiate } from './versions.ts';

/** One call of one client. */
export interface Call extends CallSetting {
  /** Told which operation a tool call runs; what it gives is told the status. */
  readonly onOperation: (tool: Tool) => (status: number) => void;
}

type Params = Readonly<Record<string, unknown>>;

/** `given` are the arguments of a tool as they were sent. */
type RunningCall = Call & { readonly given: Params };

const serverInfo = { name: 'vaga', title: 'Vaga job posting', version: '1.0.0' };

/**
 * The SDK's protocol layer of one environment: one server for all clients, which keeps nothing between two messages.
 * Requests are renumbered, so that no two clients' ids meet; notifications never reach it, so that none cancels another's call.
 */
export class Protocol {
  readonly #transport = new CallTransport();
  readonly #server: Server;

  constructor(environment: Environment) {
    this.#server = new Server(serverInfo, { capabilities: { tools: {} } });
    this.#server.setRequestHandler(InitializeRequestSchema, ({ params }) => ({
      protocolVersion: negotiate(params.protocolVersion),
      capabilities: { tools: {} },
      serverInfo,
      instructions: instructionsFor(environment),
    }));
    this.#server.setRequestHandler(ListToolsRequestSchema, (_, { requestId }) =>
      permitted(this.#transport.call(requestId)),
    );
    // Not by the schema of tools/call, which parses params and result three times over: checkParams has judged the one, types the other.
    this.#server.fallbackRequestHandler = ({ method, params }, { requestId }) => {
      if (method !== 'tools/call') throw new RpcFailure(codes.method, 'Method not found');
      return callNamed(String(params?.name), this.#transport.call(requestId));
    };
  }

  async open(): Promise<void> {
    await this.#server.connect(this.#transport);
  }

  /** Answers one request. */
  async answer(request: Request, call: Call): Promise<Response> {
    const { id, method } = request;
    const checked = checkParams(request);
    if ('error' in checked) return { jsonrpc: '2.0', id, error: checked.error };
    return { ...(await this.#transport.ask(method, checked.params, call)), id };
  }
}

/** Calls a tool with its arguments as sent: the SDK's own copy lacks an argument named __proto__. */
async function callNamed(name: string, call: RunningCall): Promise<CallToolResult> {
  const { onOperation, given } = call;
  const tool = tools.find((other) => other.tool.name === name);
  if (!tool)
    throw new McpError(ErrorCode.InvalidParams, 'There is no such tool; tools/list names those that there are.');
  const onStatus = onOperation(tool);
  const result = await callTool(call, tool, given);
  onStatus(Number(result.structuredContent?.http_status));
  return result;
}

/** The SDK answers with the code and the message as they are; those of an McpError it would begin with its own words. */
class RpcFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** A read-only credential does not even see the tools that write. */
function permitted({ ctx }: Call): ListToolsResult {
  const allowed = tools.filter(({ scope }) => ctx.actor.scopes.has(scope));
  return { tools: allowed.map(({ tool }) => tool) as ListToolsResult['tools'] };
}

/** Hands requests to the server in this process and its responses back, each by a number of our own. */
class CallTransport implements Transport {
  readonly #waiting = new Map<number, { call: RunningCall; resolve: (response: Response) => void }>();
  #number = 0;
  onmessage?: (message: JSONRPCMessage) => void;

  async start(): Promise<void> {}
  async close(): Promise<void> {}

  ask(method: string, params: Params, call: Call): Promise<Response> {
    const id = ++this.#number;
    return new Promise((resolve) => {
      this.#waiting.set(id, { call: { ...call, given: (params.arguments ?? {}) as Params }, resolve });
      this.onmessage?.({ jsonrpc: '2.0', id, method, params });
    });
  }

  call(id: string | number): RunningCall {
    const waiting = this.#waiting.get(Number(id));
    if (!waiting) throw new Error(`no call ${id} is under way`);
    return waiting.call;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!('id' in message) || message.id === undefined || 'method' in message) return;
    const id = Number(message.id);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    // A message with an id and without a method is a response; the SDK's type does not say so.
    waiting?.resolve(message as Response);
  }
}
