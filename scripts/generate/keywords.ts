import { isObject, type Json, type JsonObject } from './document.ts';

// Every keyword that the contract may have, and its effects. Any other keyword is refused at its place.

/**
 * What a keyword's value is: a kind of the table below, `[kind]` for a list of them, `{kind}` for a map, or one of `values`. Then what reads it:
 *   run    the service itself: validation, routing, scopes         tool   the schemas of the tools
 *   types  the types, the typed client, generators of clients      field  the column, rules and pages of a job's field
 *   docs   the API reference, the samples, llms.txt
 * Last the types of a schema that it is for.
 */
type Keyword = readonly [value: string, readers: string, types?: string];
/** Or the reason why it is refused, with what to write instead. */
type Refused = { readonly instead: string };
type Kind = Readonly<Record<string, Keyword | Refused>>;

const refused = (instead: string): Refused => ({ instead });

const schema: Kind = {
  type: ['type', 'run types tool field'],
  nullable: ['flag', 'run types tool field'],
  enum: ['list', 'run types tool field', 'string integer number'],
  format: ['format', 'run types tool field', 'string integer number'],
  pattern: ['pattern', 'run tool', 'string'],
  minLength: ['count', 'run tool', 'string'],
  maxLength: ['count', 'run tool field', 'string'],
  minimum: ['number', 'run tool field', 'integer number'],
  maximum: ['number', 'run tool field', 'integer number'],
  multipleOf: ['step', 'run tool', 'integer number'],
  items: ['Schema', 'run types tool field', 'array'],
  minItems: ['count', 'run tool', 'array'],
  maxItems: ['count', 'run tool field', 'array'],
  uniqueItems: ['flag', 'run tool', 'array'],
  properties: ['{Schema}', 'run types tool field', 'object'],
  required: ['names', 'run types tool', 'object'],
  minProperties: ['count', 'run tool', 'object'],
  additionalProperties: ['others', 'run types tool', 'object'],
  allOf: ['base', 'run types tool field'],
  title: ['text', 'types tool docs'],
  description: ['text', 'types tool docs'],
  deprecated: ['flag', 'types tool docs'],
  externalDocs: ['ExternalDocs', 'docs'],
  example: ['any', 'docs'],
  readOnly: ['flag', 'types docs'],
  default: refused("clients' generators would make the field required; use x-default"),
  writeOnly: refused('what a job has is returned; leave the field out'),
  exclusiveMinimum: refused('write the least allowed number as minimum'),
  exclusiveMaximum: refused('write the greatest allowed number as maximum'),
  maxProperties: refused('an object has the properties that it lists; leave it out'),
  oneOf: refused('write one object whose properties are nullable, or a field for each alternative'),
  anyOf: refused('write one object whose properties are nullable, or a field for each alternative'),
  discriminator: refused('write one object with an enum that names the alternative'),
  not: refused('write what is allowed, as an enum or a pattern'),
  xml: refused('the service speaks JSON only; leave it out'),
  const: refused('write an enum of one value'),
  examples: refused('write one example'),
};

const field: Kind = {
  ...schema,
  'x-label': ['text', 'field'],
  'x-html': ['flag', 'field', 'string'],
  'x-visible': ['flag', 'field', 'string'],
  'x-future': ['flag', 'field', 'string'],
  'x-https': ['flag', 'field', 'string'],
  'x-max-bytes': ['count', 'field', 'string'],
  'x-decimals': ['count', 'field', 'number'],
  'x-references': ['text', 'field', 'integer'],
  'x-required-when': ['object', 'field'],
  'x-at-least': ['text', 'field', 'integer number string'],
  'x-default': ['flag', 'field', 'boolean'],
  'x-returned-nullable': ['yes', 'field'],
  'x-returned-description': ['text', 'field'],
};

const onlyJson = refused('write `schema`; every value is JSON or a plain text');
const parameter: Kind = {
  schema: ['ParameterSchema', 'run types tool'],
  required: ['flag', 'run types tool'],
  description: ['text', 'types tool docs'],
  deprecated: ['flag', 'types tool docs'],
  example: ['any', 'docs'],
  'x-mcp': ['no', 'tool'],
  examples: refused('write one example'),
  content: onlyJson,
  style: refused('a list is one parameter for each item, and nothing else has a style; leave it out'),
  explode: refused('a list is one parameter for each item, and nothing else has a style; leave it out'),
  allowReserved: refused('what a value holds is percent-encoded; leave it out'),
  allowEmptyValue: refused('write a schema that allows the empty text; leave it out'),
};

const itsOwn = refused('the service answers this method itself; leave it out');
const everyOperation = refused('every operation needs the same token, at the same address; leave it out');

const errors = Array.from({ length: 200 }, (_, at) => String(400 + at));
const statuses = ['200', '201', '202', '204', '304', ...errors];

/** The keywords by OpenAPI 3.0.3's names of objects. `JobSchema` is JobInput or JobPatch, `FieldSchema` one of their properties. */
export const kinds: Readonly<Record<string, Kind>> = {
  Document: {
    openapi: ['text', 'run'],
    info: ['object', 'docs'],
    servers: ['list', 'docs'],
    security: ['list', 'types'],
    tags: ['[Tag]', 'docs'],
    externalDocs: ['ExternalDocs', 'docs'],
    'x-every-operation': ['object', 'types'],
    paths: ['{PathItem}', 'run types tool docs'],
    components: ['Components', 'run types tool docs'],
  },
  Tag: { name: ['text', 'docs'], description: ['text', 'docs'], externalDocs: ['ExternalDocs', 'docs'] },
  ExternalDocs: { url: ['text', 'docs'], description: ['text', 'docs'] },
  Components: {
    schemas: ['{Schema}', 'run types tool'],
    parameters: ['{Parameter}', 'run types tool'],
    headers: ['{Header}', 'types'],
    responses: ['{Response}', 'types'],
    examples: ['{Example}', 'docs'],
    securitySchemes: ['object', 'types'],
    requestBodies: refused('write the body in its operation'),
    links: refused('say it in the description'),
    callbacks: refused('the service calls nobody; leave it out'),
  },
  PathItem: {
    parameters: ['[Parameter]', 'run types tool'],
    ...Object.fromEntries(
      ['get', 'put', 'post', 'patch', 'delete'].map((name) => [name, ['Operation', 'run'] as const]),
    ),
    ...{ head: itsOwn, options: itsOwn, trace: itsOwn, servers: everyOperation },
    summary: refused('write it in each operation'),
    description: refused('write it in each operation'),
  },
  Operation: {
    operationId: ['id', 'run types tool docs'],
    tags: ['names', 'docs'],
    summary: ['text', 'types docs'],
    description: ['text', 'docs'],
    deprecated: ['flag', 'types docs'],
    externalDocs: ['ExternalDocs', 'docs'],
    parameters: ['[Parameter]', 'run types tool'],
    requestBody: ['RequestBody', 'run types tool'],
    responses: ['Responses', 'run types tool'],
    'x-scope': ['scope', 'run'],
    'x-mcp': ['Tool', 'tool'],
    ...{
      callbacks: refused('the service calls nobody; leave it out'),
      security: everyOperation,
      servers: everyOperation,
    },
  },
  Tool: {
    name: ['tool', 'tool'],
    title: ['text', 'tool'],
    description: ['text', 'tool'],
    readOnly: ['flag', 'tool'],
    destructive: ['flag', 'tool'],
    idempotent: ['flag', 'tool'],
    openWorld: ['flag', 'tool'],
    resultCharsMax: ['count', 'tool'],
    response: ['Response', 'tool'],
  },
  Parameter: { name: ['text', 'run types tool'], in: ['place', 'run types tool'], ...parameter },
  Header: { ...parameter, schema: ['Schema', 'run types tool'] },
  RequestBody: {
    required: ['yes', 'run types tool'],
    description: ['text', 'tool docs'],
    content: ['Content', 'run types tool'],
  },
  Responses: {
    ...Object.fromEntries(statuses.map((status) => [status, ['Response', 'run types tool'] as const])),
    ...Object.fromEntries(['default', '2XX', '3XX', '4XX', '5XX'].map((name) => [name, refused('write each status')])),
  },
  Response: {
    description: ['text', 'docs'],
    content: ['Content', 'run types tool'],
    headers: ['{Header}', 'run types tool'],
    links: refused('say it in the description'),
  },
  Content: { 'application/json': ['Media', 'run types tool'] },
  Media: {
    schema: ['Schema', 'run types tool'],
    examples: ['{Example}', 'docs'],
    example: refused('write it as one of examples, with a name'),
    encoding: onlyJson,
  },
  Example: {
    summary: ['text', 'docs'],
    description: ['text', 'docs'],
    value: ['any', 'docs'],
    externalValue: refused('write the value'),
  },
  Schema: schema,
  JobSchema: { ...schema, properties: ['{FieldSchema}', 'run types tool field', 'object'] },
  FieldSchema: field,
  ParameterSchema: {
    ...schema,
    default: ['any', 'run types tool'],
    nullable: refused('a parameter without a value is left out'),
  },
};

/** The components to which a `$ref` of each kind leads. */
export const sections: Readonly<Record<string, string>> = {
  ...{ Schema: 'schemas', FieldSchema: 'schemas', ParameterSchema: 'schemas' },
  ...{ Parameter: 'parameters', Header: 'headers', Response: 'responses', Example: 'examples' },
};

const formats: Readonly<Record<string, string>> = {
  string: 'date date-time time duration email hostname ipv4 ipv6 uri uri-reference uuid',
  integer: 'int32 int64',
  number: 'float double',
};
export const words = (text: string | undefined): string[] => text?.split(' ') ?? [];
export const isText = (value: Json): value is string => typeof value === 'string' && value !== '';
const isNumber = (value: Json): value is number => typeof value === 'number';
const isExact = (value: Json): boolean => isNumber(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
const oneOf = (...allowed: Json[]) =>
  [(value: Json) => allowed.includes(value), `must be ${allowed.join(' or ')}`] as const;

export const values: Readonly<
  Record<string, readonly [fits: (value: Json, schema: JsonObject) => boolean, words: string]>
> = {
  any: [() => true, ''],
  text: [isText, 'must be a text'],
  flag: oneOf(true, false),
  no: [(value) => value === false, 'must be false, or left out'],
  yes: [(value) => value === true, 'must be true'],
  list: [Array.isArray, 'must be a list'],
  object: [isObject, 'must be an object'],
  names: [
    (value) => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length,
    'must be a list of names, each once; a required field is named in the `required` of its object',
  ],
  count: [(value) => Number.isSafeInteger(value) && Number(value) >= 0, 'must be a whole number from 0'],
  number: [isExact, 'must be a number from -9007199254740991 to 9007199254740991: JSON readers round others'],
  // With other steps, floating point would refuse valid values: 0.3 is not a multiple of 0.1.
  step: [
    (value) => isExact(value) && Number(value) > 0 && Number.isInteger(Number(value) * 1024),
    'must be a whole number or a fraction such as 0.5 or 0.25; for decimals use x-decimals',
  ],
  type: oneOf('string', 'integer', 'number', 'boolean', 'array', 'object'),
  place: oneOf('path', 'query', 'header'),
  scope: oneOf('jobs:read', 'jobs:write', 'reference:read'),
  id: [
    (value) => isText(value) && /^(?=.*[\p{L}\d])\P{C}{1,100}$/u.test(value),
    'must be a name of at most 100 characters',
  ],
  tool: [
    (value) => isText(value) && /^[a-z]\w{0,62}$/i.test(value),
    'must be a letter and up to 62 letters, digits or _',
  ],
  format: [
    (value, { type }) => words(formats[String(type)]).includes(String(value)),
    `must be one of its type: ${Object.entries(formats)
      .map(([type, names]) => `${type} has ${names}`)
      .join('; ')}`,
  ],
  pattern: [isPattern, 'must be a regular expression of ECMAScript, which is valid with the flag u'],
  others: [
    (value) => typeof value === 'boolean' || isObject(value),
    'must be false in what is sent; a map is a list of objects with a name and a value',
  ],
  base: [
    (value) => Array.isArray(value) && value.length === 1 && isObject(value[0]) && '$ref' in value[0],
    'must be a list of one $ref, such as `allOf: [{ $ref: ... }]` beside nullable: true; write other properties out',
  ],
};

function isPattern(value: Json): boolean {
  try {
    return isText(value) && new RegExp(value, 'u').source !== '';
  } catch {
    return false;
  }
}

export const isRefused = (keyword: Keyword | Refused | undefined): keyword is Refused =>
  keyword !== undefined && 'instead' in keyword;

/** The keywords of these kinds, by their readers. */
const readersOf = (ofKinds: readonly Kind[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>();
  for (const [key, keyword] of ofKinds.flatMap((kind) => Object.entries(kind)))
    if (!isRefused(keyword)) found.set(key, new Set([...(found.get(key) ?? []), ...words(keyword[1])]));
  return found;
};
const readers = readersOf(Object.values(kinds));
const ofSchemas = readersOf([kinds.ParameterSchema ?? {}]);

/** Whether the service itself reads any object's keyword of this name. */
export const isRead = (key: string): boolean => readers.get(key)?.has('run') === true;

/** Whether the schemas of tools include the keyword. */
export const isInTools = (key: string): boolean => ofSchemas.get(key)?.has('tool') === true;

export function unknownMessage(key: string, kind: string): string {
  const elsewhere = Object.keys(kinds).filter((other) => Object.hasOwn(kinds[other] ?? {}, key));
  if (elsewhere.length > 0) return `has no effect on a ${kind}; it belongs to a ${elsewhere.join(' or ')}`;
  const known = Object.entries(kinds[kind] ?? {}).flatMap(([name, keyword]) => (isRefused(keyword) ? [] : [name]));
  return `unknown ${key.startsWith('x-') ? 'extension' : 'keyword'} of a ${kind}; known are ${known.slice(0, 40).join(', ')}`;
}
