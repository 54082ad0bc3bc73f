import { createServer, type IncomingMessage } from 'node:http';
import { type Answer, claimOf, failed, operations, unauthorized } from './floor-operations.ts';

// The floor: a server on node:http that only parses requests and calls the operations of floor-operations.ts.

const jobPath = '/v1/jobs/';
/** The operationIds by method and path. A job's path is written without its id. */
const routes: Readonly<Record<string, string>> = {
  'GET /v1/jobs/': 'getJob',
  'GET /v1/categories': 'listCategories',
  'GET /v1/jobs': 'listJobs',
  'POST /v1/jobs': 'createJob',
  'PATCH /v1/jobs/': 'updateJob',
};

async function answer({ method, url = '', headers }: IncomingMessage, text: string): Promise<Answer> {
  const claim = claimOf(headers.authorization);
  if (!claim) return unauthorized;
  const [path = '', search] = url.split('?', 2);
  const id = path.startsWith(jobPath) ? path.slice(jobPath.length) : undefined;
  const operation = operations[routes[`${method} ${id === undefined ? path : jobPath}`] ?? ''];
  if (!operation) return failed(404, 'There is nothing at this path.');
  const query = Object.fromEntries(new URLSearchParams(search));
  const body = text === '' ? undefined : JSON.parse(text);
  return operation(claim, { id, query, key: headers['idempotency-key'], body });
}

createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', async () => {
    const { status, headers, text } = await answer(request, body).catch((error: unknown) => {
      console.error(error);
      return failed(500, 'Something went wrong.');
    });
    const described = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) };
    response.writeHead(status, { 'X-API-Environment': 'production', ...headers, ...described }).end(text);
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
