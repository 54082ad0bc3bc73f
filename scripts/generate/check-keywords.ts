import { ContractError, isObject, type Json, type JsonObject, valueAt } from './document.ts';
import {
  besideBase,
  int32,
  isHeader,
  isName,
  isPattern,
  isRefused,
  isText,
  kinds,
  needs,
  sections,
  typedFormats,
  unknownMessage,
  values,
  words,
} from './keywords.ts';

/** A value of the contract, its required kind, and its place. */
interface Found {
  readonly kind: string;
  readonly value: Json;
  readonly path: readonly string[];
  /** The object that has the value. */
  readonly holder: JsonObject;
}

const fail = (path: readonly string[], message: string): never => {
  throw new ContractError(path, message);
};

/** Throws a ContractError for the first keyword that keywords.ts lacks or refuses, or whose value has the wrong kind. */
export function checkKeywords(document: JsonObject): void {
  const fieldSchemas = fieldSchemasOf(document);
  const visit = (found: Found): void => {
    for (const inner of checked(found, document)) {
      const name = inner.path.at(-1) ?? '';
      const isComponent = found.path.join() === 'components,schemas';
      visit(isComponent ? { ...inner, kind: fieldSchemas.get(name) ?? inner.kind } : inner);
    }
  };
  visit({ kind: 'Document', value: document, path: [], holder: {} });
}

/** Returns the kinds of special schemas by name: StoredSchema for stored schemas and their patches, FieldSchema for the `$ref`s of their fields. */
function fieldSchemasOf(document: JsonObject): ReadonlyMap<string, string> {
  const schemas = Object.entries(valueAt(document, 'components', 'schemas') ?? {});
  const inputs = schemas.flatMap(([name, schema]) =>
    isObject(schema) && 'x-stored' in schema ? [name, name.replace(/Input$/, 'Patch')] : [],
  );
  const fields = inputs.flatMap((name) =>
    Object.values(valueAt(document, 'components', 'schemas', name, 'properties') ?? {}),
  );
  const referred = fields.flatMap((schema) => {
    const [base] = isObject(schema) && Array.isArray(schema.allOf) ? schema.allOf : [schema];
    return isObject(base) && isText(base.$ref ?? '') ? [String(base.$ref).split('/').at(-1) ?? ''] : [];
  });
  return new Map([
    ...referred.map((name) => [name, 'FieldSchema'] as const),
    ...inputs.map((name) => [name, 'StoredSchema'] as const),
  ]);
}

/** Checks a value, and returns the values inside it, which it does not check. Throws a ContractError. */
function checked(found: Found, document: JsonObject): Found[] {
  const { kind, value, path, holder } = found;
  const [, open, inner] = /^([[{])(\w+)[\]}]$/.exec(kind) ?? [];
  if (inner) {
    if (open === '[' ? !Array.isArray(value) : !isObject(value))
      fail(path, `must be ${open === '[' ? 'a list' : 'an object'}`);
    if (open === '{') checkNames(Object.keys(value as JsonObject), path);
    return Object.entries(value as JsonObject).map(([name, one]) => ({
      kind: inner,
      value: one,
      path: [...path, name],
      holder,
    }));
  }
  const [fits, said = ''] = values[kind] ?? [];
  if (fits && !fits(value, holder)) fail(path, said);
  if (kind === 'others' && isObject(value)) return [{ ...found, kind: 'Schema' }];
  if (kind === 'base') return [{ ...found, kind: '[FieldSchema]' }];
  // `x-mcp: false` means that there is no tool.
  if (kind === 'Tool' && value === false) return [];
  const keywords = kinds[kind];
  if (!keywords) return [];
  if (!isObject(value)) return fail(path, 'must be an object');
  if ('$ref' in value) return checkReference(found, document);
  const insides = Object.entries(value).map(([key, inside]): Found => {
    const keyword = Object.hasOwn(keywords, key) ? keywords[key] : undefined;
    if (isRefused(keyword)) {
      const { instead } = keyword;
      return fail([...path, key], typeof instead === 'string' ? instead : instead(value));
    }
    if (!keyword) return fail([...path, key], unknownMessage(key, kind));
    const [of, , types] = keyword;
    if (types && typeof value.type === 'string' && !words(types).includes(String(value.type)))
      fail([...path, key], `has no effect on type ${value.type}: it is for ${words(types).join(', ')}`);
    return { kind: of, value: inside, path: [...path, key], holder: value };
  });
  const lacking = needs[kind]?.find((key) => !(key in value));
  if (lacking !== undefined) fail(path, `needs ${lacking}`);
  if (sections[kind] === 'schemas') checkSchema(value, path);
  return insides;
}

/** Checks the names of components by OpenAPI 3.0.3, and those of headers by RFC 9110 section 5.1. */
function checkNames(names: readonly string[], path: readonly string[]): void {
  const isComponent = path[0] === 'components' && path.length === 2;
  for (const name of names) {
    if (!isName(name))
      fail([...path, name], 'the service uses this name itself, as every JavaScript object has it; write another');
    if (isComponent && !/^[\w.-]+$/.test(name)) fail([...path, name], 'a component has letters, digits, ., - and _');
    if (path.at(-1) === 'headers' && !isComponent && !isHeader(name))
      fail([...path, name], 'a header has letters, digits and -, and is none that HTTP has itself');
  }
}

const inComponent = 'write it in the component, or the whole schema without a $ref';

function checkReference({ kind, value, path }: Found, document: JsonObject): Found[] {
  const { $ref: ref, ...others } = value as JsonObject;
  const [beside] = Object.keys(others);
  const instead = besideBase.has(beside ?? '') ? 'write `allOf: [{ $ref: ... }]` instead of the $ref' : inComponent;
  if (beside) fail([...path, beside], `is ignored beside $ref; ${instead}`);
  const section = sections[kind];
  if (!section) return fail([...path, '$ref'], `a ${kind} is written where it is used, without $ref`);
  const prefix = `#/components/${section}/`;
  const target =
    String(ref).startsWith(prefix) && valueAt(document, 'components', section, String(ref).slice(prefix.length));
  if (!isObject(target || null))
    fail([...path, '$ref'], `leads nowhere: write ${prefix} and the name of one that is there`);
  return [];
}

const bounds = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minLength', 'x-max-bytes'],
  ['minItems', 'maxItems'],
] as const;

/** Refuses bounds between which no value is. The body's and a list's size are checked where the whole schema is known. */
function checkBounds(schema: JsonObject, refuse: (key: string, message: string) => void): void {
  for (const [least, most] of bounds)
    if (Number(schema[least]) > Number(schema[most])) refuse(least, `is above ${most}: no value would fit`);
  const { minimum, maximum, properties, minProperties } = schema;
  const step = stepOf(schema);
  // Division rounds: 0.07 / 0.01 is above 7.
  const stepsTo = (bound: Json | undefined, round: (count: number) => number): number => {
    const count = Number(bound) / step;
    const isWhole = Math.abs(count - Math.round(count)) < 1e-9 + Math.abs(count) * 2 * Number.EPSILON;
    return isWhole ? Math.round(count) : round(count);
  };
  const key = ['multipleOf', 'x-decimals'].find((one) => one in schema) ?? 'minimum';
  if (stepsTo(minimum, Math.ceil) > stepsTo(maximum, Math.floor))
    refuse(key, `no multiple of ${step} is from minimum to maximum: no value would fit`);
  if (isObject(properties) && Number(minProperties) > Object.keys(properties).length)
    refuse('minProperties', 'is above the number of its properties: no value would fit');
}

/** The least number of which all numbers of a schema are multiples: 1 for an integer, 0.01 for two decimals. NaN if there is none. */
function stepOf({ type, multipleOf, 'x-decimals': places }: JsonObject): number {
  const decimals = Number.isInteger(places) ? Math.min(Math.max(Number(places), 0), 20) : 0;
  // Steps are counted in parts of the last decimal: multipleOf is a number of 1024ths.
  const one = 1024n * 10n ** BigInt(decimals);
  const parts = Number(multipleOf) * 1024;
  const steps = [
    ...(type === 'integer' ? [one] : []),
    ...(places === undefined ? [] : [1024n]),
    ...(Number.isSafeInteger(parts) && parts > 0 ? [(BigInt(parts) * one) / 1024n] : []),
  ];
  const multiple = steps.reduce((least, step) => (least / divisorOf(least, step)) * step, 1n);
  return steps.length === 0 ? Number.NaN : Number(multiple) / Number(one);
}

const divisorOf = (one: bigint, other: bigint): bigint => (other === 0n ? one : divisorOf(other, one % other));

/** The patterns that `x-https` and `x-visible` need beside them, for tools that ignore extensions. */
const httpsPattern = '^[Hh][Tt][Tt][Pp][Ss]://';
const visiblePattern = '\\S';

/** Blank texts of each length that a pattern is likely to ask for. */
const blankTexts = [' ', '\n', '\t'].flatMap((blank) =>
  Array.from({ length: 65 }, (_, length) => blank.repeat(length)),
);

/** Whether a blank text matches the pattern, or there is none. Another check refuses what is no pattern. */
function matchesBlank(pattern: Json | undefined): boolean {
  if (pattern === undefined) return true;
  if (!isPattern(pattern)) return false;
  const expression = new RegExp(String(pattern), 'u');
  return blankTexts.some((text) => expression.test(text));
}

/** Checks the rules that combine several keywords of one schema. */
function checkSchema(schema: JsonObject, path: readonly string[]): void {
  const refuse = (key: string, message: string): never => fail([...path, key], message);
  const { type, items, required, properties = {}, format, pattern } = schema;
  if ((type === undefined) !== 'allOf' in schema)
    refuse('type', 'is needed: string, integer, number, boolean, array or object; with allOf it is that of the $ref');
  if (type === 'array' && items === undefined) refuse('items', 'is needed: the schema of one item');
  const beside = 'allOf' in schema && Object.keys(schema).find((key) => !besideBase.has(key));
  if (beside) refuse(beside, `would be a further rule beside allOf, and not change it; ${inComponent}`);
  checkBounds(schema, refuse);
  const beyond = ['minimum', 'maximum'].find(
    (key) => Number(schema[key]) < int32.minimum || Number(schema[key]) > int32.maximum,
  );
  if (beyond && format === 'int32') refuse(beyond, 'is outside of format int32: write format: int64');
  const lacking = (Array.isArray(required) ? required : []).find(
    (name) => !isObject(properties) || !Object.hasOwn(properties, String(name)),
  );
  if (lacking !== undefined) refuse('required', `names ${lacking}, which its properties lack`);
  const limit = ['minLength', 'maxLength', 'pattern'].find((key) => key in schema);
  if (limit && typedFormats.has(format))
    refuse(
      limit,
      `means nothing to most languages, for which a ${format} is no text; leave it out: the format limits it`,
    );
  if ('x-future' in schema && format !== 'date') refuse('x-future', 'is for days: write format: date beside it');
  if ('x-https' in schema && (format !== 'uri' || pattern !== httpsPattern))
    refuse('x-https', `is for addresses: write format: uri and pattern: "${httpsPattern}" beside it`);
  if ('x-visible' in schema && matchesBlank(pattern))
    refuse(
      'x-visible',
      `is for texts that show something: write pattern: ${JSON.stringify(visiblePattern)} beside it, or one that no blank text matches`,
    );
  if (Array.isArray(schema.enum)) checkEnum(schema.enum, schema, (message) => refuse('enum', message));
}

function checkEnum(list: readonly Json[], { type, nullable }: JsonObject, refuse: (message: string) => void): void {
  if (list.includes(null) !== (nullable === true)) refuse('a nullable enum lists null, and only a nullable one does');
  if (!list.every((value) => value === null || isOfType(value, type ?? null)))
    refuse(`must list values of type ${type}: a text has 1 to 255 characters and no controls`);
  if (list.every((value) => value === null)) refuse('must list each value once, and one that is not null');
  const ofObjects = list.find((value) => typeof value === 'string' && !isName(value));
  if (ofObjects !== undefined) refuse(`${ofObjects} is a name that every JavaScript object has; write another`);
  if (list.length === 0 || new Set(list).size !== list.length) refuse('must list each value once');
}

const isOfType = (value: Json, type: Json): boolean =>
  type === 'string'
    ? isText(value) && /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(value)
    : typeof value === 'number' && (type === 'number' || Number.isSafeInteger(value));
