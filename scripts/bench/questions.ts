import type autocannon from 'autocannon';
import { operationOf } from '../../src/contract/document.ts';
import { tools } from '../../src/contract/tools.ts';
import type { OperationId } from '../../src/contract/types.ts';
import type { Questions } from './load.ts';
import { type Ask, type Asks, loads, type Measured } from './operations.ts';
import type { SampleData } from './sample-data.ts';

const json = { 'content-type': 'application/json' };

/** As `GET /jobs/{id}` */
export function routeOf(operationId: Measured): string {
  const { method, path } = operationOf(operationId);
  return `${method.toUpperCase()} ${path}`;
}

/** As `get_job` */
export function toolOf(operationId: Measured): string {
  const found = tools.find((tool) => tool.operationId === operationId);
  if (!found) throw new Error(`${operationId} has no tool`);
  return found.tool.name;
}

/** An operation as requests of the REST API. */
export function restQuestions(operationId: Measured, sample: SampleData): Questions {
  const { company, asks, status } = loads[operationId];
  const { token } = company(sample);
  return {
    requests: requestsOf(asks(sample), (ask) => restRequest(operationId, token, ask)),
    statuses: [status],
  };
}

/** The same as calls of its tool; a refused call is answered with 200 too. */
export function mcpQuestions(operationId: Measured, sample: SampleData): Questions {
  const { company, asks, status } = loads[operationId];
  const { token } = company(sample);
  return {
    requests: requestsOf(asks(sample), (ask) => mcpRequest(operationId, token, ask)),
    statuses: [200],
    isRight: (body) => body.includes(`"http_status":${status}`),
  };
}

let lastId = 0;

/** One call of the operation's tool. */
export const mcpRequest = (operationId: Measured, token: string, ask: Ask) => ({
  method: 'POST' as const,
  path: '/mcp',
  headers: mcpHeaders(token),
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: ++lastId,
    method: 'tools/call',
    params: { name: toolOf(operationId), arguments: argumentsOf(ask) },
  }),
});

/** What an MCP client sends with every message once it has connected. */
export const mcpHeaders = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
  ...json,
});

/** The arguments of a tool that ask the same. */
const argumentsOf = ({ id, query, key, job }: Ask): Record<string, unknown> => ({
  ...(id !== undefined && { id }),
  ...query,
  ...(key !== undefined && { idempotency_key: key }),
  ...(job && { job }),
});

/** One request of the REST API, its path from the contract. */
export function restRequest(operationId: OperationId, token: string, { id, query, key, job }: Ask) {
  const { method, path } = operationOf(operationId);
  const search = query
    ? `?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`
    : '';
  return {
    method: method.toUpperCase() as 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: `/v1${path.replace('{id}', String(id))}${search}`,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(job && json),
    },
    ...(job && { body: JSON.stringify(job) }),
  };
}

function requestsOf(asks: Asks, requestOf: (ask: Ask) => autocannon.Request): autocannon.Request[] {
  if (typeof asks !== 'function') return asks.map(requestOf);
  const fresh = () => requestOf(asks());
  return [{ setupRequest: (request) => ({ ...request, ...fresh() }) }];
}
