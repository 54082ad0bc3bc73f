import type { Server } from 'node:http';
import { Client as SdkClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import supertest, { type Response } from 'supertest';
import { tools } from '../../src/contract/tools.ts';
import { type Environment, policy } from '../../src/domain/environment.ts';
import { keptConnections } from './address.ts';
import { checkMessage, checkToolResponse } from './contract-check.ts';

/** The SDK's own client, connected over a real socket. With a version, it behaves as when that version was its newest. */
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

let ids = 0;

const ajv = formats.default(new Ajv2020({ strict: false }));
const outputs = new Map(tools.map(({ tool }) => [tool.name, ajv.compile(tool.outputSchema)]));

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
      .agent(keptConnections)
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
    const id = ++ids;
    const message = { jsonrpc: '2.0', id, method, params };
    const response = await this.post(message, headers);
    if (isRead(message, headers)) expectId(response, id);
    return response;
  }

  /** Calls a tool and returns its answer. */
  async call(name: string, given: unknown = {}) {
    const response = await this.request('tools/call', { name, arguments: given });
    const isSummary = Object(given).view === 'summary';
    return { ...this.resultOf(name, response, isSummary), headers: response.headers };
  }

  /** A tool's answer. Fails if the parts of the result contradict each other or the contract. */
  resultOf(name: string, { body, text }: Response, isSummary = false) {
    expect(body.result, text).to.be.an('object');
    const { structuredContent, content, isError } = body.result;
    expect(content.map(({ type }: { type: string }) => type)).to.deep.equal(['text']);
    expect(JSON.parse(content[0].text)).to.deep.equal(structuredContent);
    const validate = outputs.get(name);
    if (validate) expect(validate(structuredContent), `${text} ${JSON.stringify(validate.errors)}`).to.equal(true);
    const { environment, http_status: status, etag, idempotency_key, response, error, ...rest } = structuredContent;
    expect([environment, rest]).to.deep.equal([this.#environment, {}]);
    expect(isError).to.equal(status >= 400);
    const tool = tools.find((other) => other.tool.name === name);
    if (isError) checkMessage(error.message, name);
    else if (isSummary) for (const item of response.data) expect(Object.keys(item)).to.deep.equal(tool?.summary);
    else if (tool) checkToolResponse(tool.operationId, status, response);
    return { status, etag, idempotency_key, response, error };
  }
}

/** A body that is too large or not plain JSON is not read, so its refusal has no id. */
const isRead = (message: object, headers: Record<string, string>): boolean =>
  !Object.keys(headers).some((name) => /^content-/i.test(name)) && JSON.stringify(message).length <= 131_072;

/** Every answer to a completely received message has its id, except those of the address limit, which are text. */
function expectId({ status, type, body, text }: Response, id: number): void {
  if (type === 'text/plain') expect(status, text).to.be.oneOf([400, 429]);
  else expect(body.id, text).to.equal(id);
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
    const message = { jsonrpc: '2.0', id, method, params: { _meta: modernMeta, ...params } };
    const response = await this.post(message, { ...modernHeaders(method, named), ...headers });
    const { body } = response;
    if (isRead(message, headers)) expectId(response, id);
    if (response.type === 'text/plain') return response;
    if (body.error) expect(body.error.code).to.not.be.within(-32_019, -32_000);
    else
      expect(body.result).to.deep.include({
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'vaga', title: 'Vaga job posting', version: '1.0.0' } },
      });
    return response;
  }
}
