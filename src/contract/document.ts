import { readFileSync } from 'node:fs';
import type { Document } from 'openapi-backend';
import type { Scope } from '../domain/actor.ts';
import type { Reasons } from '../domain/errors.ts';
import { type Rules, rulesOf, type Shape } from '../domain/field-rules.ts';
import { builtFile } from '../files.ts';
import type { OperationId } from './types.ts';

/** openapi.yaml with its references resolved, as generated. */
export const document: Document = JSON.parse(readFileSync(builtFile('generated/contract.json'), 'utf8'));

/** The field names for errors of the body and of the query as a whole; no field of the contract has these names. */
export const wholeBody = 'request_body';
export const wholeQuery = 'query';

interface ParameterSchema extends Shape {
  readonly type: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ParameterSchema;
  readonly default?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: ParameterSchema;
  /** What a parameter of the path names, as the `reason` of a 404. */
  readonly 'x-names'?: Reasons[404];
}

export interface Operation {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly scope: Scope;
  readonly hasBody: boolean;
  /** The parameters in the path, in the order of the path. */
  readonly pathParameters: readonly Parameter[];
  /** What the operation is about, named as in the `reason` of a 404: `job` for `/jobs/{id}` and for `/jobs`. */
  readonly resource: Reasons[404] | undefined;
  /** Whether clients may cache the response and revalidate it with If-None-Match. */
  readonly takesIfNoneMatch: boolean;
  /** The names of the request body's fields. */
  readonly bodyFields: readonly string[];
  /** The rules that the body's fields have in addition to the schema. Empty if the body is not stored. */
  readonly rules: Rules;
  /** The fields of the returned object that the service sets. */
  readonly serviceFields: readonly string[];
  readonly parameters: readonly Parameter[];
  /** The values of parameters that a request leaves out. */
  readonly defaults: Readonly<Record<'query' | 'header', Readonly<Record<string, unknown>>>>;
  /** The bounds of a request's parameters and body. Names of headers are in lower case. */
  readonly shape: Shape;
}

/** The parts of an operation that the service reads; `npm run lint:contract` checks that they exist. */
interface WrittenOperation {
  operationId: OperationId;
  summary: string;
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
  'x-stored'?: string;
}

const parameter = /\{(\w+)\}/g;
const namesIn = (path: string): string[] => [...path.matchAll(parameter)].map(([, name = '']) => name);

const schemaOf = (holder: Content | undefined): Schema => holder?.content?.['application/json']?.schema ?? {};

/** Returns the last path parameter of the path that these methods belong to. */
const itemParameterOf = (methods: Record<string, WrittenOperation>): Parameter | undefined =>
  Object.values(methods)[0]?.parameters?.findLast((one) => one.in === 'path');

function readOperations(): ReadonlyMap<OperationId, Operation> {
  const paths = Object.entries((document.paths ?? {}) as Record<string, Record<string, WrittenOperation>>);
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, written]): Operation => {
      const { operationId, summary, 'x-scope': scope, requestBody, responses, parameters = [] } = written;
      const bodyFields = Object.keys(schemaOf(requestBody).properties ?? {});
      const returned = Object.keys(schemaOf(responses['200']).properties?.data?.properties ?? {});
      const serviceFields = returned.filter((name) => !bodyFields.includes(name));
      const hasBody = requestBody !== undefined;
      const pathParameters = namesIn(path).flatMap((name) =>
        parameters.filter((one) => one.in === 'path' && one.name === name),
      );
      const item = paths.find(([other]) => other.startsWith(`${path}/{`) && other.indexOf('/', path.length + 1) < 0);
      const resource = (item ? itemParameterOf(item[1]) : pathParameters.at(-1))?.['x-names'];
      const takesIfNoneMatch = parameters.some(({ name }) => name === 'If-None-Match');
      const shapesIn = (place: Parameter['in'], nameOf = (name: string) => name): Shape => ({
        properties: Object.fromEntries(
          parameters.filter((one) => one.in === place).map((one) => [nameOf(one.name), one.schema]),
        ),
      });
      const defaultsIn = (place: Parameter['in']) =>
        Object.fromEntries(
          parameters.flatMap(({ in: own, name, schema: { default: value } }) =>
            own === place && value !== undefined ? [[name, value]] : [],
          ),
        );
      const defaults = { query: defaultsIn('query'), header: defaultsIn('header') };
      const properties = {
        ...{ path: shapesIn('path'), query: shapesIn('query'), requestBody: schemaOf(requestBody) },
        header: shapesIn('header', (name) => name.toLowerCase()),
      };
      const shape = { properties };
      const rules = rulesOf(schemaOf(requestBody)['x-stored']);
      const fields = { resource, bodyFields, rules, serviceFields, parameters, defaults, shape };
      return { operationId, method, path, summary, scope, hasBody, pathParameters, takesIfNoneMatch, ...fields };
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

/** Returns the schemas of all operations' parameters of that name. */
export const parameterSchemas = (wanted: string): ParameterSchema[] =>
  [...operations.values()].flatMap(({ parameters }) =>
    parameters.flatMap(({ name, schema }) => (name === wanted ? [schema] : [])),
  );

/** Returns the operations that read what an operation's path names, outermost first: GET of `/jobs/{id}` for `/jobs/{id}/notes`. */
export function readersOf({ path }: Operation): Operation[] {
  const blank = (template: string) => `${template.replace(parameter, '{}')}/`;
  return [...operations.values()]
    .filter(
      (one) =>
        one.method === 'get' &&
        one.path.endsWith('}') &&
        blank(path).startsWith(blank(one.path)) &&
        !one.parameters.some(({ in: place, required }) => place !== 'path' && required === true),
    )
    .sort((one, other) => one.path.length - other.path.length);
}

/** Returns the path of the resource with an id, below the base address: `/jobs/7`. */
export function pathOf(resource: Reasons[404], id: number): string {
  const reader = [...operations.values()].find(
    (one) => one.method === 'get' && one.resource === resource && one.path.endsWith('}'),
  );
  if (!reader) throw new Error(`the contract has no operation that reads a ${resource}`);
  return reader.path.replace(/\{\w+\}$/, String(id));
}

export type Match =
  | { readonly kind: 'operation'; readonly operation: Operation; readonly pathValues: Readonly<Record<string, string>> }
  | { readonly kind: 'method'; readonly allow: readonly string[] }
  | { readonly kind: 'none' };

/** Every operation with its path as a pattern, literal paths before templates: `/jobs/count` is not a job. */
const routes = [...operations.values()]
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replace(parameter, '(?<$1>[^/]+)')}/*$`),
  }))
  .sort((a, b) => a.operation.pathParameters.length - b.operation.pathParameters.length);

/** Finds the operation of a method and a path below the base address. Values of the path are not decoded. */
export function match(method: string, path: string): Match {
  const found = routes.flatMap(({ operation, pattern }) => {
    const values = pattern.exec(path);
    return values ? [{ operation, pathValues: { ...values.groups } }] : [];
  });
  const own = found.find(({ operation }) => operation.method === method);
  if (own) return { kind: 'operation', ...own };
  // RFC 9110 section 9.1: a resource with GET has HEAD.
  const allow = found.flatMap(({ operation: { method } }) =>
    method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  );
  return allow.length > 0 ? { kind: 'method', allow } : { kind: 'none' };
}
