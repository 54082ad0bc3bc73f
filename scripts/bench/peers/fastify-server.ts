import fastify, { type FastifyReply, type FastifyRequest, type FastifySchema } from 'fastify';
import type { OpenAPIV3 } from 'openapi-types';
import { document, operationOf } from '../../../src/contract/document.ts';
import type { OperationId } from '../../../src/contract/types.ts';
import type { Caller } from './prisma-jobs.ts';
import { failed, findCaller, operations, type PeerReply, readOnly, unauthorized } from './prisma-operations.ts';

// The second peer: Fastify with its own validation and serialisation by the schemas of the same contract. Both libraries under it
// know `nullable`, so the schemas go in as they are written.

const app = fastify({
  bodyLimit: 131_072,
  // Unknown properties are refused, not removed; a default is not written into a PATCH; extensions are not JSON Schema keywords.
  ajv: { customOptions: { removeAdditional: false, useDefaults: false, strict: false } },
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

// The contract's operationIds are the keys of this type.
for (const operationId of Object.keys(operations) as OperationId[]) {
  const { method, path } = operationOf(operationId);
  app.route({
    method: method.toUpperCase(),
    url: `/v1${path.replace(/\{(\w+)\}/g, ':$1')}`,
    schema: schemaOf(document.paths?.[path]?.[method as 'get'] as Written),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { params, query, headers, body } = request;
      const given = { path: params as Fields, query: query as Fields, key: headers['idempotency-key'], body };
      return send(reply, await operations[operationId](request.getDecorator<Caller>('caller'), given));
    },
  });
}

function send(reply: FastifyReply, { status, headers = {}, body }: PeerReply): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

/** An operation of contract.json, whose references are resolved. */
interface Written {
  readonly parameters?: readonly OpenAPIV3.ParameterObject[];
  readonly requestBody?: OpenAPIV3.RequestBodyObject;
  readonly responses: Readonly<Record<string, OpenAPIV3.ResponseObject>>;
}

function schemaOf({ parameters = [], requestBody, responses }: Written): FastifySchema {
  const part = (place: string) => {
    const there = parameters.filter((parameter) => parameter.in === place);
    return {
      type: 'object',
      required: there.filter(({ required }) => required).map(({ name }) => name),
      properties: Object.fromEntries(there.map(({ name, schema }) => [name, schema])),
    };
  };
  const schemaIn = (holder: OpenAPIV3.ResponseObject | OpenAPIV3.RequestBodyObject) =>
    holder.content?.['application/json']?.schema;
  const successes = Object.entries(responses).filter(
    ([status, response]) => status.startsWith('2') && response.content,
  );
  return {
    params: part('path'),
    querystring: { ...part('query'), additionalProperties: false },
    headers: part('header'),
    ...(requestBody && { body: schemaIn(requestBody) }),
    response: Object.fromEntries(successes.map(([status, response]) => [status, schemaIn(response)])),
  };
}

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
