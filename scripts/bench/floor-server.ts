import { createServer, type IncomingMessage } from 'node:http';
import { callTool } from './floor-mcp.ts';
import {
  type Answer,
  type Asked,
  createJob,
  failed,
  getAccount,
  getJob,
  listCategories,
  listJobs,
  listOptions,
  listRegions,
  type Operation,
  store,
  updateJob,
  withdrawJob,
} from './floor-operations.ts';

// The floor: every operation by hand on node:http and pg.

const collection: Readonly<Record<string, Operation>> = {
  'GET /v1/account': getAccount,
  'GET /v1/categories': listCategories,
  'GET /v1/regions': listRegions,
  'GET /v1/options': listOptions,
  'GET /v1/jobs': listJobs,
  'POST /v1/jobs': createJob,
};
const single: Readonly<Record<string, Operation>> = { GET: getJob, PATCH: updateJob, DELETE: withdrawJob };
const jobPath = '/v1/jobs/';

async function answer(request: IncomingMessage): Promise<Answer> {
  const { method = '', url = '', headers } = request;
  const bearer = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
  const caller = bearer === undefined ? undefined : await store.findCaller(bearer);
  if (!caller) return failed(401, 'A valid credential is needed.');
  const bytes = method === 'POST' || method === 'PATCH' ? await readBody(request) : undefined;
  if (url === '/mcp' && bytes) return callTool(caller, bytes);
  const [path = '', search] = url.split('?', 2);
  const isSingle = path.startsWith(jobPath);
  const operation = isSingle ? single[method] : collection[`${method} ${path}`];
  if (!operation) return failed(404, 'There is nothing at this path.');
  const asked: Asked = {
    id: isSingle ? path.slice(jobPath.length) : undefined,
    query: search === undefined ? {} : Object.fromEntries(new URLSearchParams(search)),
    key: headers['idempotency-key'],
    body: bytes && JSON.parse(bytes.toString()),
    bytes,
  };
  return operation(caller, asked);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

createServer((request, response) => {
  void answer(request)
    .catch((error: unknown) => {
      // A load that ends cuts its last requests off.
      if (!request.destroyed) console.error(error);
      return failed(500, 'Something went wrong.');
    })
    .then(({ status, headers, text }) => {
      const environment = { ...headers, 'X-API-Environment': 'production' };
      if (text === undefined) {
        response.writeHead(status, environment).end();
        return;
      }
      response
        .writeHead(status, {
          ...environment,
          'Content-Type': 'application/json; charset=utf-8',
          'Content-Length': Buffer.byteLength(text),
        })
        .end(text);
    });
}).listen(Number(process.env.PORT), '127.0.0.1');
