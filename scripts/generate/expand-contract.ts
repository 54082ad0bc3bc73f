import {
  ContractError,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  objectsIn,
  operationsOf,
  valueAt,
} from './document.ts';
import { acceptedValues, type JobField, jobFieldsOf, optionsNameOf, returnedSchema } from './job-fields.ts';

/**
 * The contract as it is published: openapi.yaml with what it says once written out wherever it holds, and without `x-shared`, whose
 * comment lists the rules. A document without `x-shared` is published as it is. Throws a ContractError.
 */
export function expandContract(source: JsonObject): JsonObject {
  const { 'x-shared': shared, ...document } = structuredClone(source);
  if (!isObject(shared)) return document;
  for (const { operationId, method, path, operation, scope } of operationsOf(document)) {
    if (typeof operation.description !== 'string')
      throw new ContractError(['paths', path, method], `${operationId} needs a description`);
    operation.description = `${operation.description} Needs the scope \`${scope}\`.`;
    operation.responses = {
      ...objectAt(shared, 'responses'),
      ...(isObject(operation.responses) && operation.responses),
    };
  }
  for (const [response, path] of objectsIn(document, [])) {
    const { 'x-headers': name, headers = {} } = response;
    if (typeof name !== 'string') continue;
    const own = valueAt(shared, 'headers', name);
    if (!isObject(own)) throw new ContractError([...path, 'x-headers'], `x-shared has no headers ${name}`);
    response.headers = { ...own, ...(headers as JsonObject) };
    delete response['x-headers'];
  }
  const { schemas, examples } = objectAt(document, 'components') as { schemas: JsonObject; examples: JsonObject };
  const envelope = objectAt(schemas, 'Error');
  for (const [name, schema] of Object.entries(schemas))
    if (isObject(schema) && isObject(schema['x-error'])) schemas[name] = errorOf(schema, schema['x-error'], envelope);
  writeJobs(document, schemas, examples);
  // Parts that are written in several places are objects of their own from here on.
  return JSON.parse(JSON.stringify(document));
}

/** The schema Error with one status and its details. */
function errorOf({ description = '' }: JsonObject, { status = 0, details = {} }: JsonObject, envelope: JsonObject) {
  const error = objectAt(envelope, 'properties', 'error');
  const { status: any, message = '' } = objectAt(error, 'properties');
  const one = { type: 'integer', enum: [status], description: objectAt(any).description ?? '' };
  return {
    ...envelope,
    description,
    properties: { error: { ...error, properties: { status: one, message, details } } },
  };
}

/** Whatever follows from the fields of JobInput. */
function writeJobs(document: JsonObject, schemas: JsonObject, examples: JsonObject): void {
  const fields = jobFieldsOf(document);
  const input = objectAt(schemas, 'JobInput', 'properties');
  objectAt(schemas, 'JobPatch').properties = input;

  const job = objectAt(schemas, 'Job');
  const returned = fields.map((field): [string, Json] => {
    const written = objectAt(input, field.name);
    return [field.name, '$ref' in written ? written : withoutExtensions(returnedSchema(field))];
  });
  const properties = { ...objectAt(job, 'properties'), ...Object.fromEntries(returned) };
  const names = Object.keys(properties);
  Object.assign(job, { required: names, properties });

  const lists = fields.filter(({ kind }) => kind === 'enum').map((field) => [optionsNameOf(field), field] as const);
  const listed = ({ name }: JobField) => ({
    type: 'array',
    items: { type: 'string' },
    description: `The values of ${name}.`,
  });
  Object.assign(objectAt(schemas, 'Options'), {
    required: lists.map(([name]) => name),
    properties: Object.fromEntries(lists.map(([name, field]) => [name, listed(field)])),
  });
  const values = Object.fromEntries(lists.map(([name, field]) => [name, acceptedValues(field)]));
  Object.assign(objectAt(examples, 'Options'), { value: { data: values } });

  for (const { operation } of operationsOf(document)) {
    const media = valueAt(operation, 'requestBody', 'content', 'application/json');
    if (!/\/Job(Input|Patch)$/.test(String(valueAt(media, 'schema', '$ref')))) continue;
    for (const written of Object.values(valueAt(media, 'examples') ?? {})) {
      const ref = valueAt(written, '$ref');
      const example = typeof ref === 'string' ? valueAt(examples, ref.split('/').at(-1) ?? '') : written;
      if (isObject(example) && isObject(example.value))
        example.value = Object.fromEntries(Object.entries(example.value).filter(([name]) => name in input));
    }
  }

  // A job from before has null in a new field, or its default.
  const unset = Object.fromEntries(fields.map(({ name, schema }) => [name, schema['x-default'] ?? null]));
  for (const [example] of objectsIn(examples, [])) {
    if (!('is_active' in example && 'title' in example)) continue;
    const whole = { ...unset, ...example };
    for (const name of Object.keys(example)) delete example[name];
    Object.assign(example, Object.fromEntries(names.map((name) => [name, whole[name] ?? null])));
  }
}

const withoutExtensions = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !key.startsWith('x-')));
