import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { expect } from 'chai';
import type { OpenAPIV3 } from 'openapi-types';
import { document, match } from '../../src/contract/document.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';

/** A response in the terms of the contract. */
export interface Answer {
  readonly method: string;
  /** With the base path, without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  readonly text: string;
}

const ajv = formats.default(new Ajv({ allErrors: true, strict: false }));
// As the service reads it: RFC 3986 allows no brackets in a query.
ajv.addFormat('uri', (text: string) => URL.canParse(text));
ajv.addFormat('int64', true).addFormat('int32', true);
const compiled = new Map<object, ValidateFunction>();

/** Fails the test unless the contract declares the response: its status, headers, and a body without unknown fields. */
export function checkAnswer(answer: Answer): void {
  const { method, path, status, headers } = answer;
  const environment = /^\/sandbox(\/|$)/.test(path) ? 'sandbox' : 'production';
  const base = /^(\/sandbox)?\/v1/.exec(path)?.[0];
  const where = `${method} ${path} -> ${status}`;
  expect(headers['x-api-environment'], `${where}: X-API-Environment`).to.equal(environment);
  expect(headers['x-request-id'], `${where}: X-Request-Id`).to.match(/^[0-9a-f-]{36}$/);
  expect(status, `${where} ${answer.text}`).to.not.equal(500);
  const found = base ? match(method.toLowerCase(), path.slice(base.length) || '/') : undefined;
  if (found?.kind === 'operation') checkOperation(answer, found.operation.operationId, where);
  else checkEnvelope(answer, where);
  if (base && status >= 400) checkMessage((answer.body as Refusal).error.message, where);
}

interface Refusal {
  readonly error: { readonly message: string };
}

/** The contract's messages of refusals, in the words of both protocols. Quotes are escaped in its description. */
const publishedMessages = new Set(
  [
    ...readFileSync(join(packageRoot, 'generated/openapi.json'), 'utf8').matchAll(/"message\\?": ?\\?"([^"\\]+)/g),
  ].flatMap(([, message = '']) => [
    message,
    message.replace('Idempotency-Key', 'idempotency_key').replace('If-Match', 'if_match'),
  ]),
);

/** Every refusal's message must be an example of the contract, because a company's page of the request shows only those. */
export function checkMessage(message: string, where: string): void {
  expect(publishedMessages.has(message), `${where}: "${message}" is an example of the contract`).to.equal(true);
}

function checkOperation(answer: Answer, operationId: string, where: string): void {
  const responses = responsesOf(operationId);
  const declared = responses[String(answer.status)];
  expect(declared, `${where}: a declared status of ${operationId}`).to.not.equal(undefined);
  for (const [name, header] of Object.entries((declared?.headers ?? {}) as Record<string, OpenAPIV3.HeaderObject>)) {
    const value = answer.headers[name.toLowerCase()];
    if (value === undefined) expect(header.required ?? false, `${where}: header ${name} is required`).to.equal(false);
    else checkValue(header.schema as object, typedHeader(header, value), `${where}: header ${name}`);
  }
  const schema = declared?.content?.['application/json']?.schema;
  if (schema) checkValue(schema, answer.body, where);
  else expect(answer.text, `${where}: no body`).to.equal('');
}

/** The same for the response of a tool; where HTTP has no body, the contract declares it under x-mcp. */
export function checkToolResponse(operationId: string, status: number, response: unknown): void {
  const { [String(status)]: declared, 'x-mcp': shown } = responsesOf(operationId);
  const { content = shown?.content } = declared ?? {};
  const where = `tool of ${operationId} -> ${status}`;
  const schema = content?.['application/json']?.schema;
  expect(schema, `${where}: a declared response`).to.not.equal(undefined);
  checkValue(schema as object, response, where);
}

const typedHeader = (header: OpenAPIV3.HeaderObject, value: string): unknown =>
  (header.schema as OpenAPIV3.SchemaObject).type === 'integer' ? Number(value) : value;

function responsesOf(operationId: string): Record<string, OpenAPIV3.ResponseObject> {
  const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path ?? {}));
  const operation = operations.find((other) => (other as OpenAPIV3.OperationObject).operationId === operationId);
  return (operation as OpenAPIV3.OperationObject).responses as Record<string, OpenAPIV3.ResponseObject>;
}

/** Paths and methods outside the contract are answered with the error envelope. */
function checkEnvelope({ body, status }: Answer, where: string): void {
  const error = (body as { error?: { status?: unknown; message?: unknown; details?: unknown } }).error;
  expect(error?.status, `${where}: envelope`).to.equal(status);
  expect(error?.message, `${where}: envelope`).to.be.a('string');
  expect(error?.details, `${where}: envelope`).to.be.an('object');
}

export function checkValue(schema: object, value: unknown, where: string): void {
  let validate = compiled.get(schema);
  if (!validate) {
    validate = ajv.compile(closed(schema) as object);
    compiled.set(schema, validate);
  }
  validate(value);
  expect(validate.errors ?? [], `${where}: ${JSON.stringify(value)}`).to.deep.equal([]);
}

/** The schema with every object closed, so that an undeclared field fails. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isClosable = copy.type === 'object' && copy.properties !== undefined && copy.additionalProperties === undefined;
  return isClosable ? { ...copy, additionalProperties: false } : copy;
}
