import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import {
  asObject,
  ContractError,
  dereference,
  isObject,
  type Json,
  type JsonObject,
  operationsOf,
} from './generate-document.ts';

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
/** Objects whose keys are names that anybody may choose. */
const nameMaps = new Set(['properties', 'headers', 'schemas', 'examples', 'parameters', 'responses', 'paths', 'value']);

const ajv = formats.default(new Ajv({ strict: false, allErrors: false }));

/** Throws a ContractError for the first mistake that the document's own tools would find late or not at all. */
export function checkContract(document: JsonObject): void {
  checkExtensions(document, [], false);
  const inlined = dereference(document);
  checkDefaults(inlined.components as Json, ['components']);
  for (const { operationId, method, path, scope, operation, parameters } of operationsOf(inlined)) {
    const place = ['paths', path, method];
    if (scope === null) throw new ContractError(place, `${operationId} needs x-scope`);
    for (const [index, parameter] of parameters.entries())
      checkExample(parameter.schema as Json, parameter.example, [...place, 'parameters', String(index), 'example']);
    refuseDefaults(operation.requestBody, [...place, 'requestBody']);
    checkContent(operation.requestBody, [...place, 'requestBody']);
    for (const [status, response] of Object.entries(asObject(operation.responses, 'responses')))
      checkContent(response, [...place, 'responses', status]);
  }
}

function checkExtensions(value: Json, path: string[], keysAreNames: boolean): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkExtensions(item, [...path, String(index)], false);
    return;
  }
  if (!isObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (!keysAreNames && key.startsWith('x-')) checkExtension(key, inner, [...path, key]);
    checkExtensions(inner, [...path, key], !keysAreNames && nameMaps.has(key));
  }
}

function checkExtension(key: string, value: Json, path: string[]): void {
  const type = extensions[key];
  if (type === undefined)
    throw new ContractError(path, `unknown extension; known are ${Object.keys(extensions).join(', ')}`);
  if (!type.split(' or ').includes(typeof value)) throw new ContractError(path, `${key} must be of type ${type}`);
}

function checkDefaults(value: Json, path: string[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkDefaults(item, [...path, String(index)]);
    return;
  }
  if (!isObject(value)) return;
  if (typeof value.type === 'string' && value.default !== undefined)
    checkExample(value, value.default, [...path, 'default']);
  for (const [key, inner] of Object.entries(value)) checkDefaults(inner, [...path, key]);
}

/** Several generators of clients make a field with a default required, in requests too. A parameter may have one. */
function refuseDefaults(value: Json | undefined, path: string[]): void {
  if (!isObject(value)) return;
  if (typeof value.type === 'string' && value.default !== undefined)
    throw new ContractError([...path, 'default'], "clients' generators would make the field required; use x-default");
  for (const [key, inner] of Object.entries(value)) refuseDefaults(inner, [...path, key]);
}

function checkContent(holder: Json | undefined, path: string[]): void {
  const content = isObject(holder) && isObject(holder.content) ? holder.content : {};
  for (const [type, media] of Object.entries(content)) {
    if (!isObject(media) || !isObject(media.examples)) continue;
    for (const [name, example] of Object.entries(media.examples))
      if (isObject(example))
        checkExample(media.schema, example.value, [...path, 'content', type, 'examples', name, 'value']);
  }
}

function checkExample(schema: Json | undefined, value: Json | undefined, path: string[]): void {
  if (!isObject(schema) || value === undefined) return;
  const validate = ajv.compile(schema);
  if (validate(value)) return;
  const [error] = validate.errors ?? [];
  const steps = (error?.instancePath ?? '').split('/').slice(1);
  throw new ContractError([...path, ...steps], `does not fit its schema: ${error?.message}`);
}
