import { randomUUID } from 'node:crypto';
import { operationOf } from '../../src/contract/document.ts';
import { tools } from '../../src/contract/tools.ts';
import type { OperationId, Schemas } from '../../src/contract/types.ts';
import type { Requests } from './load.ts';
import type { SampleData } from './sample-data.ts';

export const protocols = ['rest', 'mcp'] as const;
export type Protocol = (typeof protocols)[number];

/** `/districts` is not measured: it is `/regions` under another name, served by the same function on every server. */
export type Measured = Exclude<OperationId, 'listDistricts'>;

/** The input of one request, whichever protocol carries it. */
export interface Input {
  readonly id?: number;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly key?: string;
  readonly job?: Partial<Schemas['JobInput']>;
}

interface Load {
  readonly kind: 'reference' | 'read' | 'create' | 'change';
  /** Of a right answer. */
  readonly status: 200 | 201 | 204;
  readonly company: 'reader' | 'writer';
  /** A list is repeated from its beginning; a function is called for every request. */
  readonly inputs: (sample: SampleData) => readonly Input[] | (() => Input);
}

/** Jobs that are read, and those at the end that are withdrawn; every connection prepares all before its first request. */
const some = 100;
const reading = { kind: 'read', status: 200, company: 'reader', inputs: () => [{}] } as const;
const reference = { ...reading, kind: 'reference' } as const;
const changing = { kind: 'change', company: 'writer' } as const;
const inputsFor = (ids: readonly number[]): Input[] => ids.map((id) => ({ id }));

/** The load of each operation. Complete by type: an operation of the contract that is not measured does not compile. */
export const loads: Readonly<Record<Measured, Load>> = {
  getAccount: reading,
  listCategories: reference,
  listRegions: reference,
  listOptions: reference,
  listJobs: { ...reading, inputs: () => [{ query: { page: 1, per_page: 25 } }] },
  getJob: { ...reading, inputs: ({ reader }) => inputsFor(reader.jobIds.slice(0, some)) },
  createJob: { ...changing, kind: 'create', status: 201, inputs: (sample) => () => newJob(sample.job) },
  updateJob: { ...changing, status: 200, inputs: changes },
  withdrawJob: { ...changing, status: 204, inputs: ({ writer }) => inputsFor(writer.jobIds.slice(-some)) },
};

export const measured = Object.keys(loads) as Measured[];

export const newJob = (job: Input['job'] = {}): Input => ({ key: randomUUID(), job });

/** One job after the other, so that no two requests in flight change the same one; each change differs. */
function changes({ writer }: SampleData): () => Input {
  const ids = writer.jobIds.slice(0, -some);
  let number = 0;
  return () => {
    const id = ids[number++ % ids.length] ?? 0;
    return { id, job: { salary_max: 3200 + (number % 1000), requirements: `Alteração ${number} dos requisitos.` } };
  };
}

/** As `GET /jobs/{id}` */
export function routeOf(operationId: Measured): string {
  const { method, path } = operationOf(operationId);
  return `${method.toUpperCase()} ${path}`;
}

/** As `get_job` */
export function toolOf(operationId: OperationId): string {
  const found = tools.find((tool) => tool.operationId === operationId);
  if (!found) throw new Error(`${operationId} has no tool`);
  return found.tool.name;
}

/** An operation as requests of a protocol; a refused tool call has status 200 too. */
export function requestsOf(protocol: Protocol, operationId: Measured, sample: SampleData): Requests {
  const { company, inputs, status } = loads[operationId];
  const { token } = sample[company];
  const given = inputs(sample);
  const requestOf = (input: Input) => requestOver[protocol](operationId, token, input);
  const requests =
    typeof given === 'function'
      ? [{ setupRequest: (request: object) => ({ ...request, ...requestOf(given()) }) }]
      : given.map(requestOf);
  if (protocol === 'rest') return { requests, statuses: [status] };
  return { requests, statuses: [200], isRight: (body) => body.includes(`"http_status":${status}`) };
}

const json = { 'content-type': 'application/json' };

/** The headers that an MCP client sends with every message once it has connected. */
export const mcpHeaders = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
  ...json,
});

let lastId = 0;

/** JSON leaves out what is undefined. */
const callOf = (operationId: OperationId, { query, key: idempotency_key, ...input }: Input) => ({
  name: toolOf(operationId),
  arguments: { ...input, ...query, idempotency_key },
});

function mcpRequest(operationId: OperationId, token: string, input: Input) {
  const params = callOf(operationId, input);
  const body = JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method: 'tools/call', params });
  return { method: 'POST' as const, path: '/mcp', headers: mcpHeaders(token), body };
}

/** The same for 2026-07-28. */
export function modernRequest(operationId: OperationId, token: string, input: Input) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { ...callOf(operationId, input), _meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method: 'tools/call', params });
  const headers = {
    ...mcpHeaders(token),
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': params.name,
  };
  return { method: 'POST' as const, path: '/mcp', headers, body };
}

export function restRequest(operationId: OperationId, token: string, { id, query, key, job }: Input) {
  const { method, path } = operationOf(operationId);
  const pairs = Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]);
  return {
    method: method.toUpperCase() as 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: `/v1${path.replace('{id}', String(id))}${query ? `?${new URLSearchParams(pairs)}` : ''}`,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(job && json),
    },
    ...(job && { body: JSON.stringify(job) }),
  };
}

/** One request for an operation, by protocol. */
export const requestOver = { rest: restRequest, mcp: mcpRequest } as const;
