import { maxHeaderSize } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { Ajv, type ValidateFunction } from 'ajv';
import { withFormats } from '../../src/contract/formats.ts';
import { commonHeaders } from '../../src/contract/types.ts';
import { policy } from '../../src/domain/environment.ts';
import { stepsIn } from '../../src/domain/json-pointer.ts';
import { requestBytesMax } from '../../src/server/json-body.ts';
import { checkStored, reasons } from './check-stored.ts';
import {
  ContractError,
  dereference,
  dereferencedAt,
  type FoundOperation,
  identifierOf,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  objectsIn,
  operationsOf,
  parameterPath,
  schemaOf,
  valueAt,
} from './document.ts';
import { ofFields } from './keywords.ts';
import { storedSchemasOf } from './stored-fields.ts';
import { argumentsOf } from './tools.ts';

// Schemas need no check, because check-keywords has checked them; optimizing costs too much for validators that run only a few times.
const cheap = { validateSchema: false, code: { optimize: false } };
const ajv = withFormats(new Ajv({ strict: false, multipleOfPrecision: 9, ...cheap }));

const requiredScope = reasons.with(-2, 'required_scope');

/** Throws a ContractError for the first missing or duplicate part of operations and tools, or the first value that its schema refuses. */
export function checkContract(document: JsonObject): void {
  const inlined = dereference(document);
  const operations = operationsOf(inlined);
  const tags = (Array.isArray(inlined.tags) ? inlined.tags : []).flatMap((tag) => (isObject(tag) ? [tag.name] : []));
  const empty = Object.keys(isObject(inlined.paths) ? inlined.paths : {}).find(
    (path) => !operations.some((one) => one.path === path),
  );
  if (empty !== undefined)
    throw new ContractError(['paths', empty], 'has no operation: add one, or leave the path out');
  const notFound = valueAt(schemaOf(inlined, 'NotFoundError'), ...reasons);
  for (const found of operations) checkOperation(found, tags, Array.isArray(notFound) ? notFound : []);
  const scopes = valueAt(schemaOf(inlined, 'ForbiddenError'), ...requiredScope);
  for (const { path, method, scope } of operations)
    if (!Array.isArray(scopes) || !scopes.includes(scope))
      throw new ContractError(
        ['paths', path, method, 'x-scope'],
        `x-scope: add ${scope} to required_scope of ForbiddenError`,
      );
  const stored = storedSchemasOf(document);
  for (const one of stored) checkStored(one, document, inlined, operations);
  for (const list of ['all', 'refusals'])
    for (const header of Object.keys(objectAt(inlined, 'x-every-operation', 'headers', list)))
      if (!commonHeaders.some((one) => one === header))
        throw new ContractError(
          ['x-every-operation', 'headers', list, header],
          'no refusal has it: write it under answers, whose operations then return it',
        );
  for (const found of operations) checkRequest(found);
  checkServers(Array.isArray(inlined.servers) ? inlined.servers : []);
  const twice = tags.findIndex((tag, at) => tags.indexOf(tag) !== at);
  if (twice >= 0)
    throw new ContractError(['tags', String(twice)], `${tags[twice]} is there before; each tag is there once`);
  const [requirement = {}] = Array.isArray(inlined.security) ? inlined.security : [];
  const scheme = Object.keys(requirement ?? {}).find(
    (name) => !valueAt(inlined, 'components', 'securitySchemes', name),
  );
  if (scheme) throw new ContractError(['security'], `components.securitySchemes has no ${scheme}`);
  unique(operations, [], ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
  unique(operations, ['operationId'], ({ operationId }) => identifierOf(operationId));
  unique(operations, ['x-mcp', 'name'], ({ operation }) => valueAt(operation, 'x-mcp', 'name'));
  for (const found of operations) checkRefusals(found, inlined);
  checkValues(
    document,
    inlined,
    stored.map(({ path }) => path),
  );
}

/** Throws a ContractError unless the servers are the sandbox, and then production. */
function checkServers(servers: readonly Json[]): void {
  const bases = [policy.sandbox.restBase, policy.production.restBase];
  const why = 'the sandbox is first, so that a tool that uses the first server publishes nothing by mistake';
  for (const [at, server] of servers.entries()) {
    const [base, { pathname }] = [bases[at], new URL(String(valueAt(server, 'url')))];
    const said =
      base === undefined ? 'leave it out: each environment is there once' : `must be that of ${base}: ${why}`;
    if (pathname !== base) throw new ContractError(['servers', String(at), 'url'], said);
  }
  const lacking = bases[servers.length];
  if (lacking !== undefined) throw new ContractError(['servers'], `needs that of ${lacking}, too: ${why}`);
}

/** Throws a ContractError for an example, a default or a value of an enum that its schema refuses. Fields come before what is derived of them. */
function checkValues(document: JsonObject, inlined: JsonObject, fields: readonly (readonly string[])[]): void {
  const places = [
    ...fields.flatMap((path) => [...objectsIn(valueAt(document, ...path) ?? null, [...path], true)]),
    ...objectsIn(document, []),
  ];
  for (const [object, path] of places) {
    const { enum: values, nullable: _, ...schema } = object;
    for (const value of Array.isArray(values) && schema.type ? values : [])
      if (value !== null) checkExample(schema, value, [...path, 'enum'], `is refused by its schema: ${value}`);
    if (!['default', 'example', 'examples'].some((key) => key in object)) continue;
    const known = valueAt(inlined, ...path);
    // The base of an allOf is merged into its schema.
    const whole = isObject(known) ? known : dereferencedAt(document, ...path);
    if (typeof whole.type === 'string') {
      checkExample(whole, whole.default, [...path, 'default']);
      checkExample(whole, whole.example, [...path, 'example']);
    }
    checkExample(whole.schema, whole.example, [...path, 'example']);
    for (const [name, example] of Object.entries(isObject(whole.examples) ? whole.examples : {}))
      if (isObject(example)) checkExample(whole.schema, example.value, [...path, 'examples', name, 'value']);
  }
}

/** Throws a ContractError for the second operation with the same name. */
function unique(
  operations: readonly FoundOperation[],
  key: string[],
  nameOf: (found: FoundOperation) => Json | undefined,
): void {
  const first = new Map<Json, FoundOperation>();
  for (const found of operations) {
    const name = nameOf(found);
    const other = name === undefined ? undefined : first.get(name);
    const said = `${name} is that of ${other?.method} ${other?.path} too; write another`;
    if (other) throw new ContractError(['paths', found.path, found.method, ...key], said);
    if (name !== undefined) first.set(name, found);
  }
}

function checkOperation(found: FoundOperation, tags: readonly (Json | undefined)[], notFound: readonly Json[]): void {
  const { operationId, method, path, scope, operation } = found;
  const fail = (message: string, ...key: string[]): never => {
    throw new ContractError(['paths', path, method, ...key], message);
  };
  if (scope === null) fail(`${operationId} needs x-scope`);
  if (typeof operation.summary !== 'string') fail(`${operationId} needs a summary`);
  const [tag, ...more] = Array.isArray(operation.tags) ? operation.tags : [];
  if (!tags.includes(tag) || more.length > 0) fail(`${operationId} needs one of the tags ${tags.join(', ')}`, 'tags');
  for (const need of needsOf(operation))
    if (!isObject(valueAt(operation, ...need))) fail(`${operationId} needs ${need.join('.')}`, ...need);
  if (!/^(\/([\w.~-]+|\{\w+\}))+$/.test(path)) fail('a path is made of /words and /{parameters}');
  const { pathname } = new URL(path, 'http://localhost');
  if (decodeURI(pathname) !== path) fail(`a client would call ${pathname}: leave out . and ..`);
  for (const status of ['204', '304'])
    if (valueAt(operation, 'responses', status, 'content') !== undefined)
      fail(
        `a ${status} has no body: leave it out; what a tool shows is x-mcp.response`,
        'responses',
        status,
        'content',
      );
  checkParameters(found, notFound, fail);
  if (operation.requestBody && !['post', 'put', 'patch'].includes(method))
    fail(`a ${method} has no body`, 'requestBody');
  const names = argumentsOf(found).map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice)
    fail(`${operationId} has two inputs of the name ${twice}: in a tool they are one; rename one`, 'parameters');
}

function checkParameters(
  { operationId, path, operation, parameters }: FoundOperation,
  notFound: readonly Json[],
  fail: (message: string, ...key: string[]) => never,
): void {
  const lists = [valueAt(operation, 'parameters')].flatMap((list) => (Array.isArray(list) ? list : []));
  const keyOf = (place: string, name: string) => `${place} ${place === 'header' ? name.toLowerCase() : name}`;
  const keys = lists.map((one) => keyOf(String(valueAt(one, 'in')), String(valueAt(one, 'name'))));
  const again = keys.findIndex((key, at) => keys.indexOf(key) !== at);
  if (again >= 0)
    fail(`${operationId} has another parameter of that name in that place; rename one`, 'parameters', `${again}`);
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  for (const parameter of parameters) {
    const { name, in: place, required, schema, example } = parameter;
    const type = String(valueAt(schema, 'type'));
    const said = `parameter ${name}`;
    if (place === 'path' && (!inPath.includes(String(name)) || required !== true))
      fail(`${said}: is in the path, so write required: true, and {${name}} in ${path}`, 'parameters');
    const named = parameter['x-names'];
    if (named !== undefined && (place !== 'path' || !notFound.includes(named)))
      fail(
        `${said}: x-names is for the path, and one of the reasons of NotFoundError: ${notFound.join(', ')}`,
        'parameters',
      );
    if (parameter['x-mcp'] === false && (place !== 'header' || required === true))
      fail(`${said}: x-mcp: false is for a header that a request may lack; leave it out`, 'parameters');
    if (place === 'path' && example === undefined) fail(`${said}: samples need an example`, 'parameters');
    if (type === 'object' || (place !== 'query' && type === 'array'))
      fail(`${said}: a ${type} has no place in the ${place}; write one parameter for each value`, 'parameters');
    const items = String(valueAt(schema, 'items', 'type'));
    if (type === 'array' && ['object', 'array'].includes(items))
      fail(`${said}: an item is a text, a number or a boolean; write one parameter for each value`, 'parameters');
  }
  if (new Set(inPath).size < inPath.length) fail('a parameter is in a path once; rename the other one');
  for (const name of inPath)
    if (!/^[a-z]\w*$/i.test(name ?? '') || !parameters.some((one) => one.in === 'path' && one.name === name))
      fail(`{${name}} needs a parameter in: path of that name, which is letters, digits and _`, 'parameters');
}

/** The statuses of the refusals that a request may get before its operation runs. */
const refusals = ['400', '401', '403', '413', '415', '422', '429', '500', '503'];

/** Returns the paths at which an operation must have an object. */
function needsOf({ responses, requestBody }: JsonObject): string[][] {
  const successes = Object.keys(isObject(responses) ? responses : {}).filter((status) => status.startsWith('2'));
  return [
    ...refusals.map((status) => ['responses', status]),
    ...(successes.length > 0 ? successes : ['200']).flatMap((status) => [
      ['responses', status, 'headers'],
      ...(status === '204' ? [] : [['responses', status, 'content', 'application/json', 'schema', 'properties']]),
    ]),
    ...['schema', 'examples'].flatMap((key) =>
      requestBody === undefined ? [] : [['requestBody', 'content', 'application/json', key]],
    ),
  ];
}

/** Throws a ContractError if validation and a reader would understand the schema of a body or parameter differently. */
function checkRequest(found: FoundOperation): void {
  const { operation, path, method } = found;
  const place = ['paths', path, method];
  const [content, body] = [['content', 'application/json', 'schema'], valueAt(operation, 'requestBody')];
  if (body !== undefined) {
    const at = [...place, 'requestBody', ...content];
    const schema = valueAt(body, ...content);
    if (valueAt(schema, 'type') !== 'object' || valueAt(schema, 'nullable') === true)
      throw new ContractError([...at, 'nullable'], 'a body is an object, and not null');
    checkSent(schema, at, requestBytesMax, valueAt(schema, 'x-stored') !== undefined);
  }
  for (const parameter of found.parameters) {
    const { name, in: place, schema } = parameter;
    const at = [...parameterPath(found, parameter), 'schema'];
    checkSent(schema, at, maxHeaderSize);
    if (place === 'header' && name === 'Idempotency-Key' && !(Number(valueAt(schema, 'maxLength')) <= keyLengthMax))
      throw new ContractError(
        [...at, 'maxLength'],
        `a key is part of an index of the database: write maxLength, at most ${keyLengthMax}`,
      );
  }
}

/** Well below what fits into an entry of an index, which is 2704 bytes: a character has up to four. */
const keyLengthMax = 255;

function checkSent(schema: Json | undefined, path: readonly string[], bytesMax: number, isStored = false): void {
  if (!isObject(schema)) return;
  const fail = (key: string, message: string): never => {
    throw new ContractError([...path, key], message);
  };
  const { type, additionalProperties, properties, items } = schema;
  if (schema.readOnly === true) fail('readOnly', 'a program sends this; leave it out, or write another schema for it');
  if (type === 'object' && additionalProperties !== false)
    fail('additionalProperties', 'needs to be false: what is sent has the properties that it lists');
  const extension = ofFields.find((key) => key in schema);
  if (extension && !isStored)
    fail(extension, 'has an effect only in a schema with x-stored; write another schema for this operation');
  checkSent(items, [...path, 'items'], bytesMax, isStored);
  for (const [name, inner] of Object.entries(isObject(properties) ? properties : {}))
    checkSent(inner, [...path, 'properties', name], bytesMax, isStored);
  const bound = ['minLength', 'minItems', 'required'].find((key) => key in schema) ?? '';
  if (leastBytes(schema) > bytesMax)
    fail(bound, `needs more than the ${bytesMax} bytes of a request: no value would fit`);
}

/** The size in bytes of the shortest JSON that fits a schema and is not null. */
function leastBytes({
  type,
  enum: values,
  minLength = 0,
  minItems = 0,
  items,
  properties,
  required,
}: JsonObject): number {
  const leastOf = (inner: Json | undefined): number =>
    isObject(inner) ? Math.min(leastBytes(inner), inner.nullable === true ? 4 : Number.POSITIVE_INFINITY) : 1;
  if (Array.isArray(values)) return Math.min(...values.map((value) => Buffer.byteLength(JSON.stringify(value))));
  if (type === 'string') return Number(minLength) + 2;
  if (type === 'array') return Number(minItems) * (leastOf(items) + 1) + 1;
  const names = Array.isArray(required) ? required.map(String) : [];
  return names.reduce((sum, name) => sum + name.length + 4 + leastOf(valueAt(properties, name)), 1);
}

/** By a header, or by `path` for what a path names: the refusals that the operation then answers. A 304 has no schema. */
const refusalsOf = new Map<unknown, readonly (readonly [status: string, schema?: string])[]>([
  ['path', [['404', 'NotFoundError']]],
  [
    'Idempotency-Key',
    [
      ['409', 'ConflictError'],
      ['410', 'GoneError'],
    ],
  ],
  ['If-Match', [['412', 'PreconditionFailedError']]],
  ['If-None-Match', [['304']]],
]);

/** Throws a ContractError for a refusal that an operation's parameters make possible and that the operation does not list. */
function checkRefusals({ operation, parameters, path, method }: FoundOperation, inlined: JsonObject): void {
  for (const { name, in: place } of parameters)
    for (const [status, schema] of refusalsOf.get(place === 'header' ? name : place) ?? []) {
      const response = valueAt(operation, 'responses', status);
      const known = valueAt(response, 'content', 'application/json', 'schema');
      const isAs = schema === undefined || isDeepStrictEqual(known, valueAt(inlined, 'components', 'schemas', schema));
      if (response === undefined || !isAs)
        throw new ContractError(
          ['paths', path, method, 'responses', status],
          `needs ${status}${schema ? ` with the schema ${schema}` : ''}, which follows from its parameter ${name}`,
        );
    }
}

/** The validators by the JSON text of their schemas, because many operations contain the same schema. */
const validators = new Map<string, ValidateFunction>();

function checkExample(
  schema: Json | undefined,
  value: Json | undefined,
  path: string[],
  said = 'does not fit its schema',
): void {
  if (!isObject(schema) || value === undefined) return;
  const text = JSON.stringify(schema);
  const validate = validators.get(text) ?? ajv.compile(schema);
  validators.set(text, validate);
  if (validate(value)) return;
  const [{ instancePath = '', message, params = {} } = {}] = validate.errors ?? [];
  const { additionalProperty: unknown, allowedValues: allowed } = params;
  const steps = stepsIn(instancePath);
  if (unknown !== undefined) throw new ContractError([...path, ...steps, unknown], `${said}: it has no ${unknown}`);
  throw new ContractError([...path, ...steps], `${said}: ${message}${allowed ? `: ${allowed.join(', ')}` : ''}`);
}
