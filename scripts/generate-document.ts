import { parse } from 'yaml';

/** A mistake in the contract; `path` leads to its place in the document. */
export class ContractError extends Error {
  readonly path: readonly string[];

  constructor(path: readonly string[], message: string) {
    super(message);
    this.path = path;
  }
}

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** An operation with its path item's parameters joined in; every `$ref` inlined if the document's were. */
export interface FoundOperation {
  operationId: string;
  method: string;
  path: string;
  scope: string | null;
  operation: JsonObject;
  parameters: JsonObject[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The contract as plain JSON in the order of the YAML: anchors and merges resolved, `$ref`s kept, no object shared. */
export function readDocument(yaml: string): JsonObject {
  const parsed: unknown = parse(yaml, { merge: true, maxAliasCount: -1 });
  return asObject(JSON.parse(JSON.stringify(parsed)), 'openapi.yaml');
}

/** The value as an object; throws naming `where` when it is anything else. */
export function asObject(value: Json | undefined, where: string): JsonObject {
  if (isObject(value)) return value;
  throw new Error(`${where}: an object is expected`);
}

/** The schema of that name among the document's components. */
export const schemaOf = (document: JsonObject, name: string): JsonObject =>
  asObject(asObject(asObject(document.components, 'components').schemas, 'schemas')[name], name);

/** Whether the value is a JSON object (no array, not null). */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as a string; throws naming `where` when it is anything else. */
export function asString(value: Json | undefined, where: string): string {
  if (typeof value === 'string') return value;
  throw new Error(`${where}: a string is expected`);
}

/**
 * Every `$ref` into the same document replaced by a copy of its target; a circular one is refused. No object is shared,
 * because openapi-backend would take a shared one for a cycle.
 */
export function dereference(document: JsonObject): JsonObject {
  const inline = (value: Json, trail: string[]): Json => {
    if (Array.isArray(value)) return value.map((item) => inline(item, trail));
    if (!isObject(value)) return value;
    if (typeof value.$ref === 'string') {
      if (trail.includes(value.$ref)) throw new Error(`circular $ref: ${[...trail, value.$ref].join(' -> ')}`);
      return inline(lookUp(document, value.$ref), [...trail, value.$ref]);
    }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inline(inner, trail)]));
  };
  return asObject(inline(document, []), 'openapi.yaml');
}

/** All operations, in the order of the document. */
export function operationsOf(document: JsonObject): FoundOperation[] {
  return Object.entries(asObject(document.paths, 'paths')).flatMap(([path, value]) => {
    const item = asObject(value, path);
    const methods = Object.keys(item).filter((key) => METHODS.includes(key));
    return methods.map((method) => foundOperation(path, method, item));
  });
}

function foundOperation(path: string, method: string, item: JsonObject): FoundOperation {
  const where = `${method} ${path}`;
  const operation = asObject(item[method], where);
  const parameters = [item.parameters, operation.parameters].flatMap((list) => (Array.isArray(list) ? list : []));
  return {
    operationId: operationIdOf(operation, ['paths', path, method]),
    method,
    path,
    scope: typeof operation['x-scope'] === 'string' ? operation['x-scope'] : null,
    operation,
    parameters: parameters.map((parameter) => asObject(parameter, `${where}: parameters`)),
  };
}

function operationIdOf({ operationId }: JsonObject, path: readonly string[]): string {
  if (typeof operationId === 'string') return operationId;
  throw new ContractError(path, 'needs an operationId');
}

function lookUp(document: JsonObject, ref: string): Json {
  if (!ref.startsWith('#/')) throw new Error(`only a $ref into the same document is supported: ${ref}`);
  const keys = ref.slice(2).split('/');
  return keys.reduce<Json>((value, key) => {
    const name = decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');
    const next = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    if (next === undefined) throw new Error(`$ref to nowhere: ${ref}`);
    return next;
  }, document);
}
