import { randomUUID } from 'node:crypto';
import { operationOf } from '../../src/contract/document.ts';
import { tools } from '../../src/contract/tools.ts';
import type { OperationId } from '../../src/contract/types.ts';
import type { Sample } from './sample-data.ts';

/** The input of one request, whichever protocol carries it. */
export interface Input {
  readonly id?: number;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly key?: string;
  readonly job?: object;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const json = { 'content-type': 'application/json' };

export function restRequest(operationId: OperationId, token: string, { id, query, key, job }: Input): HttpRequest {
  const { method, path } = operationOf(operationId);
  const pairs = Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  return {
    method: method.toUpperCase() as HttpRequest['method'],
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

/** Returns the name of an operation's tool, such as `get_job`. */
export function toolOf(operationId: OperationId): string {
  const found = tools.find((tool) => tool.operationId === operationId);
  if (!found) throw new Error(`${operationId} has no tool`);
  return found.tool.name;
}

let lastId = 0;

function mcpRequest(operationId: OperationId, token: string, input: Input): HttpRequest {
  const { query, key: idempotency_key, ...more } = input;
  const params = { name: toolOf(operationId), arguments: { ...more, ...query, idempotency_key } };
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
    ...json,
  };
  // JSON leaves out undefined values.
  const body = JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method: 'tools/call', params });
  return { method: 'POST', path: '/mcp', headers, body };
}

/** By protocol, the function that makes a request for an operation. */
export const requestOver = { rest: restRequest, mcp: mcpRequest } as const;

export const newJob = (job: Input['job'] = {}): Input => ({ key: randomUUID(), job });

export interface Answer {
  /** 0 if the connection broke, or the whole answer did not arrive within ten seconds. */
  readonly status: number;
  readonly ms: number;
}

/** Sends one request and reads its whole answer; never throws. */
export async function send(origin: string, { path, ...init }: HttpRequest): Promise<Answer> {
  const started = performance.now();
  const status = await fetch(origin + path, { ...init, signal: AbortSignal.timeout(10_000) })
    .then((response) => response.arrayBuffer().then(() => response.status))
    .catch(() => 0);
  return { status, ms: performance.now() - started };
}

/**
 * Returns a function that draws requests of random companies, in a pseudo-random sequence that is the same for every server. `shares` are the
 * relative frequencies of the operations. `mcpShare`, from 0 to 1, is the share of requests that go over MCP.
 */
export function drawer(
  { companies, job }: Sample,
  shares: readonly (readonly [OperationId, number])[],
  mcpShare: number,
): () => HttpRequest {
  const hundred = shares.flatMap(([operationId, share]) => Array<OperationId>(share).fill(operationId));
  let seed = 1;
  const random = () => {
    // Numerical Recipes' linear congruential generator.
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  const oneOf = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  let changed = 0;
  // Takes one job after the other, so that no two requests in flight change the same job.
  const nextOf = (jobIds: readonly number[]): number => jobIds[++changed % jobIds.length] ?? 0;
  const inputs: Readonly<Record<string, (jobIds: readonly number[]) => Input>> = {
    getJob: (jobIds) => ({ id: oneOf(jobIds) }),
    listJobs: () => ({ query: { page: oneOf([1, 2, 3]), per_page: 25 } }),
    createJob: () => newJob(job),
    updateJob: (jobIds) => ({ id: nextOf(jobIds), job: { requirements: `Alteração ${changed} dos requisitos.` } }),
  };
  return () => {
    const { token, jobIds } = oneOf(companies);
    const operationId = oneOf(hundred);
    const input = inputs[operationId]?.(jobIds) ?? {};
    return requestOver[random() < mcpShare ? 'mcp' : 'rest'](operationId, token, input);
  };
}
