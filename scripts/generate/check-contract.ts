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
  valueAt,
} from './document.ts';

/** What a schema cannot say: the extensions, the types of their values, and what they mean. */
const extensions: Readonly<Record<string, readonly [type: string, meaning: string]>> = {
  'x-scope': ['string', 'the scope that an operation needs'],
  'x-every-operation': ['object', 'the responses and headers of every operation'],
  'x-mcp': [
    'object or boolean',
    'the tool of an operation, with its response where HTTP has no body; false for what tools lack',
  ],
  'x-label': ['string', 'the name on pages'],
  'x-html': ['boolean', 'sanitized HTML'],
  'x-visible': ['boolean', 'needs a visible character'],
  'x-future': ['boolean', 'a date after today'],
  'x-https': ['boolean', 'an https URL with a host'],
  'x-max-bytes': ['number', 'the largest size in UTF-8'],
  'x-decimals': ['number', 'the digits after the point'],
  'x-references': ['string', 'the reference data whose id it is'],
  'x-required-when': ['object', 'required when another field has a value'],
  'x-at-least': ['string', 'at least as much as another field'],
  'x-default': ['boolean', 'the value of a new job that leaves the field out; its description says it too'],
  'x-returned-nullable': ['boolean', 'a returned job may have null'],
  'x-returned-description': ['string', 'the description in the returned job'],
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
    if (typeof operation.summary !== 'string') throw new ContractError(place, `${operationId} needs a summary`);
    for (const need of needsOf(operation))
      if (!isObject(valueAt(operation, ...need)))
        throw new ContractError([...place, ...need], `${operationId} needs ${need.join('.')}`);
    refuseDefaults(operation.requestBody ?? null, [...place, 'requestBody']);
  }
  for (const [object, path] of objectsIn(inlined, [])) {
    if (typeof object.type === 'string') checkExample(object, object.default, [...path, 'default']);
    checkExample(object.schema, object.example, [...path, 'example']);
    for (const [name, example] of Object.entries(isObject(object.examples) ? object.examples : {}))
      if (isObject(example)) checkExample(object.schema, example.value, [...path, 'examples', name, 'value']);
  }
}

/** What a request may get before its operation runs. */
const refusals = ['400', '401', '403', '413', '415', '422', '429', '500', '503'];

/** The paths of an operation that must lead to an object. */
function needsOf({ responses, requestBody }: JsonObject): string[][] {
  const successes = Object.keys(isObject(responses) ? responses : {}).filter((status) => status.startsWith('2'));
  return [
    ...refusals.map((status) => ['responses', status]),
    ...(successes.length > 0 ? successes : ['200']).map((status) => ['responses', status, 'headers']),
    ...['schema', 'examples'].flatMap((key) =>
      requestBody === undefined ? [] : [['requestBody', 'content', 'application/json', key]],
    ),
  ];
}

function checkExtension(key: string, value: Json, path: string[]): void {
  const [type, meaning] = extensions[key] ?? [];
  if (type === undefined)
    throw new ContractError(path, `unknown extension; known are ${Object.keys(extensions).join(', ')}`);
  if (!type.split(' or ').includes(typeof value)) throw new ContractError(path, `must be of type ${type}: ${meaning}`);
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
