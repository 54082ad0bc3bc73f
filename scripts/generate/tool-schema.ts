import { asObject, isObject, type Json, type JsonObject } from './document.ts';

// Own code and not a library: the kept converters stop at draft 4, make type arrays of `nullable`, and lose it beside other keywords; clients
// want 2020-12 with `anyOf`.
const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));
const annotations = setOf('description default');
const kept = setOf('type required format pattern minLength maxLength minimum maximum minItems maxItems minProperties');
const types = setOf('type properties items anyOf additionalProperties');
const openapiOnly = setOf('nullable example examples readOnly');

/** A dereferenced OpenAPI 3.0 schema as JSON Schema 2020-12, which no OpenAPI keyword survives; refuses a keyword that no schema here has. */
export function toJsonSchema(schema: JsonObject): JsonObject {
  const described: JsonObject = {};
  const rules: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    // Beyond this number no JSON number is exact.
    if (openapiOnly.has(key) || key.startsWith('x-') || value === Number.MAX_SAFE_INTEGER || value === 'int64')
      continue;
    if (annotations.has(key)) described[key] = value;
    else if (key === 'enum' && Array.isArray(value)) rules.enum = value.filter((item) => item !== null);
    else if (kept.has(key)) rules[key] = value;
    else if (types.has(key)) rules[key] = mapSubschemas(key, value, toJsonSchema);
    else throw new Error(`schema keyword ${key}: no known counterpart in JSON Schema`);
  }
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
  if (Array.isArray(value)) return value.map((subschema) => change(asObject(subschema, key)));
  if (!isObject(value)) return value;
  if (key !== 'properties') return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(asObject(inner, name))]));
}
