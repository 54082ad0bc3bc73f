import { camelCase } from '../../src/domain/camel-case.ts';
import { hasOwnOperations } from '../../src/domain/own-operations.ts';
import { referenceLists } from '../../src/domain/reference-lists.ts';
import { asObject, ContractError, dereferencedAt, isObject, type Json, type JsonObject, valueAt } from './document.ts';
import { typedFormats } from './keywords.ts';

/** How a field is stored and checked. */
type FieldKind = 'text' | 'html' | 'enum' | 'integer' | 'decimal' | 'boolean' | 'date' | 'list' | 'object';

/** A field that is sent and stored. */
export interface StoredField {
  readonly name: string;
  /** Its place in the contract. */
  readonly path: readonly string[];
  readonly kind: FieldKind;
  readonly required: boolean;
  readonly nullable: boolean;
  readonly label: string;
  /** With `$ref` resolved. */
  readonly schema: JsonObject;
}

/** A schema of the contract with `x-stored` and a name such as `JobInput`. Its values are stored as rows of a table. */
export interface StoredSchema {
  readonly table: string;
  /** The name of the returned schema and of the model, such as `Job`. The schema of a change is `JobPatch`. */
  readonly name: string;
  /** The place of its properties. */
  readonly path: readonly string[];
  /** In the order of the contract. */
  readonly fields: readonly StoredField[];
}

/** The stored schemas, in the order of the contract. Throws a ContractError. */
export function storedSchemasOf(document: JsonObject): StoredSchema[] {
  const schemas = Object.entries(asObject(valueAt(document, 'components', 'schemas') ?? {}, 'schemas'));
  const stored = schemas.flatMap(([schema, value]) => {
    const { 'x-stored': table } = asObject(value, schema);
    if (typeof table !== 'string') return [];
    const [, name, kind] = /^([A-Z]\w*)(Input|Patch)$/.exec(schema) ?? [];
    if (!name)
      throw new ContractError(
        ['components', 'schemas', schema, 'x-stored'],
        'the name of what is stored ends with Input',
      );
    const path = ['components', 'schemas', schema, 'properties'];
    return kind === 'Input' ? [{ table, name, path, fields: fieldsAt(document, path) }] : [];
  });
  const twice = stored.find(({ table }, at) => stored.findIndex((one) => one.table === table) < at);
  if (twice)
    throw new ContractError([...twice.path.slice(0, -1), 'x-stored'], `${twice.table} is that of another schema too`);
  return stored;
}

const kinds: Readonly<Record<string, FieldKind>> = {
  boolean: 'boolean',
  integer: 'integer',
  number: 'decimal',
  array: 'list',
  object: 'object',
};

/** PostgreSQL cuts longer names. */
const nameBytesMax = 63;

function fieldsAt(document: JsonObject, place: readonly string[]): StoredField[] {
  const input = dereferencedAt(document, ...place.slice(0, -1));
  if (!isObject(input.properties)) throw new ContractError(place.slice(0, -1), 'needs properties');
  const required = Array.isArray(input.required) ? input.required : [];
  const fields = Object.entries(asObject(input.properties, place.join('.'))).map(([name, value]): StoredField => {
    const path = [...place, name];
    if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) || name.length > nameBytesMax)
      throw new ContractError(
        path,
        `the name of a field is lower case words with underscores, at most ${nameBytesMax} characters`,
      );
    const schema = asObject(value, name);
    const field = {
      name,
      path,
      kind: kindOf(schema),
      required: required.includes(name),
      nullable: schema.nullable === true,
      label: String(schema['x-label'] ?? (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ')),
      schema,
    };
    checkField(field);
    return field;
  });
  for (const field of fields) checkOtherFields(field, fields, input['x-stored']);
  return fields;
}

function kindOf(schema: JsonObject): FieldKind {
  const kind = kinds[String(schema.type)];
  if (kind) return kind;
  if (schema['x-html'] === true) return 'html';
  if (Array.isArray(schema.enum)) return 'enum';
  return schema.format === 'date' ? 'date' : 'text';
}

/** Throws a ContractError if a field breaks a rule of its kind. The rules require the keywords from which its column and checks are derived. */
function checkField({ path, kind, required, nullable, schema }: StoredField): void {
  const fail = (message: string): never => {
    throw new ContractError(path, message);
  };
  checkBounds(path, schema);
  if (kind === 'decimal' && schema['x-decimals'] === undefined) fail('needs x-decimals');
  if (kind === 'boolean' && !nullable && schema['x-default'] === undefined)
    fail('needs x-default, the value of rows from before and of those that leave it out');
  if (nullable && 'x-default' in schema)
    fail('has null or x-default when it is left out, not both: leave out nullable, or x-default');
  if (kind !== 'boolean' && !required && !nullable) fail('an optional field needs nullable: true');
  if (kind === 'html') checkHtml(path, schema);
}

/** Throws a ContractError for a keyword that may hold for the HTML that was sent, and not for the sanitized HTML that is returned. */
function checkHtml(path: readonly string[], schema: JsonObject): void {
  const { minLength = 1, pattern = '\\S' } = schema;
  const changed = [
    ...['enum', 'format'].filter((key) => key in schema),
    ...(Number(minLength) > 1 ? ['minLength'] : []),
    ...(pattern === '\\S' ? [] : ['pattern']),
  ];
  if (changed[0])
    throw new ContractError(
      [...path, changed[0]],
      'sanitizing changes the text: leave it out; maxLength and x-max-bytes hold for the result too',
    );
}

/** How deep objects and lists may be nested in a field. */
const depthMax = 4;

/** Throws a ContractError for a schema whose values have no maximum size. */
function checkBounds(path: readonly string[], schema: JsonObject, depth = 0): void {
  const fail = (message: string, ...key: string[]): never => {
    throw new ContractError([...path, ...key], message);
  };
  const needs: Readonly<Record<string, readonly string[]>> = {
    string: 'enum' in schema || typedFormats.has(schema.format) ? [] : ['maxLength'],
    integer: ['minimum', 'maximum'],
    number: ['minimum', 'maximum'],
    array: ['maxItems'],
    object: ['properties'],
  };
  if (schema.type === 'object' && schema.additionalProperties !== false)
    fail('needs additionalProperties: false; a map is a list of objects with a name and a value');
  const missing = (needs[String(schema.type)] ?? []).filter((key) => schema[key] === undefined);
  if (missing.length > 0) fail(`needs ${missing.join(' and ')}`);
  if (depth > depthMax) fail(`is nested more than ${depthMax} levels deep; make it a field of its own`);
  const extension = Object.keys(schema).find((key) => key.startsWith('x-') && key !== 'x-label');
  if (depth > 0 && extension) fail('has an effect only on the field itself; leave it out', extension);
  // Gemini accepts an enum of texts only.
  if (schema.enum && schema.type !== 'string') fail('must be of texts; write minimum and maximum for numbers', 'enum');
  if (isObject(schema.items)) checkBounds([...path, 'items'], schema.items, depth + 1);
  for (const [name, inner] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    if (!/^[a-z][\w-]{0,63}$/i.test(name)) fail('a name here is up to 64 letters, digits, - and _', 'properties', name);
    checkBounds([...path, 'properties', name], asObject(inner, name), depth + 1);
  }
}

/** Checks the rules of a field that depend on other fields. */
function checkOtherFields(field: StoredField, fields: readonly StoredField[], table: Json | undefined): void {
  const { path, kind, schema } = field;
  const fail = (key: string, message: string): never => {
    throw new ContractError([...path, key], message);
  };
  checkReference(field, table, fail);
  const lower = schema['x-at-least'];
  const isOrdered = ['integer', 'decimal', 'date'].includes(kind);
  if (
    lower !== undefined &&
    !fields.some((one) => one.name === lower && one !== field && one.kind === kind && isOrdered)
  )
    fail('x-at-least', 'must name another field of the same kind: integer, number with x-decimals, or date');
  for (const [other, value] of Object.entries(isObject(schema['x-required-when']) ? schema['x-required-when'] : {})) {
    const found = fields.find((one) => one.name === other && one !== field);
    const values: Json[] = found?.kind === 'boolean' ? [true, false] : found ? acceptedValues(found) : [];
    if (!values.includes(value))
      fail('x-required-when', `must name another field with an enum or of type boolean, and one of its values`);
  }
  const twin = fields.find((one) => one !== field && isSameInCode(one, field));
  if (twin) throw new ContractError(path, `is too like ${twin.name}: generated code would call both the same`);
}

/** Checks `x-references`. Of jobs, only certain fields may have it, because the functions that write jobs check just these columns. */
function checkReference(
  { name, schema }: StoredField,
  table: Json | undefined,
  fail: (key: string, message: string) => never,
): void {
  const list = schema['x-references'];
  if (list === undefined) return;
  const known = Object.entries(referenceLists);
  const [, { ofJob }] =
    known.find(([one]) => one === list) ?? fail('x-references', `must be ${known.map(([one]) => one).join(' or ')}`);
  if (hasOwnOperations(table) && name !== ofJob)
    fail('x-references', `of a job, only ${ofJob} refers to ${list}; leave it out`);
}

const isSameInCode = (one: StoredField, other: StoredField): boolean =>
  camelCase(one.name) === camelCase(other.name) ||
  (one.kind === 'enum' && other.kind === 'enum' && optionsNameOf(one) === optionsNameOf(other));

/** The name of an enumerated field's values in `Options`: those of `work_modality` are `work_modalities`. */
export const optionsNameOf = ({ name }: StoredField): string => name.replace(/([^aeiou])y$/, '$1ie').concat('s');

/** The values of an enumerated field, without the null of a nullable one. */
export const acceptedValues = ({ schema }: StoredField): string[] =>
  (Array.isArray(schema.enum) ? schema.enum : []).flatMap((value) => (typeof value === 'string' ? [value] : []));

/**
 * Returns the schema of the returned value. A decimal is returned as a string, so that no digit is lost. The extensions `x-returned-...` name
 * the other differences from the sent value.
 */
export function returnedSchema({ kind, schema }: StoredField): JsonObject {
  const { 'x-returned-nullable': nullable, 'x-returned-description': description, ...same } = schema;
  const differences = {
    ...(nullable !== undefined && { nullable }),
    ...(nullable !== undefined && Array.isArray(schema.enum) && { enum: [...new Set([...schema.enum, null])] }),
    ...(description !== undefined && { description }),
  };
  if (kind !== 'decimal') return { ...same, ...differences };
  const { minimum, 'x-decimals': decimals } = schema;
  const notes = ['title', 'deprecated', 'externalDocs'].filter((key) => key in schema);
  return {
    type: 'string',
    pattern: `^${Number(minimum) < 0 ? '-?' : ''}\\d{1,${wholeDigitsOf(schema)}}${decimals === 0 ? '' : `\\.\\d{${decimals}}`}$`,
    nullable: schema.nullable === true,
    description: schema.description as Json,
    ...Object.fromEntries(notes.map((key) => [key, schema[key] ?? null])),
    ...differences,
  };
}

/** The maximum number of digits before the point. */
export const wholeDigitsOf = ({ minimum, maximum }: JsonObject): number =>
  Math.max(...[minimum, maximum].map((bound) => String(Math.trunc(Math.abs(Number(bound)))).length));

/** Whether the column may be null. For a boolean, the sent schema decides, because every row has the default; otherwise the returned schema. */
export const isNullableColumn = (field: StoredField): boolean =>
  (field.kind === 'boolean' ? field.schema : returnedSchema(field)).nullable === true;

/** Whether an integer needs 64 bits. */
export const isLong = ({ kind, schema }: StoredField): boolean =>
  kind === 'integer' &&
  !('x-references' in schema) &&
  (Number(schema.maximum) > 2_147_483_647 || Number(schema.minimum) < -2_147_483_648);

/** The keywords that the service's own code needs of a field. Only the validator uses the other keywords. */
const kept = ['maxLength'].concat(
  'x-default x-future x-max-bytes x-decimals x-references x-required-when x-at-least'.split(' '),
);

/** The name of one stored resource: `work_place` for WorkPlace. */
export const nounOf = (name: string): string => name.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/** Returns the text of stored-fields.ts: the fields of each table as code, for queries, rules and pages. */
export function renderStoredFields(document: JsonObject): string {
  const tables = storedSchemasOf(document).map(({ table, fields }) => {
    const lines = fields.map((field) => `    ${field.name}: ${JSON.stringify(described(field))},`);
    return `  ${table}: {\n${lines.join('\n')}\n  },`;
  });
  const named = (nameOf: (name: string) => string) =>
    storedSchemasOf(document)
      .map(({ table, name }) => `  ${table}: '${nameOf(name)}',`)
      .join('\n');
  return `// Written by \`npm run generate\` from openapi.yaml; not to be edited.

/** The fields that are sent and stored, by table, in the order of the contract. */
export const storedFields = {
${tables.join('\n')}
} as const;

/** The models of these tables, as the database's client calls them. */
export const storedModels = {
${named((name) => name.charAt(0).toLowerCase() + name.slice(1))}
} as const;

/** What the contract calls one of them. */
export const storedNouns = {
${named(nounOf)}
} as const;
`;
}

function described(field: StoredField): object {
  const { kind, label, required, nullable, schema } = field;
  const rules = kept.filter((key) => key in schema).map((key) => [camelCase(key.replace(/^x-/, '')), schema[key]]);
  const items = isObject(schema.items) ? schema.items.enum : undefined;
  const values =
    kind === 'enum' ? { options: optionsNameOf(field), values: acceptedValues(field) } : items && { values: items };
  return {
    kind,
    label,
    required,
    nullable,
    ...(isLong(field) && { long: true }),
    ...values,
    ...Object.fromEntries(rules),
  };
}
