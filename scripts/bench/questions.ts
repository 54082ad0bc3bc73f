import type autocannon from 'autocannon';
import { operationOf } from '../../src/contract/document.ts';
import { tools } from '../../src/contract/tools.ts';
import type { OperationId } from '../../src/contract/types.ts';
import type { Protocol } from './comparisons.ts';
import type { Questions } from './load.ts';
import { type Ask, loads, type Measured } from './operations.ts';
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

/** An operation as requests of a protocol; a refused call of a tool is answered with 200 too. */
export function questionsOf(protocol: Protocol, operationId: Measured, sample: SampleData): Questions {
  const { company, asks, status } = loads[operationId];
  const { token } = sample[company];
  const asked = asks(sample);
  const requestOf = (ask: Ask) => (protocol === 'rest' ? restRequest : mcpRequest)(operationId, token, ask);
  const requests: autocannon.Request[] =
    typeof asked === 'function'
      ? [{ setupRequest: (request: object) => ({ ...request, ...requestOf(asked()) }) }]
      : asked.map(requestOf);
  if (protocol === 'rest') return { requests, statuses: [status] };
  return { requests, statuses: [200], isRight: (body) => body.includes(`"http_status":${status}`) };
}

let lastId = 0;

/** One call of the operation's tool. */
export function mcpRequest(operationId: Measured, token: string, { query, key: idempotency_key, ...ask }: Ask) {
  // JSON leaves out what is undefined.
  const params = { name: toolOf(operationId), arguments: { ...ask, ...query, idempotency_key } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method: 'tools/call', params });
  return { method: 'POST' as const, path: '/mcp', headers: mcpHeaders(token), body };
}

/** What an MCP client sends with every message once it has connected. */
export const mcpHeaders = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
  ...json,
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
