import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIV3 } from 'openapi-types';
import {
  asObject,
  dereference,
  type FoundOperation,
  isObject,
  type Json,
  type JsonObject,
  operationsOf,
  readDocument,
} from '../../scripts/generate/document.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';

/** An example of the contract, and the schema that it must match. */
export interface Example {
  /** Its place in the document. */
  readonly where: string;
  readonly value: Json;
  readonly schema: OpenAPIV3.SchemaObject;
}

const yaml = readFileSync(join(packageRoot, 'openapi.yaml'), 'utf8');
/** The published contract with its examples, references resolved. */
const whole = dereference(readDocument(yaml));

export const operations: readonly FoundOperation[] = operationsOf(whole);

/** Every value under `example` or `examples` of parameters, headers and bodies. */
export const allExamples = (): Example[] => found(whole, 'openapi.yaml');

function found(value: Json, where: string): Example[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => found(item, `${where}[${at}]`));
  if (!isObject(value)) return [];
  const own = isObject(value.schema)
    ? valuesOf(value).map(([name, example]) => exampleOf(value, `${where} ${name}`, example))
    : [];
  const inner = Object.entries(value).filter(([key]) => key !== 'schema' && key !== 'examples' && key !== 'example');
  return [...own, ...inner.flatMap(([key, item]) => found(item, `${where}/${key}`))];
}

const exampleOf = (holder: JsonObject, where: string, value: Json): Example => ({
  where,
  value,
  // The document has passed the linters of `npm run lint:contract`.
  schema: holder.schema as unknown as OpenAPIV3.SchemaObject,
});

/** Name and value of each example of a parameter, a header or a body. */
function valuesOf(holder: JsonObject): [string, Json][] {
  const named = Object.entries(isObject(holder.examples) ? holder.examples : {});
  const values = named.map(([name, example]): [string, Json] => [name, asObject(example, name).value ?? null]);
  return holder.example === undefined ? values : [['example', holder.example], ...values];
}

/** The bodies of an operation's request, or of one of its responses, by the name of the example. */
export function bodyExamples(holder: Json | undefined): [string, JsonObject][] {
  const content = isObject(holder) && isObject(holder.content) ? holder.content['application/json'] : undefined;
  return isObject(content) ? valuesOf(content).map(([name, value]) => [name, asObject(value, name)]) : [];
}

export function operation(operationId: string): FoundOperation {
  const one = operations.find((other) => other.operationId === operationId);
  if (!one) throw new Error(`no operation ${operationId}`);
  return one;
}

/** Name and body of the examples of errors. */
export function errorExamples(): [string, JsonObject][] {
  const named = asObject(asObject(whole.components, 'components').examples, 'examples');
  return Object.entries(named)
    .map(([name, example]): [string, JsonObject] => [name, asObject(asObject(example, name).value, name)])
    .filter(([, value]) => value.error !== undefined);
}
