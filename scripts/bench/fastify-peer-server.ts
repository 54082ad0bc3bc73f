import { readFileSync } from 'node:fs';
import { PrismaPg } from '@prisma/adapter-pg';
import fastify, { type FastifyReply, type FastifySchema } from 'fastify';
import { PrismaClient } from '../../generated/prisma/client.ts';
import type { OperationId } from '../../src/contract/types.ts';
import {
  asObject,
  dereference,
  type FoundOperation,
  isObject,
  type JsonObject,
  operationsOf,
  readDocument,
} from '../generate-document.ts';
import { type Caller, findCaller } from './peer-caller.ts';
import { failed, operations, type PeerReply } from './peer-operations.ts';

// The second peer: Fastify with its own validation and serialisation by the schemas of the same contract. Both libraries under it
// know `nullable`, so the schemas go in as they are written. It leaves out what the first peer leaves out.

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 10 }) });
const app = fastify({
  bodyLimit: 131_072,
  // What the contract refuses is not to be removed in silence; `example` and `x-mcp` are no keywords of JSON Schema.
  ajv: { customOptions: { removeAdditional: false, strict: false } },
});

app.decorateRequest('caller', null);
app.addHook('onRequest', async (request, reply) => {
  const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
  const caller = await findCaller(prisma, token, new Date());
  if (!caller) return send(reply, failed(401, 'A valid credential is needed.'));
  if (request.method !== 'GET' && caller.access !== 'write')
    return send(reply, failed(403, 'The credential may only read.'));
  request.caller = caller;
});

app.setErrorHandler((error: { statusCode?: number; validation?: unknown; message: string }, _request, reply) => {
  const status = error.validation ? 422 : (error.statusCode ?? 500);
  if (status === 500) console.error(error);
  return send(reply, failed(status, status === 500 ? 'Something went wrong.' : error.message));
});

const document = dereference(readDocument(readFileSync(process.argv[2] ?? 'openapi.yaml', 'utf8')));
for (const found of operationsOf(document)) {
  // The contract's operationIds are the keys of this type.
  const operation = operations[found.operationId as OperationId];
  app.route<{ Params: Record<string, unknown>; Querystring: Record<string, unknown> }>({
    method: found.method.toUpperCase(),
    url: `/v1${found.path.replace(/\{(\w+)\}/g, ':$1')}`,
    schema: schemaOf(found),
    handler: async ({ params, query, headers, body, caller }, reply) => {
      if (!caller) throw new Error('a request has passed without its caller');
      const asked = { path: params, query, key: String(headers['idempotency-key']), body };
      return send(reply, await operation(prisma, caller, asked));
    },
  });
}

function send(reply: FastifyReply, { status, headers = {}, body }: PeerReply): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

function schemaOf({ operation, parameters }: FoundOperation): FastifySchema {
  const body = operation.requestBody === undefined ? {} : { body: jsonSchemaIn(operation.requestBody) };
  const successes = Object.entries(asObject(operation.responses, 'responses')).filter(
    ([status, response]) => status.startsWith('2') && isObject(response) && response.content !== undefined,
  );
  return {
    params: schemaOfPart(parameters, 'path'),
    querystring: { ...schemaOfPart(parameters, 'query'), additionalProperties: false },
    headers: schemaOfPart(parameters, 'header'),
    ...body,
    response: Object.fromEntries(successes.map(([status, response]) => [status, jsonSchemaIn(response)])),
  };
}

function schemaOfPart(parameters: readonly JsonObject[], part: 'path' | 'query' | 'header'): JsonObject {
  const there = parameters.filter((parameter) => parameter.in === part);
  return {
    type: 'object',
    required: there.filter(({ required }) => required === true).map(({ name }) => String(name)),
    properties: Object.fromEntries(there.map(({ name, schema }) => [String(name), asObject(schema, String(name))])),
  };
}

function jsonSchemaIn(holder: JsonObject[string] | undefined): JsonObject {
  const content = asObject(asObject(holder, 'a body').content, 'content');
  return asObject(asObject(content['application/json'], 'application/json').schema, 'schema');
}

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
