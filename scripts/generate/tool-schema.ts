import { asObject, isObject, type Json, type JsonObject } from './document.ts';

// Own code and not a library: the kept converters stop at draft 4 (boolean exclusiveMinimum), make type arrays of
// `nullable`, and lose it beside allOf; clients want 2020-12 with `anyOf`.
const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));
const annotations = setOf('title description default deprecated');
const kept =
  setOf(`type required format pattern minLength maxLength minimum maximum multipleOf minItems maxItems uniqueItems
  minProperties maxProperties`);
const types = setOf('type properties items anyOf additionalProperties');
export const compositions = ['oneOf', 'anyOf', 'allOf', 'not'];
const openapiOnly = setOf(`nullable example examples xml discriminator externalDocs readOnly writeOnly
  exclusiveMinimum exclusiveMaximum`);
const openapiFormats = setOf('int32 int64 float double byte binary password');

/** A dereferenced OpenAPI 3.0 schema as JSON Schema 2020-12, which no OpenAPI keyword survives; refuses an unknown keyword. */
export function toJsonSchema(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema);
  const described = Object.fromEntries(entries.filter(([key]) => annotations.has(key)));
  const others = entries.filter(([key]) => !annotations.has(key));
  const rules = Object.assign({}, ...others.map(([key, value]) => convertKeyword(schema, key, value)));
  if (schema.nullable !== true) return { ...described, ...rules };
  if (schema.type === undefined) throw new Error('nullable without type, which the validator refuses too');
  return { ...described, anyOf: [rules, { type: 'null' }] };
}

/**
 * The types alone, at every depth: input schemas and descriptions say the rest, and a client never refuses what it only reads.
 * No property is left out: clients that make zod of a schema strip what it does not list.
 */
export const toTypes = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => types.has(key))
      .map(([key, value]) => [key, mapSubschemas(key, value, toTypes)]),
  );

/** The value of a keyword with `change` done to the subschemas in it. */
function mapSubschemas(key: string, value: Json, change: (subschema: JsonObject) => JsonObject): Json {
  const each = (subschema: Json) => (isObject(subschema) ? change(subschema) : subschema);
  if (key === 'properties')
    return Object.fromEntries(Object.entries(asObject(value, key)).map(([name, inner]) => [name, each(inner)]));
  if (!compositions.includes(key) && key !== 'items' && key !== 'additionalProperties') return value;
  return Array.isArray(value) ? value.map(each) : each(value);
}

function convertKeyword(schema: JsonObject, key: string, value: Json): JsonObject {
  if (openapiOnly.has(key) || key.startsWith('x-')) return {};
  if (key === 'enum' && Array.isArray(value)) return { enum: value.filter((item) => item !== null) };
  if (key === 'format' && openapiFormats.has(String(value))) return {};
  if (key === 'minimum' && schema.exclusiveMinimum === true) return { exclusiveMinimum: value };
  if (key === 'maximum' && schema.exclusiveMaximum === true) return { exclusiveMaximum: value };
  // Beyond it no JSON number is exact.
  if (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) return {};
  if (kept.has(key)) return { [key]: value };
  if (key === 'properties' || key === 'items' || key === 'additionalProperties' || compositions.includes(key))
    return { [key]: mapSubschemas(key, value, toJsonSchema) };
  throw new Error(`schema keyword ${key}: no known counterpart in JSON Schema`);
}
