import { readFileSync } from 'node:fs';
import type { Document } from 'openapi-backend';
import type { Scope } from '../domain/actor.ts';
import type { Shape } from './input-size.ts';
import type { OperationId } from './types.ts';

/** openapi.yaml with its references resolved, as generated. */
export const document: Document = JSON.parse(
  readFileSync(new URL('../../generated/contract.json', import.meta.url), 'utf8'),
);

/** The field names for errors of the body and of the query as a whole; no field of the contract has these names. */
export const wholeBody = 'request_body';
export const wholeQuery = 'query';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: { readonly type: string; readonly default?: unknown };
}

export interface Operation {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  readonly scope: Scope;
  readonly hasBody: boolean;
  /** Clients may keep the response and ask with If-None-Match whether it has changed. */
  readonly isConditional: boolean;
  /** The names of the request body's fields. */
  readonly bodyFields: readonly string[];
  /** Those of the returned object that the service sets. */
  readonly serviceFields: readonly string[];
  readonly parameters: readonly Parameter[];
  /** Of a request's query and body. */
  readonly shape: Shape;
}

/** The parts of an operation that the service reads; `npm run lint:contract` checks that they exist. */
interface WrittenOperation {
  operationId: OperationId;
  'x-scope': Scope;
  requestBody?: Content;
  responses: Record<string, Content>;
  parameters?: Parameter[];
}

interface Content {
  content?: { 'application/json'?: { schema?: Schema } };
}

interface Schema extends Shape {
  properties?: Record<string, Schema>;
}

const schemaOf = (holder: Content | undefined): Schema => holder?.content?.['application/json']?.schema ?? {};

function readOperations(): ReadonlyMap<OperationId, Operation> {
  const paths = Object.entries((document.paths ?? {}) as Record<string, Record<string, WrittenOperation>>);
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, written]): Operation => {
      const { operationId, 'x-scope': scope, requestBody, responses, parameters = [] } = written;
      const bodyFields = Object.keys(schemaOf(requestBody).properties ?? {});
      const returned = Object.keys(schemaOf(responses['200']).properties?.data?.properties ?? {});
      const serviceFields = returned.filter((name) => !bodyFields.includes(name));
      const hasBody = requestBody !== undefined;
      const isConditional = parameters.some(({ name }) => name === 'If-None-Match');
      const query = Object.fromEntries(parameters.filter((one) => one.in === 'query').map((one) => [one.name, {}]));
      const shape = { properties: { query: { properties: query }, requestBody: schemaOf(requestBody) } };
      return { operationId, method, path, scope, hasBody, isConditional, bodyFields, serviceFields, parameters, shape };
    }),
  );
  return new Map(operations.map((operation) => [operation.operationId, operation]));
}

/** Every operation of the contract by its operationId. */
export const operations = readOperations();

export function operationOf(operationId: OperationId): Operation {
  const operation = operations.get(operationId);
  if (!operation) throw new Error(`the contract has no operation ${operationId}`);
  return operation;
}

/** The contract's default of a numeric parameter. */
export function defaultOf(operationId: OperationId, name: string): number {
  const value = operationOf(operationId).parameters.find((parameter) => parameter.name === name)?.schema.default;
  if (typeof value !== 'number') throw new Error(`the contract has no numeric default for ${operationId} ${name}`);
  return value;
}
