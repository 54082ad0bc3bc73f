import { PrismaPg } from '@prisma/adapter-pg';
import express, { type NextFunction, type Request, type Response } from 'express';
import { middleware } from 'express-openapi-validator';
import type { components } from '../../generated/openapi.ts';
import { PrismaClient } from '../../generated/prisma/client.ts';
import { type Caller, createJob, findCaller, findJob, present } from './peer-jobs.ts';

// The peer: what one would build instead, from the parts that one would take, as their documentation shows them.
// It leaves out what this service does besides: request limits, plan and quota rules, category rules, sanitizing.

const apiSpec = process.argv[2] ?? 'openapi.yaml';
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 10 }) });
const app = express();

const callerOf = (response: Response): Caller => response.locals.caller as Caller;

async function authenticate(request: Request): Promise<boolean> {
  const token = request.get('authorization')?.replace(/^Bearer /, '') ?? '';
  const caller = await findCaller(prisma, token, new Date());
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

app.get('/v1/jobs/:id', async (request, response) => {
  const job = await findJob(prisma, callerOf(response), BigInt(String(request.params.id)));
  if (job) response.json({ data: present(job, callerOf(response)) });
  else sendError(response, 404, 'There is no such job.');
});

app.post('/v1/jobs', async (request, response) => {
  const key = String(request.get('idempotency-key'));
  // The validator has checked it against this schema.
  const input = request.body as components['schemas']['JobInput'];
  const outcome = await createJob(prisma, callerOf(response), key, input, new Date());
  if (outcome.kind === 'conflict') return sendError(response, 409, 'The key was used with different JSON.');
  if (outcome.kind === 'gone') return sendError(response, 410, 'The job was removed.');
  const body = { data: present(outcome.job, callerOf(response)) };
  if (outcome.kind === 'replayed') response.set('Idempotent-Replayed', 'true').json(body);
  else response.status(201).location(`/v1/jobs/${outcome.job.id}`).json(body);
});

app.use((error: { status?: number; message: string }, _request: Request, response: Response, _next: NextFunction) => {
  // The validator answers 400 where the contract says 422.
  const status = error.status === 400 ? 422 : (error.status ?? 500);
  if (status === 500) console.error(error);
  sendError(response, status, status === 500 ? 'Something went wrong.' : error.message);
});

function sendError(response: Response, status: number, message: string): void {
  response.status(status).json({ error: { status, message, details: {} } });
}

app.listen(Number(process.env.PORT), '127.0.0.1');
