import { isDeepStrictEqual } from 'node:util';
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
import {
  acceptedValues,
  optionsNameOf,
  returnedSchema,
  type StoredField,
  type StoredSchema,
  storedSchemasOf,
} from './stored-fields.ts';

/**
 * Returns the contract with its derived parts, which the comment at the contract's head lists. `last` is the contract after the last run.
 * Rewrites each derived part that is still as in `last`. Throws a ContractError for a derived part that somebody has edited since.
 */
export function completeContract(written: JsonObject, last: JsonObject = {}): JsonObject {
  const document = structuredClone(written);
  writeEveryOperation(document, last);
  writeStored(document, last);
  // Through JSON, every place gets its own copy of an object.
  return JSON.parse(JSON.stringify(document));
}

const objectOr = (value: Json | undefined, ...path: string[]): JsonObject => {
  const found = valueAt(value, ...path);
  return isObject(found) ? found : {};
};

/** Returns the entries of `all`: first those whose names are in `present`, in the order of `present`; then the others, in the order of `all`. */
const inOrder = (present: JsonObject, all: JsonObject): JsonObject =>
  Object.fromEntries(
    [
      ...Object.keys(present).filter((name) => name in all),
      ...Object.keys(all).filter((name) => !(name in present)),
    ].map((name) => [name, all[name] ?? null]),
  );

/**
 * Adds the common parts to every operation: its scope in the description, responses, and their headers. Keeps an operation's own entries.
 * A `$ref` to another component may replace a derived entry. Throws a ContractError for any other edit of a derived entry.
 */
function writeEveryOperation(document: JsonObject, last: JsonObject): void {
  const refsIn = (contract: JsonObject, kind: string, ...path: string[]): JsonObject => {
    const names = Object.entries(objectOr(contract, 'x-every-operation', kind, ...path));
    const unknown = names.find(([, component]) => !(String(component) in objectOr(contract, 'components', kind)));
    if (unknown)
      throw new ContractError(
        ['x-every-operation', kind, ...path, unknown[0]],
        `components.${kind} has no ${unknown[1]}`,
      );
    return Object.fromEntries(names.map(([name, component]) => [name, { $ref: `#/components/${kind}/${component}` }]));
  };
  const fill = (holder: JsonObject, path: string[], kind: string, ...lists: string[][]): void => {
    const [now = {}, before = {}] = [document, last].map(
      (contract): JsonObject => Object.assign({}, ...lists.map((list) => refsIn(contract, kind, ...list))),
    );
    const present = objectOr(holder, kind);
    const own = Object.entries(present).filter(([name, value]) => !isDeepStrictEqual(value, before[name]));
    for (const [name, value] of own) {
      const wasDerived = name in before && isDeepStrictEqual(valueAt(last, ...path, kind, name), before[name]);
      if (!wasDerived || !(name in now) || valueAt(value, '$ref') !== undefined) continue;
      const source = String(valueAt(now[name], '$ref')).split('/').slice(1);
      const message = `follows from ${source.join('.')}: edit that, or make this a $ref to another component`;
      throw new ContractError([...path, kind, name], message, source);
    }
    holder[kind] = inOrder(present, { ...now, ...Object.fromEntries(own) });
  };
  for (const { operationId, method, path, operation, scope } of operationsOf(document)) {
    if (typeof operation.description !== 'string')
      throw new ContractError(['paths', path, method], `${operationId} needs a description`);
    const place = ['paths', path, method];
    const written = operation.description.trimEnd();
    const [sentence = '', said = scope] = / Needs the scope `([^`]*)`\.$/.exec(written) ?? [];
    if (said !== scope && said !== valueAt(last, ...place, 'x-scope'))
      throw new ContractError([...place, 'description'], 'the last sentence follows from x-scope: edit that', [
        ...place,
        'x-scope',
      ]);
    const described = written.slice(0, written.length - sentence.length);
    operation.description = `${described} Needs the scope \`${scope}\`.${operation.description.slice(written.length)}`;
    fill(operation, place, 'responses', []);
    for (const [status, response] of Object.entries(objectAt(operation, 'responses'))) {
      const [, name] = /^#\/components\/responses\/(.+)$/.exec(String(valueAt(response, '$ref'))) ?? [];
      const at = name ? ['components', 'responses', name] : [...place, 'responses', status];
      const holder = valueAt(document, ...at);
      const counted = ['400', '401'].includes(status) ? [] : [Number(status) < 400 ? ['answers'] : ['refusals']];
      if (isObject(holder)) fill(holder, at, 'headers', ['all'], ...counted);
    }
  }
}

/** Returns the place to edit instead of the derived part with this name. */
type SourceOf = (name: string) => string[];

/** Writes derived values into a document. */
class Deriver {
  readonly #document: JsonObject;
  readonly #last: JsonObject;

  constructor(document: JsonObject, last: JsonObject) {
    this.#document = document;
    this.#last = last;
  }

  /** Adds the derived values to the object at a path, and removes the given names. */
  some(path: string[], values: JsonObject, sourceOf: SourceOf, removed: readonly string[] = []): void {
    const present = objectOr(this.#document, ...path);
    const before = objectOr(this.#last, ...path);
    for (const name of [...Object.keys(values), ...removed.filter((name) => !(name in values))])
      if (name in present && ![values[name], before[name]].some((one) => isDeepStrictEqual(one, present[name]))) {
        const source = sourceOf(name);
        const follows = `follows from ${[source[2], ...source.slice(4)].join('.')}`;
        throw new ContractError([...path, name], `${follows}: edit that, and delete this`, source);
      }
    const others = Object.entries(present).filter(([name]) => !removed.includes(name));
    objectAt(this.#document, ...path.slice(0, -1))[path.at(-1) ?? ''] = inOrder(present, {
      ...Object.fromEntries(others),
      ...values,
    });
  }

  /** Like `some`, for an object whose properties are all derived: removes every other property. */
  all(path: string[], values: JsonObject, sourceOf: SourceOf): void {
    this.some(path, values, sourceOf, Object.keys(objectOr(this.#document, ...path)));
  }
}

const schemaPath = (name: string, ...path: string[]) => ['components', 'schemas', name, ...path];

/** Adds everything that follows from the fields of the stored schemas. */
function writeStored(document: JsonObject, last: JsonObject): void {
  const derive = new Deriver(document, last);
  const before = storedSchemasOf(last);
  for (const { path, fields } of storedSchemasOf(document))
    for (const field of fields) writeNeverEmpty(objectAt(document, ...path, field.name), field);
  const all = storedSchemasOf(document);
  for (const { name, table, path, fields } of all) {
    const input = objectAt(document, ...path);
    const known = before.find((one) => one.table === table)?.fields ?? [];
    const gone = known.map((field) => field.name).filter((field) => !(field in input));
    const sourceOf = (field: string) => (field in input ? [...path, field] : [...path]);
    const schemas = objectAt(document, 'components', 'schemas');
    for (const needed of [`${name}Patch`, name])
      if (!isObject(schemas[needed]))
        throw new ContractError(path.slice(0, -1), `needs ${needed} beside it, an object; its properties follow`);
    derive.some(schemaPath(`${name}Patch`), { 'x-stored': table }, sourceOf);
    derive.all(schemaPath(`${name}Patch`, 'properties'), input, sourceOf);
    const returned = fields.map((field): [string, Json] => [field.name, returnedField(input, field)]);
    derive.some(schemaPath(name, 'properties'), Object.fromEntries(returned), sourceOf, gone);
    derive.some(schemaPath(name), { required: Object.keys(objectAt(schemas, name, 'properties')) }, sourceOf);
    writeExamples(document, last, { name, fields, gone });
  }
  writeOptions(
    document,
    derive,
    all.flatMap(({ fields }) => fields),
  );
}

/** Adds `minLength: 1` to an optional text that lacks it, because such a text may be absent or null, but not empty. */
function writeNeverEmpty(written: JsonObject, { kind, nullable, schema, path }: StoredField): void {
  const { minLength, pattern, format } = schema;
  const isSaid =
    (format !== undefined && format !== 'uri-reference') ||
    Number(minLength) > 0 ||
    (pattern && !new RegExp(String(pattern), 'u').test(''));
  if (!nullable || !['text', 'html'].includes(kind) || isSaid) return;
  if (minLength !== undefined || '$ref' in written || 'allOf' in written)
    throw new ContractError([...path], 'an optional text is never empty: write minLength: 1 with its type');
  written.minLength = 1;
}

/** Returns the schema of the returned value. It keeps the `$ref` of the sent value, unless the returned value differs. */
function returnedField(input: JsonObject, field: StoredField): JsonObject {
  const written = objectAt(input, field.name);
  const isBased = '$ref' in written || 'allOf' in written;
  const isAnother = field.kind === 'decimal' || Object.keys(field.schema).some((key) => key.startsWith('x-returned-'));
  return asReturned(isBased && !isAnother ? written : returnedSchema(field));
}

/** Writes the schema and the example of `Options`, which list the values of all enumerated fields. */
function writeOptions(document: JsonObject, derive: Deriver, fields: readonly StoredField[]): void {
  const lists = fields.filter(({ kind }) => kind === 'enum').map((field) => [optionsNameOf(field), field] as const);
  const names = lists.map(([name]) => name);
  const [, twice] = lists.find(([name], at) => names.indexOf(name) < at) ?? [];
  if (twice) throw new ContractError(twice.path, 'is in Options beside an enum of another table; rename one');
  const sourceOf = (option: string): string[] => {
    const field = lists.find(([name]) => name === option)?.[1] ?? fields[0];
    return field?.path.slice(0, -1) ?? [];
  };
  derive.some(schemaPath('Options'), { required: names }, sourceOf);
  const listed = lists.map(([name, field]): [string, Json] => [
    name,
    { type: 'array', items: { type: 'string' }, description: `The values of ${field.name}.` },
  ]);
  derive.all(schemaPath('Options', 'properties'), Object.fromEntries(listed), sourceOf);
  const values = Object.fromEntries(lists.map(([name, field]) => [name, acceptedValues(field)]));
  objectAt(document, 'components', 'examples', 'Options').value ??= {};
  derive.all(['components', 'examples', 'Options', 'value', 'data'], values, sourceOf);
}

/** Adds missing properties to the returned objects in examples. Deletes removed fields from these objects and from examples of requests. */
function writeExamples(
  document: JsonObject,
  last: JsonObject,
  { name, fields, gone }: { readonly gone: readonly string[] } & Pick<StoredSchema, 'name' | 'fields'>,
): void {
  const examples = objectAt(document, 'components', 'examples');
  const names = Object.keys(objectAt(document, ...schemaPath(name, 'properties')));
  const before = objectOr(last, ...schemaPath(name, 'properties'));
  // For rows stored before a field existed, the service returns null or the default.
  const defaults = Object.fromEntries(fields.map((field) => [field.name, field.schema['x-default'] ?? null]));
  const unset = Object.fromEntries(names.map((property) => [property, defaults[property] ?? null]));
  // An object that lacks one of them is returned for another resource, or by another operation.
  const kept = names.filter((property) => property in before);
  const isReturned = (value: JsonObject): boolean =>
    kept.length > 0 &&
    kept.every((property) => property in value) &&
    Object.keys(value).every((property) => names.includes(property) || gone.includes(property));
  for (const example of Object.values(examples))
    for (const [returned] of objectsIn(valueAt(example, 'value') ?? null, [])) {
      if (!isReturned(returned)) continue;
      for (const property of gone) delete returned[property];
      Object.assign(returned, { ...unset, ...returned });
      // If an earlier run wrote null here, the field may have a default by now.
      for (const { name: field, nullable, schema } of fields)
        if (returned[field] === null && !nullable) returned[field] = schema['x-default'] ?? null;
    }
  for (const { schema, path } of sentExamples(document)) {
    if (![`${name}Input`, `${name}Patch`].includes(schema)) continue;
    const sent = objectOr(document, ...path);
    const deleted = gone.filter((field) => field in sent);
    for (const field of deleted) delete sent[field];
    if (deleted[0] !== undefined && Object.keys(sent).length === 0)
      throw new ContractError([...path, deleted[0]], `${deleted[0]} is gone: write a field that ${schema} has`);
  }
}

/** The examples of requests, each with the name of its schema and the place of its value. */
function sentExamples(document: JsonObject) {
  const lastOf = (ref: Json | undefined): string => String(ref).split('/').at(-1) ?? '';
  return operationsOf(document).flatMap(({ path, method, operation }) => {
    const place = ['requestBody', 'content', 'application/json'];
    const schema = lastOf(valueAt(operation, ...place, 'schema', '$ref'));
    return Object.entries(objectOr(operation, ...place, 'examples')).map(([name, example]) => {
      const ref = valueAt(example, '$ref');
      const component = lastOf(ref);
      return ref === undefined
        ? { schema, name, path: ['paths', path, method, ...place, 'examples', name, 'value'] }
        : { schema, name: component, path: ['components', 'examples', component, 'value'] };
    });
  });
}

/** The fields that `completeContract` has deleted from the examples of requests, one line each with its value. */
export function deletedFromExamples(written: JsonObject, completed: JsonObject): string[] {
  const lines = sentExamples(completed).flatMap(({ name, path }) => {
    const left = objectOr(completed, ...path);
    return Object.entries(objectOr(written, ...path)).flatMap(([field, value]) =>
      field in left ? [] : [`deleted from the example ${name}: ${field}: ${JSON.stringify(value)}`],
    );
  });
  // Several operations may have the same example.
  return [...new Set(lines)];
}

/** Removes extensions and `additionalProperties`, so that a client with an older contract accepts properties that are added later. */
const asReturned = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (key === 'additionalProperties' || key.startsWith('x-')) return [];
      if (key === 'items' && isObject(value)) return [[key, asReturned(value)]];
      if (key !== 'properties' || !isObject(value)) return [[key, value]];
      const parts = Object.entries(value).map(([name, part]) => [name, isObject(part) ? asReturned(part) : part]);
      return [[key, Object.fromEntries(parts)]];
    }),
  );
