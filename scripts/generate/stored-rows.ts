import pg from 'pg';
import { isObject, type Json, type JsonObject, objectAt } from './document.ts';
import type { FieldKeyword } from './keywords.ts';
import { columnTypeOf } from './stored-columns.ts';
import { type StoredField, storedSchemasOf } from './stored-fields.ts';

const text = (value: Json | undefined): string => `'${String(value).replaceAll("'", "''")}'`;
const { escapeIdentifier: quoted } = pg;
const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value.filter((one) => one !== null) : []);
const texts = (values: readonly Json[]): string => values.map(text).join(', ');
/** The items of a list that another one lacks. */
const lackedBy = (others: Json | undefined, list: Json | undefined): Json[] =>
  listOf(list).filter((one) => !listOf(others).includes(one));
const namesOf = (value: Json | undefined): Json[] => Object.keys(isObject(value) ? value : {});

/** Makes the SQL condition for values that a changed keyword no longer accepts. Undefined if it still accepts all. */
type Condition = (value: string, now: Json | undefined, was: Json | undefined) => string | 'unasked' | undefined;

/**
 * How to find the stored values that a changed keyword no longer accepts: the SQL condition; or `unasked`, because SQL cannot judge them; or
 * `free`, because the keyword itself limits no value.
 */
const answers: Readonly<Record<FieldKeyword, Condition | 'unasked' | 'free'>> = {
  type: (value, now, was) => {
    // Null is of every type.
    if (was === undefined || (was === 'integer' && now === 'number')) return undefined;
    return was === 'number' && now === 'integer' ? `${value} % 1 <> 0` : `${value} IS NOT NULL`;
  },
  nullable: (value) => `${value} IS NULL`,
  maximum: (value, now) => `${value} > ${now}`,
  minimum: (value, now) => `${value} < ${now}`,
  multipleOf: (value, now) => `${value} % ${now} <> 0`,
  'x-decimals': (value, now) => `scale(trim_scale(${value})) > ${now}`,
  maxLength: (value, now) => `char_length(${value}) > ${now}`,
  minLength: (value, now) => `char_length(${value}) < ${now}`,
  'x-max-bytes': (value, now) => `octet_length(${value}) > ${now}`,
  // What PostgreSQL reads otherwise than JavaScript.
  pattern: (value, now) =>
    /\\[bBsSx]|[{,]\d{3}|(?<!\\)[.]/.test(String(now)) ? 'unasked' : `${value} !~ ${text(now)}`,
  format: 'unasked',
  'x-https': 'unasked',
  'x-visible': 'unasked',
  'x-future': (value) => `${value} <= CURRENT_DATE`,
  maxItems: (value, now) => `jsonb_array_length(${value}) > ${now}`,
  minItems: (value, now) => `jsonb_array_length(${value}) < ${now}`,
  uniqueItems: (value) =>
    `jsonb_array_length(${value}) > (SELECT count(DISTINCT item) FROM jsonb_array_elements(${value}) AS item)`,
  minProperties: (value, now) => `jsonb_array_length(jsonb_path_query_array(${value}, '$.keyvalue()')) < ${now}`,
  required: (value, now, was) => {
    const names = lackedBy(was, now);
    return names.length > 0 ? `NOT ${value} ?& array[${texts(names)}]` : undefined;
  },
  // What is inside of these is judged apart.
  items: 'free',
  properties: (value, now, was) => {
    const names = lackedBy(namesOf(now), namesOf(was));
    return names.length > 0 ? `${value} ?| array[${texts(names)}]` : undefined;
  },
  'x-references': (value, now) => `${value} NOT IN (SELECT id FROM ${quoted(String(now))})`,
  'x-at-least': (value, now) => `${value} < ${quoted(String(now))}`,
  'x-required-when': (value, now) =>
    `${value} IS NULL AND (${Object.entries(now as JsonObject)
      .map(([other, needed]) => `${quoted(other)} = ${typeof needed === 'string' ? text(needed) : needed}`)
      .join(' OR ')})`,
  enum: (value, now, was) => {
    if (was === undefined) return `${value} NOT IN (${texts(listOf(now))})`;
    const gone = lackedBy(now, was);
    return gone.length > 0 ? `${value} IN (${texts(gone)})` : undefined;
  },
  // Sent objects never have others, and a base is merged into its schema.
  additionalProperties: 'free',
  allOf: 'free',
  'x-html': 'free',
  'x-default': 'free',
  'x-pattern-message': 'free',
  'x-label': 'free',
  'x-returned-nullable': (value) => `${value} IS NULL`,
  'x-returned-description': 'free',
  title: 'free',
  description: 'free',
  deprecated: 'free',
  externalDocs: 'free',
  example: 'free',
};

/** A field gets narrower if a keyword of `lower` rises, one of `upper` falls, or any other keyword changes. Without `nullable`, it is narrower. */
const lower = new Set(['minimum', 'minLength', 'minItems', 'minProperties']);
const upper = new Set(['maximum', 'maxLength', 'maxItems', 'x-max-bytes', 'x-decimals']);
/** The keywords that null can break. */
const ofNull: readonly FieldKeyword[] = ['nullable', 'x-returned-nullable', 'x-required-when'];

/**
 * Returns a line for each keyword that makes a field, or a part of a list or an object, narrower. The line has the SQL that finds the stored
 * rows that the field would not accept, or says that SQL cannot find them.
 */
export function rowsThatBreak(older: JsonObject, newer: JsonObject): string[] {
  const known = storedSchemasOf(older);
  return storedSchemasOf(newer).flatMap(({ table, fields }) => {
    const before = known.find((one) => one.table === table)?.fields;
    if (!before) return [];
    return fields.flatMap((field) => {
      const old = before.find(({ name }) => name === field.name);
      return narrowed(table, field, old);
    });
  });
}

/** Whether a migration keeps the values of a field's column: its type stays, or becomes String. Any other column is made anew. */
export const keepsValues = (old: StoredField, field: StoredField): boolean =>
  typeOf(old) === typeOf(field) || typeOf(field) === 'String';

/** The type of a field's column, numbers being one type. */
const typeOf = (field: StoredField): string => columnTypeOf(field).replace(/^(Int|BigInt|Decimal)$/, 'number');

/** The schema of what a field's column holds. A new column holds null. */
function storedIn(field: StoredField, old: StoredField | undefined): JsonObject {
  if (!old || !keepsValues(old, field)) return { nullable: true };
  // An integer has no decimals.
  if (typeOf(old) === typeOf(field)) return { 'x-decimals': 0, ...old.schema };
  return { type: 'string', nullable: old.nullable, 'x-returned-nullable': old.schema['x-returned-nullable'] ?? false };
}

function narrowed(table: string, field: StoredField, old: StoredField | undefined): string[] {
  const { name, kind, schema } = field;
  const select = `SELECT company_id, environment, id FROM ${quoted(table)} WHERE`;
  const isCast = old && keepsValues(old, field) && typeOf(old) !== typeOf(field);
  const column = isCast ? `${quoted(name)}::text` : quoted(name);
  return [...narrowedParts(storedIn(field, old), schema)].flatMap(({ key, keys, path, was, now }) => {
    // The migration gives each row the default.
    if (kind === 'boolean' && key === 'nullable') return [];
    const isInside = keys.length > 1;
    const given = answers[key];
    const answer =
      typeof given === 'function' ? given(isInside ? insideValue(was.type) : column, now[key], was[key]) : given;
    const said = `field ${name}: stored ${table}`;
    // A number's bounds say what its format does.
    if (answer === 'unasked' && numbers.includes(now.type)) return [];
    if (answer === 'unasked')
      return `${said} may break its new ${keys.join('.')}: SQL cannot find these: check the stored values of ${name}`;
    if (answer === undefined || answer === 'free') return [];
    const found = isInside ? `EXISTS (SELECT FROM ${valuesAt(column, path)} WHERE ${answer})` : answer;
    return `${said} that break its new ${keys.join('.')}: ${select} ${found};`;
  });
}

/** The values at a place inside a column. A path alone would read a null in place of a list as an item. */
function valuesAt(column: string, path: string): string {
  if (!path.endsWith('[*]')) return `jsonb_path_query(${column}, '${path}') AS value`;
  return `jsonb_path_query(${column}, '${path.slice(0, -3)}') AS list, jsonb_array_elements(CASE jsonb_typeof(list) WHEN 'array' THEN list END) AS value`;
}

/** A JSON value inside a list or an object, as SQL knows its type. A JSON null is a null. */
function insideValue(type: Json | undefined): string {
  if (type === 'string') return `(value #>> '{}')`;
  return type === 'integer' || type === 'number' ? `(value #>> '{}')::numeric` : `nullif(value, 'null')`;
}

/** A keyword that may make a schema narrower, with its place in the field's schema and the place of its values. */
interface Part {
  readonly key: FieldKeyword;
  /** The place, which ends with `key`. */
  readonly keys: readonly string[];
  /** For jsonb_path_query. */
  readonly path: string;
  readonly was: JsonObject;
  readonly now: JsonObject;
}

function* narrowedParts(was: JsonObject, now: JsonObject, keys: readonly string[] = [], path = '$'): Generator<Part> {
  const part = (key: FieldKeyword): Part => ({ key, keys: [...keys, key], path, was, now });
  const isOther = was.type !== now.type && !(numbers.includes(was.type) && numbers.includes(now.type));
  // The cast is safe: these are the keys of `answers`.
  const judged = isOther ? (['type', ...ofNull] as const) : (Object.keys(answers) as FieldKeyword[]);
  for (const key of judged) if (isNarrower(key, was[key], now[key])) yield part(key);
  if (isOther) return;
  if (isObject(was.items) && isObject(now.items))
    yield* narrowedParts(was.items, now.items, [...keys, 'items'], `${path}[*]`);
  for (const name of namesOf(now.properties).map(String))
    if (namesOf(was.properties).includes(name))
      yield* narrowedParts(
        objectAt(was, 'properties', name),
        objectAt(now, 'properties', name),
        [...keys, 'properties', name],
        `${path}."${name}"`,
      );
}

const numbers: readonly unknown[] = ['integer', 'number'];

function isNarrower(key: string, was: Json | undefined, now: Json | undefined): boolean {
  const isOn = now !== undefined && now !== false;
  if (key === 'nullable' || key === 'x-returned-nullable') return was === true && !isOn;
  if (!isOn || JSON.stringify(was) === JSON.stringify(now)) return false;
  return !((lower.has(key) && Number(now) < Number(was)) || (upper.has(key) && Number(now) > Number(was)));
}
