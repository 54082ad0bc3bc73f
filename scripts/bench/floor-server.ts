import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { jobColumns } from './floor-columns.ts';
import { type Caller, FloorStore, type JobRow } from './floor-store.ts';

// The floor: what the two operations cost by hand on node:http and pg, with the least checking that still answers alike.

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

const store = new FloorStore(process.env.DATABASE_URL ?? '');

const failed = (status: number, message: string): Answer => ({
  status,
  body: { error: { status, message, details: {} } },
});

async function answer(request: IncomingMessage): Promise<Answer> {
  const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  const caller = bearer === undefined ? undefined : await store.findCaller(bearer);
  if (!caller) return failed(401, 'A valid credential is needed.');
  const { method, url = '' } = request;
  const id = /^\/v1\/jobs\/([1-9]\d{0,14})$/.exec(url)?.[1];
  if (method === 'GET' && id) return getJob(caller, id);
  if (method === 'POST' && url === '/v1/jobs') return createJob(caller, request);
  return failed(404, 'There is nothing at this path.');
}

async function getJob(caller: Caller, id: string): Promise<Answer> {
  const job = await store.findJob(caller, id);
  return job ? { status: 200, body: { data: present(job, caller) } } : failed(404, 'There is no such job.');
}

async function createJob(caller: Caller, request: IncomingMessage): Promise<Answer> {
  if (caller.access !== 'write') return failed(403, 'The credential may only read.');
  const key = request.headers['idempotency-key'];
  const bytes = await readBody(request);
  const body: unknown = JSON.parse(bytes.toString());
  if (typeof key !== 'string' || !isJob(body)) return failed(422, 'The job is not valid.');
  const digest = createHash('sha256').update(bytes).digest('base64url');
  const job = await store.createJob(caller, key, digest, body);
  if (job) return { status: 201, headers: { Location: `/v1/jobs/${job.id}` }, body: { data: present(job, caller) } };
  const claimed = await store.findKey(caller, key);
  if (claimed?.digest !== digest) return failed(409, 'The key was used with different JSON.');
  return { ...(await getJob(caller, claimed.jobId)), headers: { 'Idempotent-Replayed': 'true' } };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

function isJob(body: unknown): body is Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return false;
  if (!Object.keys(body).every((name) => name in jobColumns)) return false;
  const {
    title,
    body: text,
    contact_instructions,
    category_id,
    district_id,
    application_method,
  } = body as Record<string, unknown>;
  return (
    [title, text, contact_instructions, application_method].every(isText) &&
    Number.isInteger(category_id) &&
    Number.isInteger(district_id)
  );
}

const present = (job: JobRow, { companyName }: Caller) => ({
  ...job,
  id: Number(job.id),
  company_name: job.is_anonymous ? null : companyName,
  is_active: job.status === 'active',
});

createServer((request, response) => {
  void answer(request)
    .catch((error: unknown) => {
      // A load that ends cuts its last requests off.
      if (!request.destroyed) console.error(error);
      return failed(500, 'Something went wrong.');
    })
    .then(({ status, headers, body }) => {
      const text = Buffer.from(JSON.stringify(body));
      response.writeHead(status, {
        ...headers,
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': text.length,
        'X-API-Environment': 'production',
      });
      response.end(text);
    });
}).listen(Number(process.env.PORT), '127.0.0.1');
