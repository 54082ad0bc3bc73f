import { asObject, isObject, type Json, type JsonObject } from './document.ts';

// Own code and not a library: the kept converters stop at draft 4 (boolean exclusiveMinimum), make type arrays of
// `nullable`, and lose it beside allOf; clients want 2020-12 with `anyOf`.
const ANNOTATIONS = ['title', 'description', 'default', 'deprecated'];
const LIMITS = new Set(
  `format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems
  minProperties maxProperties`.split(/\s+/),
);
const SHAPE = new Set(['type', 'enum', 'required']);
const TYPES = new Set(['type', 'properties', 'items', 'anyOf', 'additionalProperties']);
const COMPOSITIONS = new Set(['allOf', 'anyOf', 'oneOf']);
const SINGLE = new Set(['items', 'additionalProperties', 'not']);
const OPENAPI_ONLY = new Set('nullable example examples xml discriminator externalDocs readOnly writeOnly'.split(' '));
const OPENAPI_FORMATS = new Set(['int32', 'int64', 'float', 'double', 'byte', 'binary', 'password']);

/** A dereferenced OpenAPI 3.0 schema as JSON Schema 2020-12, which no OpenAPI keyword survives; refuses an unknown keyword. */
export function toJsonSchema(schema: JsonObject): JsonObject {
  const annotations: JsonObject = {};
  const rules: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (ANNOTATIONS.includes(key)) annotations[key] = value;
    else Object.assign(rules, convertKeyword(schema, key, value));
  }
  if (schema.nullable !== true) return { ...annotations, ...rules };
  if (schema.type === undefined) throw new Error('nullable without type, which the validator refuses too');
  return { ...annotations, anyOf: [rules, { type: 'null' }] };
}

/**
 * The types alone, at every depth: input schemas and descriptions say the rest, and a client never refuses what it only reads.
 * No property is left out: clients that make zod of a schema strip what it does not list.
 */
export function toTypes(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(mapSubschemas(schema, toTypes)).filter(([key]) => TYPES.has(key)));
}

/** The same schema with `change` done to its direct subschemas. */
function mapSubschemas(schema: JsonObject, change: (subschema: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'properties') return [key, mapValues(asObject(value, key), change)];
      if (Array.isArray(value) && COMPOSITIONS.has(key)) return [key, value.map((item) => change(asObject(item, key)))];
      return [key, SINGLE.has(key) && isObject(value) ? change(value) : value];
    }),
  );
}

function convertKeyword(schema: JsonObject, key: string, value: Json): JsonObject {
  if (OPENAPI_ONLY.has(key) || key.startsWith('x-')) return {};
  if (key === 'enum' && Array.isArray(value)) return { enum: value.filter((item) => item !== null) };
  if (key === 'format') return OPENAPI_FORMATS.has(String(value)) ? {} : { format: value };
  if (key === 'minimum' && schema.exclusiveMinimum === true) return { exclusiveMinimum: value };
  if (key === 'maximum' && schema.exclusiveMaximum === true) return { exclusiveMaximum: value };
  if (key === 'exclusiveMinimum' || key === 'exclusiveMaximum') return {};
  // Beyond it no JSON number is exact.
  if (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) return {};
  if (SHAPE.has(key) || LIMITS.has(key)) return { [key]: value };
  if (key === 'properties' || COMPOSITIONS.has(key) || SINGLE.has(key)) {
    return mapSubschemas({ [key]: value }, toJsonSchema);
  }
  throw new Error(`schema keyword ${key}: no known counterpart in JSON Schema`);
}

function mapValues(object: JsonObject, change: (value: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(asObject(value, key))]));
}
