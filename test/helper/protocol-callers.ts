import type { Server } from 'node:http';
import { expect } from 'chai';
import type { Response } from 'supertest';
import { operationOf } from '../../src/contract/document.ts';
import { type Tool, tools } from '../../src/contract/tools.ts';
import type { OperationId } from '../../src/contract/types.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { McpClient, ModernMcpClient } from './mcp-client.ts';
import { type Headers, RestClient } from './rest-client.ts';

/** A request in the contract's terms, independent of the protocol. Absent parts are not sent. */
export interface Call {
  readonly operationId: OperationId;
  readonly id?: unknown;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly key?: unknown;
  readonly ifMatch?: unknown;
  readonly body?: unknown;
  readonly headers?: Headers;
}

export interface Answer {
  readonly status: number;
  /** Status of the HTTP response: 200 for every tool result. */
  readonly httpStatus: number;
  /** `{data}` or the error envelope; null without a body. */
  readonly body: unknown;
  /** The ETag of the one job in a success. */
  readonly etag: unknown;
  /** The idempotency key of the one job in a success. */
  readonly idempotency_key?: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Calls one environment over one protocol. */
export interface ProtocolCaller {
  readonly name: 'REST' | 'MCP' | 'MCP 2026-07-28';
  run(call: Call): Promise<Answer>;
}

export const createJob = (body: unknown, key: unknown): Call => ({ operationId: 'createJob', body, key });
export const getJob = (id: unknown): Call => ({ operationId: 'getJob', id });
export const updateJob = (id: unknown, body: unknown): Call => ({ operationId: 'updateJob', id, body });
export const withdrawJob = (id: unknown): Call => ({ operationId: 'withdrawJob', id });
export const listJobs = (query: Call['query'] = {}): Call => ({ operationId: 'listJobs', query });

/** Headers with the same meaning in both protocols. */
const sharedHeaders = [
  'x-api-environment',
  'cache-control',
  'x-content-type-options',
  'www-authenticate',
  'retry-after',
  'ratelimit-limit',
  'ratelimit-remaining',
  'x-simulate-ignored',
];

const shared = ({ headers }: Response) => Object.fromEntries(sharedHeaders.map((name) => [name, headers[name]]));

export function restCaller(server: Server, environment: Environment, secret: string | undefined): ProtocolCaller {
  const client = new RestClient(server, environment, secret);
  return {
    name: 'REST',
    async run({ operationId, id, query = {}, key, ifMatch, body, headers = {} }) {
      const { method, path } = operationOf(operationId);
      const search = new URLSearchParams(
        Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
      ).toString();
      const url = path.replace('{id}', String(id)) + (search === '' ? '' : `?${search}`);
      const ownHeaders: Headers = {
        ...(key === undefined ? {} : { 'Idempotency-Key': String(key) }),
        ...(ifMatch === undefined ? {} : { 'If-Match': String(ifMatch) }),
      };
      // Encoded here, because the client sends a string unchanged.
      const text = body === undefined ? undefined : JSON.stringify(body);
      const response = await client.send(method, url, text, { ...ownHeaders, ...headers });
      const { status } = response;
      if (status === 412) expect(response.headers.etag).to.equal(response.body.error.details.current_etag);
      const etag = status < 300 && operationId.endsWith('Job') ? response.headers.etag : undefined;
      return {
        status,
        httpStatus: status,
        body: response.text ? response.body : null,
        etag,
        idempotency_key: response.headers['idempotency-key'],
        headers: shared(response),
      };
    },
  };
}

type OpenCaller = (server: Server, environment: Environment, secret: string | undefined) => ProtocolCaller;

export const mcpCaller: OpenCaller = (server, environment, secret) =>
  toolCaller('MCP', new McpClient(server, environment, secret));

export const modernMcpCaller: OpenCaller = (server, environment, secret) =>
  toolCaller('MCP 2026-07-28', new ModernMcpClient(server, environment, secret));

function toolCaller(name: ProtocolCaller['name'], client: McpClient): ProtocolCaller {
  return {
    name,
    async run(call) {
      const tool = tools.find(({ operationId }) => operationId === call.operationId);
      if (!tool) throw new Error(`${call.operationId} has no tool`);
      const params = { name: tool.tool.name, arguments: argumentsOf(tool, call) };
      const response = await client.request('tools/call', params, { ...call.headers });
      const answer = { httpStatus: response.status, headers: shared(response) };
      if (response.status === 200) {
        const { error, response: body, ...result } = client.resultOf(tool.tool.name, response);
        return { ...answer, ...result, body: error ? { error } : body };
      }
      // Refused before the tool: the JSON-RPC error contains the parts of the envelope.
      const { status, message, details } = refusalIn(response);
      expect(status, response.text).to.equal(response.status);
      if (client instanceof ModernMcpClient && response.type === 'application/json')
        expect(response.body.error.code).to.equal(status);
      return { ...answer, status, etag: undefined, body: { error: { status, message, details } } };
    },
  };
}

const textReasons: readonly (readonly [text: RegExp, reason: string])[] = [
  [/HTTPS/, 'https'],
  [/bytes/, 'body_size'],
  [/company/, 'company'],
  [/this address/, 'address'],
  [/compressed/, 'content_encoding'],
  [/Content-Type/, 'media_type'],
];

/** The refusal of a message. If no message with an id was read, it is text. */
function refusalIn({ status, type, text, headers, body }: Response) {
  if (type === 'application/json') {
    const { status, ...details } = body.error.data;
    return { status, message: body.error.message, details };
  }
  expect(type).to.equal('text/plain');
  const details = {
    reason: textReasons.find(([said]) => said.test(text))?.[1],
    ...(status === 429 && { retry_after_seconds: Number(headers['retry-after']) }),
  };
  return { status, message: text, details };
}

/** REST, and MCP in both eras. */
export const callers: readonly [OpenCaller, OpenCaller, OpenCaller] = [restCaller, mcpCaller, modernMcpCaller];

/** The parts of the request by the tool's argument names; an unknown query parameter keeps its name. */
function argumentsOf(
  { arguments: routes }: Tool,
  { id, query = {}, key, ifMatch, body }: Call,
): Record<string, unknown> {
  const parts: Readonly<Record<string, unknown>> = {
    path: id,
    body,
    'header:Idempotency-Key': key,
    'header:If-Match': ifMatch,
  };
  const named = Object.entries(routes).map(([name, route]) => [name, route === 'query' ? query[name] : parts[route]]);
  return Object.fromEntries([...Object.entries(query), ...named].filter(([, value]) => value !== undefined));
}
