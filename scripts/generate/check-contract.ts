import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import {
  ContractError,
  dereference,
  type FoundOperation,
  identifierOf,
  isObject,
  type Json,
  type JsonObject,
  objectsIn,
  operationsOf,
  valueAt,
} from './document.ts';
import { argumentsOf } from './tools.ts';

// Keywords have been checked, and each validator runs only a few times.
const cheap = { validateSchema: false, code: { optimize: false } };
const ajv = formats.default(new Ajv({ strict: false, multipleOfPrecision: 9, ...cheap }));

/** Throws a ContractError for the first missing or duplicate part of operations, tools or examples. */
export function checkContract(document: JsonObject): void {
  const inlined = dereference(document);
  const operations = operationsOf(inlined);
  const tags = (Array.isArray(inlined.tags) ? inlined.tags : []).flatMap((tag) => (isObject(tag) ? [tag.name] : []));
  for (const found of operations) checkOperation(found, tags);
  unique(operations, [], ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
  unique(operations, ['operationId'], ({ operationId }) => identifierOf(operationId));
  unique(operations, ['x-mcp', 'name'], ({ operation }) => valueAt(operation, 'x-mcp', 'name'));
  for (const [object, path] of objectsIn(inlined, [])) {
    if (typeof object.type === 'string') {
      checkExample(object, object.default, [...path, 'default']);
      checkExample(object, object.example, [...path, 'example']);
    }
    checkExample(object.schema, object.example, [...path, 'example']);
    for (const [name, example] of Object.entries(isObject(object.examples) ? object.examples : {}))
      if (isObject(example)) checkExample(object.schema, example.value, [...path, 'examples', name, 'value']);
  }
}

/** Refuses the second operation with the same name. */
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

function checkOperation(found: FoundOperation, tags: readonly (Json | undefined)[]): void {
  const { operationId, method, path, scope, operation, parameters } = found;
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
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  for (const { name, in: place, required, schema, example } of parameters) {
    const type = String(valueAt(schema, 'type'));
    const said = `parameter ${name}`;
    if (place === 'path' && (!inPath.includes(String(name)) || required !== true))
      fail(`${said}: is in the path, so write required: true, and {${name}} in ${path}`, 'parameters');
    if (place === 'path' && example === undefined) fail(`${said}: samples need an example`, 'parameters');
    if (type === 'object' || (place !== 'query' && type === 'array'))
      fail(`${said}: a ${type} has no place in the ${place}; write one parameter for each value`, 'parameters');
  }
  for (const name of inPath)
    if (!/^[a-z]\w*$/i.test(name ?? '') || !parameters.some((one) => one.in === 'path' && one.name === name))
      fail(`{${name}} needs a parameter in: path of that name, which is letters, digits and _`, 'parameters');
  if (operation.requestBody && !['post', 'put', 'patch'].includes(method))
    fail(`a ${method} has no body`, 'requestBody');
  const names = argumentsOf(found).map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice)
    fail(`${operationId} has two inputs of the name ${twice}: in a tool they are one; rename one`, 'parameters');
}

/** The refusals that a request may get before its operation runs. */
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

/** By the text of the schema: the same one is in many operations. */
const validators = new Map<string, ValidateFunction>();

function checkExample(schema: Json | undefined, value: Json | undefined, path: string[]): void {
  if (!isObject(schema) || value === undefined) return;
  const text = JSON.stringify(schema);
  const validate = validators.get(text) ?? ajv.compile(schema);
  validators.set(text, validate);
  if (validate(value)) return;
  const [error] = validate.errors ?? [];
  const steps = (error?.instancePath ?? '').split('/').slice(1);
  throw new ContractError([...path, ...steps], `does not fit its schema: ${error?.message}`);
}
