import type { Json, JsonObject } from './document.ts';
import { type StoredField, storedSchemasOf } from './stored-fields.ts';

const text = (value: Json | undefined): string => `'${String(value).replaceAll("'", "''")}'`;

/** For each keyword of a field's schema, makes the SQL condition that finds the stored values which the keyword no longer accepts. */
const conditions: Readonly<Record<string, (column: string, now: Json, was: Json) => string | undefined>> = {
  maximum: (column, now) => `${column} > ${now}`,
  minimum: (column, now) => `${column} < ${now}`,
  multipleOf: (column, now) => `${column} % ${now} <> 0`,
  'x-decimals': (column, now) => `scale(trim_scale(${column})) > ${now}`,
  maxLength: (column, now) => `char_length(${column}) > ${now}`,
  minLength: (column, now) => `char_length(${column}) < ${now}`,
  'x-max-bytes': (column, now) => `octet_length(${column}) > ${now}`,
  pattern: (column, now) => `${column} !~ ${text(now)}`,
  maxItems: (column, now) => `jsonb_array_length(${column}) > ${now}`,
  minItems: (column, now) => `jsonb_array_length(${column}) < ${now}`,
  uniqueItems: (column, now) =>
    now === true
      ? `jsonb_array_length(${column}) > (SELECT count(DISTINCT item) FROM jsonb_array_elements(${column}) AS item)`
      : undefined,
  'x-references': (column, now) => `${column} NOT IN (SELECT id FROM ${now})`,
  'x-at-least': (column, now) => `${column} < "${now}"`,
  'x-required-when': (column, now) =>
    `${column} IS NULL AND (${Object.entries(now as JsonObject)
      .map(([other, value]) => `"${other}" = ${typeof value === 'string' ? text(value) : value}`)
      .join(' OR ')})`,
  enum: (column, now, was) => {
    const gone = (Array.isArray(was) ? was : []).filter((value) => value !== null && !(now as Json[]).includes(value));
    const listed = gone.map((value) => (typeof value === 'number' ? value : text(value)));
    if (was === undefined)
      return `${column} NOT IN (${(now as Json[])
        .filter((one) => one !== null)
        .map(text)
        .join(', ')})`;
    return gone.length > 0 ? `${column} IN (${listed.join(', ')})` : undefined;
  },
};

/** A field gets narrower if a keyword of `lower` rises, one of `upper` falls, or any other keyword changes. */
const lower = new Set(['minimum', 'minLength', 'minItems']);
const upper = new Set(['maximum', 'maxLength', 'maxItems', 'x-max-bytes', 'x-decimals']);

/**
 * Returns a line for each keyword that makes a field narrower, with the SQL that finds the stored rows that the field would not accept. Does
 * not judge values inside lists and objects.
 */
export function rowsThatBreak(older: JsonObject, newer: JsonObject): string[] {
  const known = storedSchemasOf(older);
  return storedSchemasOf(newer).flatMap(({ table, fields }) => {
    const before = known.find((one) => one.table === table)?.fields ?? [];
    return fields.flatMap((field) => {
      const old = before.find(({ name }) => name === field.name);
      return old && typeOf(old) === typeOf(field) ? narrowed(table, old, field) : [];
    });
  });
}

/** Kinds that are stored alike: a text may get an enum, and an enum may become any text. */
const typeOf = ({ kind }: StoredField): string => (['html', 'enum'].includes(kind) ? 'text' : kind);

function narrowed(
  table: string,
  { schema: old, nullable }: StoredField,
  { name, schema, required }: StoredField,
): string[] {
  const found = Object.entries(conditions).flatMap(([key, condition]) => {
    const [was, now] = [old[key], schema[key]];
    if (now === undefined || JSON.stringify(was) === JSON.stringify(now)) return [];
    if ((lower.has(key) && Number(now) < Number(was)) || (upper.has(key) && Number(now) > Number(was))) return [];
    const where = condition(`"${name}"`, now, was as Json);
    return where ? [[key, where]] : [];
  });
  const nowNeeded = nullable && !schema.nullable && required ? [['nullable', `"${name}" IS NULL`]] : [];
  return [...found, ...nowNeeded].map(
    ([key, where]) =>
      `field ${name}: stored ${table} that break its new ${key}: SELECT company_id, environment, id FROM ${table} WHERE ${where};`,
  );
}
