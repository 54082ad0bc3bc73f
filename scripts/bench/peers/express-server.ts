import { readFileSync } from 'node:fs';
import express, { type NextFunction, type Request, type Response } from 'express';
import { middleware } from 'express-openapi-validator';
import type { OperationId } from '../../../src/contract/types.ts';
import { operationsOf, readDocument } from '../../generate-document.ts';
import type { Caller } from './prisma-jobs.ts';
import { failed, findCaller, operations, type PeerReply } from './prisma-operations.ts';

// The first peer: what one would build instead, from the parts that one would take, as their documentation shows them.

const contract = readDocument(readFileSync(process.argv[2] ?? 'openapi.yaml', 'utf8'));
// The validator would write a field's default into a PATCH that omits the field.
const apiSpec = JSON.parse(JSON.stringify(contract), (key, value) => (key === 'default' ? undefined : value));
const app = express();

async function authenticate(request: Request): Promise<boolean> {
  const caller = await findCaller(request.get('authorization'));
  if (!caller) return false;
  if (request.method !== 'GET' && caller.access !== 'write')
    throw Object.assign(new Error('forbidden'), { status: 403 });
  if (request.res) request.res.locals.caller = caller;
  return true;
}

app.disable('x-powered-by');
app.disable('etag');
app.use(express.json({ limit: 131_072, inflate: false }));
app.use(
  middleware({
    apiSpec,
    validateRequests: true,
    validateResponses: false,
    validateSecurity: { handlers: { bearer: authenticate } },
  }),
);

for (const { operationId, method, path } of operationsOf(contract)) {
  // The contract's operationIds are the keys of this type.
  const operation = operations[operationId as OperationId];
  const route = app.route(`/v1${path.replace(/\{(\w+)\}/g, ':$1')}`);
  route[method as 'get' | 'post' | 'patch' | 'delete'](async (request: Request, response: Response) => {
    const { params, query, body } = request;
    const asked = { path: params, query, key: request.get('idempotency-key'), body };
    send(response, await operation(response.locals.caller as Caller, asked));
  });
}

app.use((error: { status?: number; message: string }, _request: Request, response: Response, _next: NextFunction) => {
  // The validator answers 400 where the contract says 422.
  const status = error.status === 400 ? 422 : (error.status ?? 500);
  if (status === 500) console.error(error);
  send(response, failed(status, status === 500 ? 'Something went wrong.' : error.message));
});

function send(response: Response, { status, headers = {}, body }: PeerReply): void {
  response.status(status).set(headers);
  if (body) response.json(body);
  else response.end();
}

app.listen(Number(process.env.PORT), '127.0.0.1');
