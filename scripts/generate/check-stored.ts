import { hasOwnOperations } from '../../src/domain/own-operations.ts';
import {
  asObject,
  ContractError,
  type FoundOperation,
  type Json,
  type JsonObject,
  objectAt,
  parameterPath,
  schemaOf,
  valueAt,
} from './document.ts';
import { nounOf, type StoredSchema } from './stored-fields.ts';

export const reasons = 'properties error properties details properties reason enum'.split(' ');

/** The rules of what the service returns of every stored row besides its fields. The contract has these rules and no others. */
const ofRows: Readonly<Record<string, JsonObject>> = {
  id: { type: 'integer', format: 'int64' },
  created_at: { type: 'string', format: 'date-time' },
  updated_at: { type: 'string', format: 'date-time' },
};

/** Keywords that no value can break. */
const texts = ['description', 'title', 'example', 'deprecated', 'externalDocs', 'readOnly'];

/**
 * Throws a ContractError for a reason that the refusals of a stored resource lack, a returned property that no row has, or an operation that
 * the service does not find. `operations` are those of `inlined`, the document without its `$ref`s.
 */
export function checkStored(
  stored: StoredSchema,
  document: JsonObject,
  inlined: JsonObject,
  operations: readonly FoundOperation[],
): void {
  const { table, name, path } = stored;
  const noun = nounOf(name);
  const own = { NotFoundError: noun, GoneError: `${noun}_removed` };
  const isOther = Object.keys(objectAt(inlined, 'components', 'schemas')).some(
    (schema) => !(schema in own) && reasonsOf(inlined, schema).includes(noun),
  );
  if (isOther || noun === 'path')
    throw new ContractError(path.slice(0, -1), `${noun} is the reason of another refusal; write another name`);
  for (const [schema, reason] of Object.entries(own)) {
    if (!reasonsOf(inlined, schema).includes(reason))
      throw new ContractError(path.slice(0, -1), `add ${reason} to the reasons of ${schema}`);
  }
  // Operations of its own have types that say what they return.
  if (!hasOwnOperations(table)) checkReturned(stored, inlined);
  checkOperations(stored, document, operations);
}

function reasonsOf(inlined: JsonObject, schema: string): readonly Json[] {
  const known = valueAt(schemaOf(inlined, schema), ...reasons);
  return Array.isArray(known) ? known : [];
}

function checkReturned({ name, fields }: StoredSchema, inlined: JsonObject): void {
  for (const [property, schema] of Object.entries(objectAt(schemaOf(inlined, name), 'properties'))) {
    if (fields.some((field) => field.name === property)) continue;
    const place = ['components', 'schemas', name, 'properties', property];
    const own = ofRows[property];
    if (!own)
      throw new ContractError(
        place,
        `no row has it: what is returned is ${Object.keys(ofRows).join(', ')} and the fields of ${name}Input`,
      );
    const further = Object.keys(asObject(schema, property)).find((key) => !(key in own || texts.includes(key)));
    if (further) throw new ContractError([...place, further], 'the service does not keep it: leave it out');
    for (const [key, value] of Object.entries(own))
      if (valueAt(schema, key) !== value) throw new ContractError([...place, key], `must be ${key}: ${value}`);
  }
}

/** The operations with which the service, its pages and its commands work on a resource, with the statuses of their successes. */
const needed = [
  ['post', ['200', '201']],
  ['get', ['200']],
  ['patch', ['200']],
  ['delete', ['204']],
] as const;

function checkOperations(
  { table, name, path: place }: StoredSchema,
  document: JsonObject,
  operations: readonly FoundOperation[],
): void {
  const bodyOf = ['requestBody', 'content', 'application/json', 'schema', '$ref'];
  const isSent = ({ path, method }: FoundOperation, schema: string) =>
    valueAt(document, 'paths', path, method, ...bodyOf) === `#/components/schemas/${schema}`;
  const item = operations.find((one) => one.method === 'patch' && isSent(one, `${name}Patch`))?.path;
  if (item === undefined)
    throw new ContractError(
      place.slice(0, -1),
      `needs a patch with the body $ref: "#/components/schemas/${name}Patch", at a path such as /${table}/{id}`,
    );
  const [, above = '', parameter] = /^(.+)\/\{(\w+)\}$/.exec(item) ?? [];
  if (parameter === undefined)
    throw new ContractError(['paths', item], `ends with what names a ${nounOf(name)}, as in /${table}/{id}`);
  for (const [method, statuses] of needed) {
    const path = method === 'post' ? above : item;
    const found = operations.find((one) => one.method === method && one.path === path);
    if (!found)
      throw new ContractError(
        ['paths', valueAt(document, 'paths', path) === undefined ? item : path],
        `${name} needs ${method} ${path}, too: pages and commands use all of ${needed.map(([one]) => one).join(', ')}`,
      );
    const lacking = statuses.find((status) => valueAt(found.operation, 'responses', status) === undefined);
    if (lacking) throw new ContractError(['paths', path, method, 'responses'], `needs ${lacking}, which is its answer`);
    if (method === 'post') checkCreate(found, name, isSent(found, `${name}Input`));
    else checkNamed(found, parameter, nounOf(name));
  }
  const list = operations.find((one) => one.method === 'get' && one.path === above);
  if (list) checkList(list);
}

/** What the body of a list always has. */
const ofLists = ['data', 'meta'];

function checkList({ path, method, operation }: FoundOperation): void {
  const schema = ['responses', '200', 'content', 'application/json', 'schema'];
  const required = valueAt(operation, ...schema, 'required');
  if (!Array.isArray(required) || ofLists.some((name) => !required.includes(name)))
    throw new ContractError(['paths', path, method, ...schema], `needs required: [${ofLists.join(', ')}]`);
}

function checkCreate({ path, method, operation, parameters }: FoundOperation, name: string, isSent: boolean): void {
  const place = ['paths', path, method];
  if (!isSent)
    throw new ContractError(
      [...place, 'requestBody', 'content', 'application/json', 'schema'],
      `must be $ref: "#/components/schemas/${name}Input"`,
    );
  if (!parameters.some((one) => one.in === 'header' && one.name === 'Idempotency-Key' && one.required === true))
    throw new ContractError([...place, 'parameters'], 'needs the header Idempotency-Key, with required: true');
  if (valueAt(operation, 'responses', '201', 'headers', 'Location', 'required') !== true)
    throw new ContractError([...place, 'responses', '201'], 'needs the header Location, with required: true');
}

function checkNamed(found: FoundOperation, parameter: string, noun: string): void {
  const named = found.parameters.find((one) => one.in === 'path' && one.name === parameter);
  if (named && named['x-names'] !== noun)
    throw new ContractError(
      [...parameterPath(found, named), 'x-names'],
      `parameter ${parameter}: write x-names: ${noun}, by which the service finds the operations of a ${noun}`,
    );
}
