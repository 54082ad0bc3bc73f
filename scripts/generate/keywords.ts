import { policy } from '../../src/domain/environment.ts';
import { isObject, type Json, type JsonObject } from './document.ts';

// Every keyword that the contract may have, and its effects. Any other keyword is refused at its place.

/**
 * First the kind of a keyword's value: a key of `kinds` or `values`, `[kind]` for a list of these, or `{kind}` for a map. Then what reads it:
 *   run    the service itself: validation, routing, scopes         tool   the schemas of the tools
 *   types  the types, the typed client, generators of clients      field  the column, rules and pages of a stored field
 *   docs   the API reference, the samples, llms.txt
 * Last, the types of the schemas that may have the keyword; if absent, schemas of any type may.
 */
type Keyword = readonly [value: string, readers: string, types?: string];
/** A refused keyword. `instead` says why it is refused, or what to write instead. */
type Refused = { readonly instead: string | ((holder: JsonObject) => string) };
type Kind = Readonly<Record<string, Keyword | Refused>>;

const refused = (instead: Refused['instead']): Refused => ({ instead });

/** The keywords of the schema of a property. */
const property = {
  type: ['type', 'run types tool field'],
  nullable: ['flag', 'run types tool field'],
  enum: ['list', 'run types tool field', 'string integer number'],
  format: ['format', 'run types tool field', 'string integer number'],
  pattern: ['pattern', 'run tool', 'string'],
  'x-pattern-message': ['text', 'run', 'string'],
  minLength: ['count', 'run tool', 'string'],
  maxLength: ['count', 'run tool field', 'string'],
  minimum: ['number', 'run tool field', 'integer number'],
  maximum: ['number', 'run tool field', 'integer number'],
  multipleOf: ['step', 'run tool', 'integer number'],
  items: ['Schema', 'run types tool field', 'array'],
  minItems: ['count', 'run tool', 'array'],
  maxItems: ['count', 'run tool field', 'array'],
  uniqueItems: ['flag', 'run tool', 'array'],
  properties: ['{PropertySchema}', 'run types tool field', 'object'],
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
  default: refused(({ type }) => {
    const said = type === 'boolean' ? 'use x-default' : 'say in the description what null means';
    return `clients' generators would make the field required; ${said}`;
  }),
  writeOnly: refused('every property is returned; leave it out'),
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
} satisfies Kind;

const schema: Kind = {
  ...property,
  readOnly: refused('OpenAPI 3.0.3 has it for the schemas of properties only; write it there, in each'),
};

const field = {
  ...property,
  'x-label': ['text', 'field'],
  'x-html': ['flag', 'field', 'string'],
  'x-visible': ['flag', 'run field', 'string'],
  'x-future': ['flag', 'run field', 'string'],
  'x-https': ['flag', 'run field', 'string'],
  'x-max-bytes': ['count', 'field', 'string'],
  'x-decimals': ['count', 'field', 'number'],
  'x-references': ['text', 'run field', 'integer'],
  'x-required-when': ['object', 'field'],
  'x-at-least': ['text', 'field', 'integer number string'],
  'x-default': ['flag', 'field', 'boolean'],
  'x-returned-nullable': ['yes', 'field'],
  'x-returned-description': ['text', 'field'],
  readOnly: refused('a program sends this field; leave it out'),
} satisfies Kind;

/** The keywords that the schema of a field may have. */
export type FieldKeyword = {
  [Key in keyof typeof field]: (typeof field)[Key] extends Refused ? never : Key;
}[keyof typeof field];

/** The extensions that have an effect in the schema of any text. All others have an effect only in stored schemas. */
const everywhere = ['x-visible', 'x-https', 'x-label', 'x-pattern-message'];
export const ofFields: readonly string[] = Object.keys(field).filter(
  (key) => key.startsWith('x-') && !everywhere.includes(key),
);

const texts = 'allOf title description deprecated externalDocs example'.split(' ');
/** The keywords that may be beside `allOf`. Validators take any other keyword as a further rule, not as a change of the base. */
export const besideBase: ReadonlySet<string> = new Set([
  ...texts,
  ...Object.keys(field).filter((key) => key.startsWith('x-')),
]);

const onlyJson = refused('write `schema`; every value is JSON or a plain text');
const parameter: Kind = {
  schema: ['ParameterSchema', 'run types tool'],
  required: ['flag', 'run types tool'],
  description: ['text', 'types tool docs'],
  deprecated: ['flag', 'types tool docs'],
  example: ['any', 'docs'],
  'x-mcp': ['no', 'tool'],
  'x-names': ['text', 'run'],
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

/** The keywords of each kind of object, by the kind's name in OpenAPI 3.0.3. A `StoredSchema` has `x-stored`; its properties are `FieldSchema`s. */
export const kinds: Readonly<Record<string, Kind>> = {
  Document: {
    openapi: ['edition', 'run'],
    info: ['Info', 'docs'],
    servers: ['[Server]', 'docs'],
    security: ['security', 'types'],
    tags: ['[Tag]', 'docs'],
    externalDocs: ['ExternalDocs', 'docs'],
    'x-every-operation': ['EveryOperation', 'types'],
    paths: ['{PathItem}', 'run types tool docs'],
    components: ['Components', 'run types tool docs'],
  },
  Info: {
    title: ['text', 'docs'],
    version: ['version', 'docs'],
    description: ['text', 'docs'],
    termsOfService: ['url', 'docs'],
    contact: ['Contact', 'docs'],
    license: ['License', 'docs'],
    summary: refused('begin the description with it'),
  },
  Contact: { name: ['text', 'docs'], url: ['url', 'docs'], email: ['text', 'docs'] },
  License: { name: ['text', 'docs'], url: ['url', 'docs'], identifier: refused('write its url') },
  Server: {
    url: ['server', 'docs'],
    description: ['text', 'docs'],
    variables: refused('many tools do not substitute them; write the address'),
  },
  EveryOperation: { responses: ['{text}', 'types'], headers: ['EveryHeader', 'types'] },
  EveryHeader: { all: ['{text}', 'types'], answers: ['{text}', 'types'], refusals: ['{text}', 'types'] },
  SecurityScheme: {
    type: ['http', 'types'],
    scheme: ['bearer', 'types'],
    bearerFormat: ['text', 'docs'],
    description: ['text', 'docs'],
    ...Object.fromEntries(
      ['name', 'in', 'flows', 'openIdConnectUrl'].map((name) => [
        name,
        refused('a credential is a bearer token: write type: http and scheme: bearer'),
      ]),
    ),
  },
  Tag: { name: ['text', 'docs'], description: ['text', 'docs'], externalDocs: ['ExternalDocs', 'docs'] },
  ExternalDocs: { url: ['url', 'docs'], description: ['text', 'docs'] },
  Components: {
    schemas: ['{Schema}', 'run types tool'],
    parameters: ['{Parameter}', 'run types tool'],
    headers: ['{Header}', 'types'],
    responses: ['{Response}', 'types'],
    examples: ['{Example}', 'docs'],
    securitySchemes: ['{SecurityScheme}', 'types'],
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
    summary: ['text', 'run types docs'],
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
    description: ['toolText', 'tool'],
    readOnly: ['flag', 'tool'],
    destructive: ['flag', 'tool'],
    idempotent: ['flag', 'tool'],
    openWorld: ['flag', 'tool'],
    resultCharsMax: ['count', 'tool'],
    summary: ['names', 'tool'],
    body: ['argument', 'tool'],
    response: ['Response', 'tool'],
  },
  Parameter: { name: ['name', 'run types tool'], in: ['place', 'run types tool'], ...parameter },
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
  PropertySchema: property,
  StoredSchema: {
    'x-stored': ['table', 'run field'],
    type: ['ofObject', 'run types tool'],
    properties: ['{FieldSchema}', 'run types tool field'],
    additionalProperties: ['no', 'run types tool'],
    required: ['names', 'run types tool'],
    minProperties: ['count', 'run tool'],
    title: ['text', 'types tool docs'],
    description: ['text', 'types tool docs'],
    deprecated: ['flag', 'types tool docs'],
    externalDocs: ['ExternalDocs', 'docs'],
    nullable: refused('what is stored is an object; leave it out'),
    allOf: refused('write its properties out'),
  },
  FieldSchema: field,
  ParameterSchema: {
    ...schema,
    default: ['any', 'run types tool'],
    nullable: refused('a parameter without a value is left out'),
    readOnly: refused('a program sends it; leave it out'),
  },
};

/** The keywords that an object of each kind needs. check-contract has the needs of operations. */
export const needs: Readonly<Record<string, readonly string[]>> = {
  Document: ['openapi', 'info', 'servers', 'security', 'tags', 'x-every-operation', 'paths', 'components'],
  Info: ['title', 'version', 'description', 'license'],
  Contact: [],
  License: ['name'],
  Server: ['url'],
  SecurityScheme: ['type', 'scheme'],
  EveryOperation: ['responses', 'headers'],
  EveryHeader: ['all', 'answers', 'refusals'],
  Tag: ['name'],
  ExternalDocs: ['url'],
  Components: ['schemas', 'parameters', 'headers', 'responses', 'examples', 'securitySchemes'],
  StoredSchema: ['type', 'additionalProperties'],
  Parameter: ['name', 'in', 'schema', 'description'],
  Header: ['schema'],
  Response: ['description'],
  Media: ['schema'],
  Example: ['value'],
  Content: ['application/json'],
};

/** For each kind, the section of the components that a `$ref` in its place must lead to. */
export const sections: Readonly<Record<string, string>> = {
  ...{ Schema: 'schemas', PropertySchema: 'schemas', FieldSchema: 'schemas', ParameterSchema: 'schemas' },
  ...{ Parameter: 'parameters', Header: 'headers', Response: 'responses', Example: 'examples' },
};

const formats: Readonly<Record<string, string>> = {
  string: 'date date-time time duration email hostname ipv4 ipv6 uri uri-reference uuid',
  integer: 'int32 int64',
  number: 'float double',
};
/** Client generators turn these formats into types of their own, such as dates, which have no length or pattern in any language. */
export const typedFormats: ReadonlySet<unknown> = new Set(['date', 'date-time', 'uuid']);

/** The range of the format int32. */
export const int32 = { minimum: -2_147_483_648, maximum: 2_147_483_647 } as const;

export const words = (text: string | undefined): string[] => text?.split(' ') ?? [];
export const isText = (value: Json): value is string => typeof value === 'string' && value !== '';
const isNumber = (value: Json): value is number => typeof value === 'number';
const isExact = (value: Json): boolean => isNumber(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
const oneOf = (...allowed: Json[]) =>
  [(value: Json) => allowed.includes(value), `must be ${allowed.join(' or ')}`] as const;

/** Returns false for names that every JavaScript object has, such as `constructor`: a lookup would find them even where they are absent. */
export const isName = (name: string): boolean => !(name in {});

const ofHttp = new Set(
  'authorization accept content-type content-length transfer-encoding connection host cookie'.split(' '),
);
export const isHeader = (name: string): boolean =>
  /^[a-z][a-z\d-]{0,99}$/i.test(name) && !ofHttp.has(name.toLowerCase());

const bases = Object.values(policy).map(({ restBase }) => restBase);
const serverUrl = new RegExp(`^http://(127\\.0\\.0\\.1|localhost):\\d+(${bases.join('|')})$`);

export const values: Readonly<
  Record<string, readonly [fits: (value: Json, schema: JsonObject) => boolean, words: string]>
> = {
  any: [() => true, ''],
  text: [isText, 'must be a text'],
  // OpenAI: https://developers.openai.com/api/reference/resources/chat
  toolText: [(value) => isText(value) && value.length <= 1024, 'must be a text of at most 1024 characters'],
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
  edition: [(value) => isText(value) && /^3\.0\.\d+$/.test(value), 'must be 3.0.3: other versions have other keywords'],
  version: [(value) => isText(value) && /^\d+\.\d+\.\d+$/.test(value), 'must be three numbers, such as 1.0.0'],
  url: [
    (value) => isText(value) && /^https?:/.test(value) && URL.canParse(value),
    'must be an address that begins with https://',
  ],
  server: [
    (value) => isText(value) && serverUrl.test(value),
    `must be http://127.0.0.1:3000 and one of ${bases.join(', ')}: a service publishes its own address in that place, and has no other paths`,
  ],
  security: [
    (value) =>
      Array.isArray(value) &&
      value.length === 1 &&
      isObject(value[0]) &&
      JSON.stringify(Object.values(value[0])) === '[[]]',
    'must be a list of one scheme, such as `- bearer: []`: every operation needs a credential',
  ],
  http: oneOf('http'),
  bearer: oneOf('bearer'),
  ofObject: oneOf('object'),
  name: [
    (value, { in: place }) =>
      isText(value) && isName(value) && (place === 'header' ? isHeader(value) : /^[^\p{C}\s]{1,100}$/u.test(value)),
    'must be up to 100 characters without a space, no name of JavaScript such as constructor; in the header letters, digits and -, and none that HTTP has itself',
  ],
  type: oneOf('string', 'integer', 'number', 'boolean', 'array', 'object'),
  place: oneOf('path', 'query', 'header'),
  table: [
    (value) => isText(value) && /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(value) && value.length <= 40,
    'must be the name of a table: lower case words with underscores, at most 40 characters',
  ],
  scope: [(value) => isText(value) && /^[a-z_]+:(read|write)$/.test(value), 'must be like jobs:read or jobs:write'],
  id: [
    (value) => isText(value) && isName(value) && /^(?=.*[\p{L}\d])\P{C}{1,100}$/u.test(value),
    'must be a name of at most 100 characters, and none of JavaScript such as constructor',
  ],
  argument: [
    (value) => isText(value) && isName(value) && /^[a-z]\w{0,62}$/.test(value),
    'must be a letter and up to 62 letters, digits or _, and no name of JavaScript such as constructor',
  ],
  tool: [
    // Claude Code puts `mcp__vaga__` before the name, and allows 64 characters for both: https://code.claude.com/docs/en/mcp
    (value) => isText(value) && /^[a-z]\w{0,52}$/i.test(value),
    'must be a letter and up to 52 letters, digits or _',
  ],
  format: [
    (value, { type }) => words(formats[String(type)]).includes(String(value)),
    `must be one of its type: ${Object.entries(formats)
      .map(([type, names]) => `${type} has ${names}`)
      .join('; ')}`,
  ],
  pattern: [
    isPattern,
    'must be a regular expression of ECMAScript, which is valid with the flag u; of the groups it may have ( ), (?: ), (?= ) and (?! ), and of ' +
      'the escapes those of punctuation and \\d \\w \\s \\D \\W \\S \\b \\B \\n \\r \\t \\f \\xFF \\uFFFF; write \\x22 for a quotation mark, ' +
      'and letters such as [A-ZÀ-ÖØ-Þ] in place of \\p and \\u{ }, which not every reader knows',
  ],
  others: [
    (value, { properties = {} }) =>
      typeof value === 'boolean' || (isObject(value) && Object.keys(properties ?? {}).length === 0),
    'must be false in what is sent, or beside properties; a map is a list of objects with a name and a value',
  ],
  base: [
    (value) => Array.isArray(value) && value.length === 1 && isObject(value[0]) && '$ref' in value[0],
    'must be a list of one $ref, such as `allOf: [{ $ref: ... }]` beside another description; write other properties out',
  ],
};

/** A character of the Basic Multilingual Plane, or a class of characters, after a backslash. */
const escaped = String.raw`\\(?:[dDwWsSnrtf^$\\.*+?()[\]{}|/]|x[\dA-Fa-f]{2}|u(?![dD][89A-Fa-f])[\dA-Fa-f]{4})`;
const further = String.raw`\u{d800}-\u{dfff}\u{10000}-\u{10ffff}`;
/** Java and newer versions of the others read `[`, `&&`, `--`, `||` and `~~` inside a class as operations on classes. */
const characterClass = String.raw`\[(?!\^\])\^?(?:(?!&&|--|~~|\|\|)(?:${escaped}|\\-|[^[\]\\"${further}]))+\]`;
/**
 * The parts that ECMAScript, with and without the flag u, Python and Java accept. Client generators put a pattern between quotation marks,
 * so it may contain none.
 */
const patternParts = new RegExp(
  String.raw`^(?:${escaped}|\\[bB]|${characterClass}|\((?:\?[:=!]|(?!\?))|\{\d{1,4}(?:,\d{0,4})?\}|[^[\]\\(){}"${further}]|\))+$`,
  'u',
);

export function isPattern(value: Json): boolean {
  try {
    return isText(value) && patternParts.test(value) && new RegExp(value, 'u').source !== '';
  } catch {
    return false;
  }
}

export const isRefused = (keyword: Keyword | Refused | undefined): keyword is Refused =>
  keyword !== undefined && 'instead' in keyword;

/** The readers of each keyword of these kinds, by the keyword. */
const readersOf = (ofKinds: readonly Kind[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>();
  for (const [key, keyword] of ofKinds.flatMap((kind) => Object.entries(kind)))
    if (!isRefused(keyword)) found.set(key, new Set([...(found.get(key) ?? []), ...words(keyword[1])]));
  return found;
};
const readers = readersOf(Object.values(kinds));
const ofSchemas = readersOf([kinds.ParameterSchema ?? {}]);

/** Whether the service itself reads a keyword of this name in any kind of object. */
export const isRead = (key: string): boolean => readers.get(key)?.has('run') === true;

/** Whether the schemas of tools include the keyword. */
export const isInTools = (key: string): boolean => ofSchemas.get(key)?.has('tool') === true;

export function unknownMessage(key: string, kind: string): string {
  const elsewhere = Object.keys(kinds).filter((other) => {
    const keyword = Object.hasOwn(kinds[other] ?? {}, key) ? kinds[other]?.[key] : undefined;
    return keyword !== undefined && !isRefused(keyword);
  });
  if (elsewhere.length > 0) return `has no effect on a ${kind}; it belongs to a ${elsewhere.join(' or ')}`;
  const known = Object.entries(kinds[kind] ?? {}).flatMap(([name, keyword]) => (isRefused(keyword) ? [] : [name]));
  return `unknown ${key.startsWith('x-') ? 'extension' : 'keyword'} of a ${kind}; known are ${known.slice(0, 40).join(', ')}`;
}
