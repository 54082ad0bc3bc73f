import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import {
  ContractError,
  dereference,
  isObject,
  type Json,
  type JsonObject,
  objectsIn,
  operationsOf,
} from './document.ts';

/** The extensions of operations and of job fields, and the types of their values: what a schema cannot say. */
const extensions: Readonly<Record<string, string>> = {
  // Of an operation: the scope that it needs, and its tool; on a parameter or header, whether tools have it. Beside the statuses of
  // responses: what the tool returns where HTTP has no body.
  'x-scope': 'string',
  'x-mcp': 'object or boolean',
  // The name on pages.
  'x-label': 'string',
  // The key in `Options`.
  'x-options': 'string',
  // Sanitized HTML.
  'x-html': 'boolean',
  // Needs a visible character.
  'x-visible': 'boolean',
  // A date after today.
  'x-future': 'boolean',
  // An https URL with a host.
  'x-https': 'boolean',
  'x-max-bytes': 'number',
  'x-decimals': 'number',
  // The reference data whose id it is.
  'x-references': 'string',
  // Required when another field has a value.
  'x-required-when': 'object',
  // At least as much as another field.
  'x-at-least': 'string',
  // The value of a new job that leaves the field out; its description says it too.
  'x-default': 'boolean',
  // What differs in the returned job.
  'x-returned': 'object',
};

const ajv = formats.default(new Ajv({ strict: false, allErrors: false }));

/** Throws a ContractError for the first mistake that the document's own tools would find late or not at all. */
export function checkContract(document: JsonObject): void {
  for (const [object, path] of objectsIn(document, []))
    for (const [key, value] of Object.entries(object))
      if (key.startsWith('x-')) checkExtension(key, value, [...path, key]);
  const inlined = dereference(document);
  for (const { operationId, method, path, scope, operation } of operationsOf(inlined)) {
    const place = ['paths', path, method];
    if (scope === null) throw new ContractError(place, `${operationId} needs x-scope`);
    refuseDefaults(operation.requestBody ?? null, [...place, 'requestBody']);
  }
  for (const [object, path] of objectsIn(inlined, [])) {
    if (typeof object.type === 'string') checkExample(object, object.default, [...path, 'default']);
    checkExample(object.schema, object.example, [...path, 'example']);
    for (const [name, example] of Object.entries(isObject(object.examples) ? object.examples : {}))
      if (isObject(example)) checkExample(object.schema, example.value, [...path, 'examples', name, 'value']);
  }
}

function checkExtension(key: string, value: Json, path: string[]): void {
  const type = extensions[key];
  if (type === undefined)
    throw new ContractError(path, `unknown extension; known are ${Object.keys(extensions).join(', ')}`);
  if (!type.split(' or ').includes(typeof value)) throw new ContractError(path, `${key} must be of type ${type}`);
}

/** Several generators of clients make a field with a default required, in requests too. A parameter may have one. */
function refuseDefaults(body: Json, path: string[]): void {
  for (const [schema, at] of objectsIn(body, path))
    if (typeof schema.type === 'string' && schema.default !== undefined)
      throw new ContractError([...at, 'default'], "clients' generators would make the field required; use x-default");
}

function checkExample(schema: Json | undefined, value: Json | undefined, path: string[]): void {
  if (!isObject(schema) || value === undefined) return;
  const validate = ajv.compile(schema);
  if (validate(value)) return;
  const [error] = validate.errors ?? [];
  const steps = (error?.instancePath ?? '').split('/').slice(1);
  throw new ContractError([...path, ...steps], `does not fit its schema: ${error?.message}`);
}
