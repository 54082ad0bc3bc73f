import { randomUUID } from 'node:crypto';
import type { Questions } from './load.ts';
import type { SampleData } from './sample-data.ts';

/** Every connection prepares all of them before its first request. */
const readsMax = 100;

const json = { 'content-type': 'application/json' };

/** `GET /jobs/{id}`, of one job after the other. */
export const readsOfJobs = ({ token, jobIds }: SampleData): Questions => ({
  requests: jobIds.slice(0, readsMax).map((id) => ({
    method: 'GET',
    path: `/v1/jobs/${id}`,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  })),
});

/** `POST /jobs`; each create has a key of its own. */
export const createsOfJobs = ({ token, job }: SampleData): Questions => ({
  requests: [
    {
      method: 'POST',
      path: '/v1/jobs',
      headers: { authorization: `Bearer ${token}`, accept: 'application/json', ...json },
      body: Buffer.from(JSON.stringify(job)),
      setupRequest: (request) => ({ ...request, headers: { ...request.headers, 'idempotency-key': randomUUID() } }),
    },
  ],
});

/** What an MCP client sends with every message once it has connected. */
export const mcpHeaders = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
  ...json,
});

/** `tools/call get_job`, of the jobs that `readsOfJobs` reads; a refused call is answered with 200 too. */
export const callsOfGetJob = ({ token, jobIds }: SampleData): Questions => ({
  requests: jobIds.slice(0, readsMax).map((id, index) => ({
    method: 'POST',
    path: '/mcp',
    headers: mcpHeaders(token),
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: index + 1,
      method: 'tools/call',
      params: { name: 'get_job', arguments: { id } },
    }),
  })),
  isRight: (body) => body.includes('"http_status":200'),
});
