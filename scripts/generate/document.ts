import { type Document, isMap, isNode, isSeq, LineCounter, parseDocument, visit, YAMLParseError } from 'yaml';

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** A mistake in the contract. `path` leads to its place in the document, and `source` to the place to edit instead. */
export class ContractError extends Error {
  readonly path: readonly string[];
  readonly source: readonly string[] | undefined;

  constructor(path: readonly string[], message: string, source?: readonly string[]) {
    super(message);
    this.path = path;
    this.source = source;
  }
}

/** The last text that was parsed. It is kept because a run needs the same text up to four times, and parsing takes half of the run's time. */
let parsed: { yaml: string; document: Document.Parsed; lines: LineCounter } | undefined;

/** Parses YAML, with the places of its nodes. Do not modify the cached result. An alias is an error, because one text would have two places. */
export function parse(yaml: string): { readonly document: Document.Parsed; readonly lines: LineCounter } {
  if (parsed?.yaml === yaml) return parsed;
  const lines = new LineCounter();
  // JSON has no key 200 beside the key "200".
  const uniqueKeys = (one: unknown, other: unknown) => String(one) === String(other);
  const document = parseDocument(yaml, { lineCounter: lines, uniqueKeys });
  visit(document, {
    Alias: (_key, alias) => {
      document.errors.push(
        mistakeAt(lines, alias.range, `*${alias.source}: no YAML aliases: use a $ref, or write it again`),
      );
    },
  });
  parsed = { yaml, document, lines };
  return parsed;
}

/** A mistake at a place in the text. */
export function mistakeAt(
  lines: LineCounter,
  range: readonly number[] | null | undefined,
  message: string,
): YAMLParseError {
  const [start = 0, end = 0] = range ?? [];
  const error = new YAMLParseError([start, end], 'BAD_ALIAS', message);
  error.linePos = [lines.linePos(start)];
  return error;
}

/** Reads YAML as plain JSON, and keeps its order and its `$ref`s. Throws a YAMLParseError. */
export function readDocument(yaml: string): JsonObject {
  const { document, lines } = parse(yaml);
  const [mistake] = document.errors;
  if (mistake) throw mistake;
  const value: Json = JSON.parse(JSON.stringify(document.toJS() ?? null));
  if (isObject(value)) return value;
  throw mistakeAt(lines, document.contents?.range, 'must be an object: begin with openapi: 3.0.3');
}

/** Whether the value is a JSON object (no array, not null). */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value as an object. Throws an error that names `where` for any other value. */
export function asObject(value: Json | undefined, where: string): JsonObject {
  if (isObject(value)) return value;
  throw new Error(`${where}: an object is expected`);
}

/** The value as a string. Throws an error that names `where` for any other value. */
export function asString(value: Json | undefined, where: string): string {
  if (typeof value === 'string') return value;
  throw new Error(`${where}: a string is expected`);
}

export const valueAt = (value: Json | undefined, ...path: string[]): Json | undefined =>
  path.reduce<Json | undefined>(
    (holder, key) => (Array.isArray(holder) ? holder[Number(key)] : isObject(holder) ? holder[key] : undefined),
    value,
  );

/** The object at a path below a value. Throws an error that names the path if there is none. */
export const objectAt = (value: Json | undefined, ...path: string[]): JsonObject =>
  asObject(valueAt(value, ...path), path.join('.'));

/** The schema of that name among the document's components. */
export const schemaOf = (document: JsonObject, name: string): JsonObject =>
  objectAt(document, 'components', 'schemas', name);

/** The JSON content of a request body or a response. */
export const mediaOf = (holder: Json | undefined): JsonObject => objectAt(holder, 'content', 'application/json');

/** Documents without `$ref`s. A run needs that of the same document up to seven times. */
const inlined = new WeakMap<JsonObject, JsonObject>();

/**
 * Replaces every `$ref` into the same document by a copy of its target, and merges the one schema of an `allOf` with the keywords beside it. No
 * two places share an object, because openapi-backend would treat a shared one as a cycle. Throws a ContractError for a `$ref` that is circular
 * or leads nowhere. Do not modify the document afterwards, nor the result, which the next call returns too.
 */
export function dereference(document: JsonObject): JsonObject {
  const known = inlined.get(document);
  if (known) return known;
  const made = dereferencedAt(document);
  inlined.set(document, made);
  return made;
}

/** As `dereference`, for the object at a path. The document may be modified afterwards. */
export function dereferencedAt(document: JsonObject, ...start: string[]): JsonObject {
  const path = [...start];
  const below = (key: string, inner: Json, trail: string[]): Json => {
    path.push(key);
    const made = inline(inner, trail);
    path.pop();
    return made;
  };
  const fail = (message: string): never => {
    throw new ContractError([...path, '$ref'], message);
  };
  const inline = (value: Json, trail: string[]): Json => {
    if (Array.isArray(value)) return value.map((item, at) => below(String(at), item, trail));
    if (!isObject(value)) return value;
    const { $ref: ref } = value;
    if (typeof ref !== 'string')
      return based(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, below(key, inner, trail)])));
    const steps = ref.split('/').slice(1);
    const target = ref.startsWith('#/') ? valueAt(document, ...steps) : undefined;
    if (target === undefined) return fail(`leads nowhere: ${ref}`);
    if (trail.includes(ref)) return fail(`is a circle: ${[...trail, ref].join(' -> ')}; write out its innermost part`);
    const before = path.splice(0, path.length, ...steps);
    const made = inline(target, [...trail, ref]);
    path.splice(0, path.length, ...before);
    return made;
  };
  return asObject(inline(valueAt(document, ...start) ?? null, []), start.join('.') || 'openapi.yaml');
}

/** Merges the base of an `allOf` into the schema. The schema's own keywords override those of the base. */
function based(schema: JsonObject): JsonObject {
  const [base] = Array.isArray(schema.allOf) ? schema.allOf : [];
  if (!isObject(base)) return schema;
  const { allOf: _, ...merged } = { ...base, ...schema };
  return merged;
}

/** The keywords whose values have freely chosen names as keys. There, `description` may be the name of a property instead of a keyword. */
const nameMaps = new Set(
  'paths responses headers content properties patternProperties schemas parameters examples value'.split(' '),
);
export const hasNames = (key: string, keysAreNames: boolean): boolean => !keysAreNames && nameMaps.has(key);

/** Yields a value and the objects in it, with their paths, except those whose keys are freely chosen names. */
export function* objectsIn(value: Json, path: string[], keysAreNames = false): Generator<[JsonObject, string[]]> {
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* objectsIn(item, [...path, String(index)]);
  if (!isObject(value)) return;
  if (!keysAreNames) yield [value, path];
  for (const [key, inner] of Object.entries(value))
    yield* objectsIn(inner, [...path, key], hasNames(key, keysAreNames));
}

/** An operation with the parameters of its path item. It contains `$ref`s unless the document was dereferenced. */
export interface FoundOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly scope: string | null;
  readonly operation: JsonObject;
  readonly parameters: readonly JsonObject[];
}

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** All operations, in the order of the document. Throws a ContractError for one without an operationId. */
export const operationsOf = (document: JsonObject): FoundOperation[] =>
  Object.entries(asObject(document.paths, 'paths')).flatMap(([path, value]) => {
    const item = asObject(value, path);
    const found = Object.entries(item).filter(([key]) => methods.includes(key));
    return found.map(([method, value]) => {
      const operation = asObject(value, `${method} ${path}`);
      const { operationId, 'x-scope': scope } = operation;
      if (typeof operationId !== 'string') throw new ContractError(['paths', path, method], 'needs an operationId');
      const listed = [item.parameters, operation.parameters]
        .flatMap((list) => (Array.isArray(list) ? list : []))
        .map((parameter) => asObject(parameter, `${method} ${path}: parameters`));
      // A parameter of the operation replaces that of the path with the same place and name.
      const parameters = [...new Map(listed.map((one) => [`${one.$ref ?? one.in} ${one.name}`, one])).values()];
      return { operationId, method, path, scope: typeof scope === 'string' ? scope : null, operation, parameters };
    });
  });

/** The place of a parameter: in its operation, or in the path of the operation. */
export function parameterPath(
  { path, method, operation, parameters }: FoundOperation,
  parameter: JsonObject,
): string[] {
  const own = Array.isArray(operation.parameters) ? operation.parameters.indexOf(parameter) : -1;
  // Those of the path precede the operation's own.
  return own < 0
    ? ['paths', path, 'parameters', String(parameters.indexOf(parameter))]
    : ['paths', path, method, 'parameters', String(own)];
}

/** Names that JavaScript or the generated code already uses. */
const taken = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for
  function if implements import in instanceof interface let new null package private protected public return static super switch this
  throw true try typeof var void while with yield api body bodyOf call changes allJobs crypto dataOf idempotencyKey ifMatchOf operations
  query sending sync`.split(/\s+/),
);

/** Makes a JavaScript name from a name of the contract: `list-regions` becomes listRegions. */
export function identifierOf(name: string): string {
  const joined = name.replace(/[^\p{ID_Continue}]+(.?)/gu, (_, letter: string) => letter.toUpperCase());
  return /^\p{ID_Start}/u.test(joined) && !taken.has(joined) ? joined : `_${joined}`;
}

/** The error as one line. It begins with the place in the contract if there is one: `openapi.yaml:412:9 …`. */
export function contractMistake(yaml: string, error: unknown): string {
  if (error instanceof ContractError)
    return `openapi.yaml:${placeOf(yaml, error.path)} ${subjectOf(error.path)}: ${error.message}${error.source ? ` (openapi.yaml:${placeOf(yaml, error.source)})` : ''}`;
  const { message } = error as Error;
  if (!(error instanceof YAMLParseError)) return `openapi.yaml: ${message}`;
  const [start] = error.linePos ?? [];
  return `openapi.yaml:${start?.line}:${start?.col} ${message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '')}`;
}

/** Names a place by its field, component or operation, and its keyword: `JobInput.latitude x-decimals`, `post /jobs x-mcp name`. */
export function subjectOf(path: readonly string[]): string {
  const [root, section = '', name = '', ...rest] = path;
  if (root === 'paths') return [name, section, ...rest].join(' ').trim();
  if (root !== 'components') return path.join('.');
  const [properties, field, ...keywords] = rest;
  const isField = properties === 'properties' && field !== undefined;
  return [isField ? `${name}.${field}` : name, ...(isField ? keywords : rest)].join(' ');
}

/** Line and column of the deepest node that a path reaches, following `$ref`s. */
function placeOf(yaml: string, path: readonly string[]): string {
  const { document, lines } = parse(yaml);
  const resolve = (node: unknown): unknown => {
    const ref = isMap(node) ? node.get('$ref') : undefined;
    return typeof ref === 'string' ? resolve(document.getIn(ref.slice(2).split('/'), true)) : node;
  };
  let node: unknown = document.contents;
  let offset = 0;
  for (const key of path) {
    const pairIn = (map: unknown) => (isMap(map) ? map.items.find((item) => String(item.key) === key) : undefined);
    const holder = pairIn(node) ? node : resolve(node);
    const pair = pairIn(holder);
    node = isSeq(holder) ? holder.items[Number(key)] : pair?.value;
    const marked = pair?.key ?? node;
    if (isNode(marked)) offset = marked.range?.[0] ?? offset;
  }
  const { line, col } = lines.linePos(offset);
  return `${line}:${col}`;
}
