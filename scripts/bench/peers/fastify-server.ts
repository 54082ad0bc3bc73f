import fastify, { type FastifySchema } from 'fastify';
import type { OpenAPIV3 } from 'openapi-types';
import { document, operationOf } from '../../../src/contract/document.ts';
import type { OperationId } from '../../../src/contract/types.ts';
import { type Asked, claimOf, failed, operations, unauthorized } from './floor-operations.ts';

// The REST peer: Fastify validates requests by the schemas of the same contract and calls the operations of floor-operations.ts. Its validator
// knows `nullable`, so it gets the schemas unchanged.

const app = fastify({
  bodyLimit: 131_072,
  // Unknown properties are refused, not removed; a default is not written into a PATCH; extensions are not JSON Schema keywords.
  ajv: { customOptions: { removeAdditional: false, useDefaults: false, strict: false } },
});

app.setErrorHandler((error: { statusCode?: number; validation?: unknown; message: string }, _request, reply) => {
  const status = error.validation ? 422 : (error.statusCode ?? 500);
  if (status === 500) console.error(error);
  return reply.code(status).type('application/json; charset=utf-8').send(failed(status, error.message).text);
});

for (const [operationId, operation] of Object.entries(operations)) {
  const { method, path } = operationOf(operationId as OperationId);
  app.route({
    method: method.toUpperCase(),
    url: `/v1${path.replace(/\{(\w+)\}/g, ':$1')}`,
    schema: schemaOf(document.paths?.[path]?.[method as 'get'] as OpenAPIV3.OperationObject),
    handler: async ({ params, query, headers, body }, reply) => {
      const claim = claimOf(headers.authorization);
      const asked = { ...(params as object), query, key: headers['idempotency-key'], body } as Asked;
      const { status, text, headers: more = {} } = claim ? await operation(claim, asked) : unauthorized;
      return reply.code(status).headers(more).type('application/json; charset=utf-8').send(text);
    },
  });
}

/** The schemas of an operation of contract.json, whose references are resolved. */
function schemaOf({ parameters = [], requestBody }: OpenAPIV3.OperationObject): FastifySchema {
  const part = (place: string) => {
    const there = (parameters as OpenAPIV3.ParameterObject[]).filter((parameter) => parameter.in === place);
    return {
      type: 'object',
      required: there.filter(({ required }) => required).map(({ name }) => name),
      properties: Object.fromEntries(there.map(({ name, schema }) => [name, schema])),
    };
  };
  const sent = (requestBody as OpenAPIV3.RequestBodyObject | undefined)?.content['application/json'];
  const querystring = { ...part('query'), additionalProperties: false };
  return { params: part('path'), querystring, headers: part('header'), ...(sent && { body: sent.schema }) };
}

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
