import { readFileSync } from 'node:fs';
import fastify, { type FastifyReply, type FastifyRequest, type FastifySchema } from 'fastify';
import type { OperationId } from '../../../src/contract/types.ts';
import {
  asObject,
  dereference,
  type FoundOperation,
  isObject,
  type JsonObject,
  operationsOf,
  readDocument,
} from '../../generate-document.ts';
import type { Caller } from './prisma-jobs.ts';
import { failed, findCaller, operations, type PeerReply, readOnly, unauthorized } from './prisma-operations.ts';

// The second peer: Fastify with its own validation and serialisation by the schemas of the same contract. Both libraries under it
// know `nullable`, so the schemas go in as they are written.

const app = fastify({
  bodyLimit: 131_072,
  // What the contract refuses is not to be removed in silence; `example` and `x-mcp` are no keywords of JSON Schema.
  ajv: { customOptions: { removeAdditional: false, strict: false } },
});

app.decorateRequest('caller', null);
app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
  const caller = await findCaller(request.headers.authorization);
  if (!caller) return send(reply, unauthorized);
  if (request.method !== 'GET' && caller.access !== 'write') return send(reply, readOnly);
  request.setDecorator('caller', caller);
});

app.setErrorHandler((error: Refusal, _request: FastifyRequest, reply: FastifyReply) => {
  const status = error.validation ? 422 : (error.statusCode ?? 500);
  if (status === 500) console.error(error);
  return send(reply, failed(status, status === 500 ? 'Something went wrong.' : error.message));
});

interface Refusal {
  readonly statusCode?: number;
  readonly validation?: unknown;
  readonly message: string;
}

type Fields = Record<string, unknown>;

const document = dereference(readDocument(readFileSync(process.argv[2] ?? 'openapi.yaml', 'utf8')));
for (const found of operationsOf(document)) {
  // The contract's operationIds are the keys of this type.
  const operation = operations[found.operationId as OperationId];
  app.route({
    method: found.method.toUpperCase(),
    url: `/v1${found.path.replace(/\{(\w+)\}/g, ':$1')}`,
    schema: schemaOf(found),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { params, query, headers, body } = request;
      const asked = { path: params as Fields, query: query as Fields, key: headers['idempotency-key'], body };
      return send(reply, await operation(request.getDecorator<Caller>('caller'), asked));
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
