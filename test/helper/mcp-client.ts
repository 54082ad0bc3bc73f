import type { Server } from 'node:http';
import { Client as SdkClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect } from 'chai';
import supertest, { type Response } from 'supertest';
import { tools } from '../../src/contract/tools.ts';
import { type Environment, policy } from '../../src/domain/environment.ts';
import { checkToolResponse } from './contract-check.ts';

/** The SDK's own client, connected over a real socket; with a version, as it was when that was its newest. */
export async function connectClient(url: string, secret: string, version?: string): Promise<SdkClient> {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: `Bearer ${secret}` } },
    fetch: (to, { body = null, ...init } = {}) => {
      const isOld = version !== undefined && typeof body === 'string';
      const named = `"protocolVersion":"${version}"`;
      return fetch(to, { ...init, body: isOld ? body.replace(/"protocolVersion":"[^"]+"/, named) : body });
    },
  });
  const client = new SdkClient({ name: 'test', version: '1.0.0' });
  // The SDK's class and its interface differ under exactOptionalPropertyTypes.
  await client.connect(transport as Transport);
  if (version !== undefined) expect(transport.protocolVersion).to.equal(version);
  return client;
}

export interface ToolAnswer {
  readonly status: number;
  readonly response: unknown;
  readonly error: { status: number; message: string; details: Record<string, unknown> } | undefined;
  readonly headers: Response['headers'];
}

let ids = 0;

/** An answer; fails if it is a success of a tool that the contract does not declare. */
function checked(response: Response, name: unknown): Response {
  const { isError, structuredContent } = response.body.result ?? {};
  const tool = tools.find((other) => other.tool.name === name);
  if (tool && isError === false)
    checkToolResponse(tool.operationId, structuredContent.http_status, structuredContent.response);
  return response;
}

/** A client of one environment's MCP endpoint, message by message, in the legacy era without a handshake. */
export class McpClient {
  readonly #server: Server;
  readonly #environment: Environment;
  readonly #secret: string | undefined;

  constructor(server: Server, environment: Environment, secret: string | undefined) {
    this.#server = server;
    this.#environment = environment;
    this.#secret = secret;
  }

  /** Posts a body; a string is sent unchanged. */
  async post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const response = await supertest(this.#server)
      .post(policy[this.#environment].mcpPath)
      .set(this.#secret === undefined ? {} : { Authorization: `Bearer ${this.#secret}` })
      .set({ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers })
      .send(typeof body === 'string' ? body : JSON.stringify(body));
    expect(response.headers['x-api-environment']).to.equal(this.#environment);
    expect(response.status, response.text).to.not.equal(500);
    return response;
  }

  async request(
    method: string,
    params?: Record<string, unknown>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return checked(await this.post({ jsonrpc: '2.0', id: ++ids, method, params }, headers), params?.name);
  }

  /** Calls a tool; fails if the parts of the result contradict each other. */
  async call(name: string, given: unknown = {}): Promise<ToolAnswer> {
    const { status, headers, body, text } = await this.request('tools/call', { name, arguments: given });
    expect(status, text).to.equal(200);
    const { structuredContent, content, isError } = body.result;
    expect(content).to.deep.equal([{ type: 'text', text: JSON.stringify(structuredContent) }]);
    expect(structuredContent.environment).to.equal(this.#environment);
    expect(isError).to.equal(structuredContent.http_status >= 400);
    const { http_status, response, error } = structuredContent;
    return { status: http_status, response, error, headers };
  }
}

/** The `_meta` of a request of the modern era. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
} as const;

/** The headers of a request of the modern era. */
export const modernHeaders = (method: string, name?: string): Record<string, string> => ({
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': method,
  ...(name === undefined ? {} : { 'Mcp-Name': name }),
});

/** The same for 2026-07-28. */
export class ModernMcpClient extends McpClient {
  override async request(
    method: string,
    params: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const named = method === 'tools/call' ? String(params.name) : undefined;
    const id = ++ids;
    const response = await this.post(
      { jsonrpc: '2.0', id, method, params: { _meta: modernMeta, ...params } },
      { ...modernHeaders(method, named), ...headers },
    );
    const { body } = response;
    // What is refused before its body is read has no id.
    expect(body.id, response.text).to.be.oneOf(body.error ? [id, undefined] : [id]);
    if (body.error) expect(body.error.code).to.not.be.within(-32_019, -32_000);
    else
      expect(body.result).to.deep.include({
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'vaga', title: 'Vaga job posting', version: '1.0.0' } },
      });
    return checked(response, params.name);
  }
}
