import { createServer, type IncomingMessage } from 'node:http';
import { operationOf } from '../../../src/contract/document.ts';
import { tools } from '../../../src/contract/tools.ts';
import type { OperationId } from '../../../src/contract/types.ts';
import {
  type Answer,
  type Claim,
  claimOf,
  failed,
  keptAnswers,
  type Operation,
  operations,
  unauthorized,
} from './floor.ts';

// The floor: every operation by hand on node:http and pg, over REST and as calls of tools.

const jobPath = '/v1/jobs/';
type Named = Readonly<Record<string, Operation | undefined>>;
/** By method and path, a job's id left out. */
const routes: Named = Object.fromEntries(
  Object.entries(operations).map(([operationId, operation]) => {
    const { method, path } = operationOf(operationId as OperationId);
    return [`${method.toUpperCase()} /v1${path.replace('{id}', '')}`, operation];
  }),
);
const byTool = new Map(tools.map(({ tool, operationId }) => [tool.name, (operations as Named)[operationId]]));
const notFound = failed(404, 'There is nothing at this path.');

async function answer(request: IncomingMessage): Promise<Answer> {
  const { method = '', url = '', headers } = request;
  const claim = claimOf(headers.authorization);
  const text = method === 'POST' || method === 'PATCH' ? await readBody(request) : '';
  if (!claim) return unauthorized;
  if (url === '/mcp') return callTool(claim, text);
  const body = text === '' ? undefined : JSON.parse(text);
  const [path = '', search] = url.split('?', 2);
  const id = path.startsWith(jobPath) ? path.slice(jobPath.length) : undefined;
  const operation = routes[`${method} ${id === undefined ? path : jobPath}`];
  if (!operation) return notFound;
  const query = search === undefined ? {} : Object.fromEntries(new URLSearchParams(search));
  return operation(claim, { id, query, key: headers['idempotency-key'], body, text });
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => resolve(text));
    request.on('error', reject);
  });
}

/** tools/call: the same operations, with the JSON of their answers put into a result as text. */
async function callTool(claim: Claim, message: string): Promise<Answer> {
  const { id: messageId, params } = JSON.parse(message);
  const operation = byTool.get(params?.name);
  if (!operation) return notFound;
  const { id, idempotency_key: key, job: body, ...query } = params.arguments ?? {};
  const answered = await operation(claim, { id, key, body, query });
  if (answered === unauthorized) return unauthorized;
  const result = keptResults.get(answered) ?? resultOf(answered);
  return { status: 200, text: `{"jsonrpc":"2.0","id":${JSON.stringify(messageId)},"result":${result}}` };
}

const keptResults = new Map(keptAnswers.map((kept) => [kept, resultOf(kept)]));

function resultOf({ status, text = 'null' }: Answer): string {
  const isError = status >= 400;
  const outcome = isError ? text.slice(1, -1) : `"response":${text}`;
  const structured = `{"environment":"production","http_status":${status},${outcome}}`;
  const content = `[{"type":"text","text":${JSON.stringify(structured)}}]`;
  return `{"content":${content},"structuredContent":${structured},"isError":${isError}}`;
}

createServer(async (request, response) => {
  const { status, headers, text } = await answer(request).catch((error: unknown) => {
    // A load that ends cuts its last requests off.
    if (!request.destroyed) console.error(error);
    return failed(500, 'Something went wrong.');
  });
  const environment = { 'X-API-Environment': 'production', ...headers };
  if (text === undefined) response.writeHead(status, environment).end();
  else {
    const described = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) };
    response.writeHead(status, { ...environment, ...described }).end(text);
  }
}).listen(Number(process.env.PORT), '127.0.0.1');
