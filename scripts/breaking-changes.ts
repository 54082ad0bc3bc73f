import { isDeepStrictEqual } from 'node:util';
import {
  dereference,
  isObject,
  type Json,
  type JsonObject,
  methods,
  objectAt,
  operationsOf,
  valueAt,
} from './generate/document.ts';

/** What a version publishes: the contract, and the text of mcp-tools.json. */
export interface Published {
  readonly contract: JsonObject;
  readonly tools: string;
}

/** The changes that break clients of the older version, and the additions that clients may use, one line each. */
export type Changes = Record<'breaking' | 'added', string[]>;

/**
 * The effect of a change. `wider` and `narrower` change the set of valid values: a wider request or a narrower response does not break clients.
 * Nobody notices an `unnoticed` change. `breaking` and `added` mean the same in requests and responses.
 */
type Effect = 'wider' | 'narrower' | 'unnoticed' | keyof Changes;

/** Returns the effect of a changed keyword. The value of an absent keyword is undefined. */
type Rule = (older: Json | undefined, newer: Json | undefined) => Effect;

const unnoticed: Rule = () => 'unnoticed';
const bound =
  (larger: Effect, smaller: Effect, unset: number): Rule =>
  (older, newer) => {
    const [before, now] = [Number(older ?? unset), Number(newer ?? unset)];
    return now === before ? 'unnoticed' : now > before ? larger : smaller;
  };
const upper = bound('wider', 'narrower', Number.POSITIVE_INFINITY);
const lower = bound('narrower', 'wider', Number.NEGATIVE_INFINITY);
const length = bound('narrower', 'wider', 0);
const flag =
  (set: Effect, unset: Effect): Rule =>
  (older = false, newer = false) =>
    older === newer ? 'unnoticed' : older === false ? set : newer === false ? unset : 'breaking';
const restriction = flag('narrower', 'wider');
const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
/** Makes the rule for a list whose order has no meaning. */
const list =
  (longer: Effect, shorter: Effect): Rule =>
  (older, newer) => {
    const [before, now] = [listOf(older), listOf(newer)];
    const [gone, added] = [before.some((item) => !now.includes(item)), now.some((item) => !before.includes(item))];
    return gone && added ? 'breaking' : added ? longer : gone ? shorter : 'unnoticed';
  };
const all = (names: string, rule: Rule) => Object.fromEntries(names.split(' ').map((name) => [name, rule]));
const isRequired = (value: Json | undefined): boolean => isObject(value) && value.required === true;

/** The keywords that may change without breaking clients. A change of any other keyword counts as breaking, even of one unknown here. */
const keywords = new Map<string, Rule>(
  Object.entries({
    ...all('description summary title example examples externalDocs x-label x-pattern-message', unnoticed),
    // These keywords need no rule: `npm run generate` writes their effects elsewhere in the contract or the tools, where they are compared.
    ...all(
      '_meta x-mcp x-names x-stored x-every-operation x-returned x-returned-nullable x-returned-description',
      unnoticed,
    ),
    ...all('maximum maxLength maxItems maxProperties x-max-bytes x-decimals', upper),
    ...all('minLength minItems minProperties', length),
    minimum: lower,
    ...all('exclusiveMaximum exclusiveMinimum pattern multipleOf uniqueItems', restriction),
    ...all('x-https x-visible x-future x-references x-required-when x-at-least', restriction),
    nullable: flag('wider', 'narrower'),
    // `required` is a list of names in a schema, and a flag in a parameter.
    required: (older, newer) => (Array.isArray(older ?? newer) ? list('narrower', 'wider') : restriction)(older, newer),
    enum: (older, newer) => (older && newer ? list('wider', 'narrower') : restriction)(older, newer),
    additionalProperties: (older = true, newer = true) =>
      older === false ? 'wider' : newer === false ? 'narrower' : 'breaking',
    requestBody: (_, body) => (body === undefined ? 'breaking' : isRequired(body) ? 'narrower' : 'wider'),
    deprecated: () => 'added',
    // It says only that a program may not send a returned value. A tool's readOnly is never left out.
    readOnly: (_, newer) => (newer === undefined ? 'unnoticed' : 'breaking'),
  }),
);

/** The keywords whose value is data: the names in it are not keywords, so it is compared as a whole. */
const whole = new Set(['default', 'x-required-when']);

/** Whether every request without a new field keeps its `x-required-when`. Other new fields are in such a request only by their defaults. */
const mayBeAbsent = (added: Json, older: JsonObject, newer: JsonObject): boolean =>
  Object.entries(valueAt(added, 'x-required-when') ?? {}).every(
    ([other, needed]) =>
      valueAt(older, 'properties', other) === undefined && valueAt(newer, 'properties', other, 'x-default') !== needed,
  );

/** The keywords whose value is a map with freely chosen names, and the effect of a new name. Removing a name is breaking. */
const maps = new Map<string, (added: Json, name: string, older: JsonObject, newer: JsonObject) => Effect>(
  Object.entries({
    operations: () => 'added',
    tools: () => 'added',
    components: () => 'unnoticed',
    securitySchemes: () => 'unnoticed',
    parameters: (parameter) => (isRequired(parameter) ? 'narrower' : 'wider'),
    properties: (added, _name, older, newer) =>
      older.additionalProperties === false && mayBeAbsent(added, older, newer) ? 'wider' : 'narrower',
    content: () => 'wider',
    headers: () => 'added',
    // Clients recognize every refusal by its envelope, so a new error status breaks nothing.
    responses: (_response, status) => (Number(status) >= 400 ? 'added' : 'wider'),
  }),
);

type Side = 'sent' | 'returned' | undefined;
const sides: Readonly<Record<string, Side>> = {
  ...{ parameters: 'sent', requestBody: 'sent', inputSchema: 'sent' },
  ...{ responses: 'returned', outputSchema: 'returned' },
};

interface Difference {
  readonly change: keyof Changes;
  readonly path: readonly string[];
  readonly values: readonly [older: Json | undefined, newer: Json | undefined];
}

/** Yields all differences between two objects. If their keys are freely chosen names, `ofNew` returns the effect of a new name. */
function* differences(
  older: JsonObject,
  newer: JsonObject,
  path: readonly string[] = [],
  side?: Side,
  ofNew?: (added: Json, name: string) => Effect,
): Generator<Difference> {
  for (const key of new Set([...Object.keys(older), ...Object.keys(newer)])) {
    const rule = ofNew ? undefined : keywords.get(key);
    const values = [older[key], newer[key]] as const;
    if (rule === unnoticed || isDeepStrictEqual(...values)) continue;
    const map = ofNew ? undefined : maps.get(key);
    // In a list without a rule, items are compared by position.
    const [before, now] = values.map((value) =>
      map && !value ? {} : !rule && Array.isArray(value) ? { ...value } : value,
    );
    const [within, sideWithin] = [[...path, key], (!ofNew && sides[key]) || side];
    if (isObject(before) && isObject(now) && (ofNew || !whole.has(key))) {
      yield* differences(before, now, within, sideWithin, map && ((added, name) => map(added, name, older, newer)));
      continue;
    }
    const effect = ofNew && now !== undefined && before === undefined ? ofNew(now, key) : rule?.(...values);
    const change = changeOf(effect ?? 'breaking', within, sideWithin);
    if (change) yield { change, path: within, values };
  }
}

function changeOf(effect: Effect, path: readonly string[], side: Side): keyof Changes | undefined {
  if (effect === 'unnoticed') return undefined;
  // Longer lists of these break nothing: the contract tells clients to expect new reasons, and only a new operation needs a new scope.
  const isReason = /^details,properties,(reason|required_scope),enum$/.test(path.slice(-4).join());
  const isFree = effect === 'wider' ? side === 'sent' || isReason : effect === 'narrower' && side === 'returned';
  return effect === 'added' || isFree ? 'added' : 'breaking';
}

/** A version as clients see it: each operation and tool with everything that applies to it. */
function metBy({ contract, tools }: Published): JsonObject {
  const { info: _info, tags: _tags, components, paths = {}, servers, ...rest } = dereference(contract);
  const operations: JsonObject = {};
  for (const { method, path, operation, parameters } of operationsOf({ paths })) {
    const ofPath = Object.entries(objectAt(paths, path)).filter(([key]) => !methods.includes(key));
    const named = Object.fromEntries(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
    operations[`${method.toUpperCase()} ${path}`] = { ...Object.fromEntries(ofPath), ...operation, parameters: named };
  }
  // Generated code uses the names of components. Their content is compared where it is used.
  const { securitySchemes = {}, examples: _examples, ...kinds } = isObject(components) ? components : {};
  const names = Object.entries(kinds).flatMap(([kind, named]) => Object.keys(named ?? {}).map((it) => `${kind}.${it}`));
  const listed = (JSON.parse(tools, asNullable) as JsonObject[]).map(({ tool, arguments: _arguments, ...others }) => [
    String(objectAt(tool).name),
    { ...objectAt(tool), ...others },
  ]);
  return {
    ...{
      ...rest,
      servers: listOf(servers ?? []).map(withDefaults),
      securitySchemes,
      operations,
      tools: Object.fromEntries(listed),
    },
    components: Object.fromEntries(names.map((name) => [name, true])),
  };
}

/** Fills the variables in a server's URL with their defaults: that is the address that clients call. */
function withDefaults(server: Json): Json {
  if (!isObject(server)) return server;
  const { variables = {}, url, ...others } = server;
  const named = Object.entries(isObject(variables) ? variables : {});
  return {
    ...others,
    url: named.reduce(
      (text, [name, variable]) => text.replaceAll(`{${name}}`, String(valueAt(variable, 'default'))),
      String(url),
    ),
  };
}

/** Turns `anyOf` of a schema and null, as the tools have it, into OpenAPI's `nullable: true`, so that both are compared by the same rule. */
function asNullable(_key: string, value: Json): Json {
  const { anyOf, ...others } = isObject(value) ? value : {};
  const [schema, ...rest] = Array.isArray(anyOf) ? anyOf : [];
  const isChoice = isObject(schema) && isDeepStrictEqual(rest, [{ type: 'null' }]);
  return isChoice ? { ...others, ...schema, nullable: true } : value;
}

const structure = new Set('content application/json schema properties inputSchema'.split(' '));

/** Compares two versions. A change that several operations or tools share becomes one line. */
export function changesBetween(older: Published, newer: Published): Changes {
  const lines: Record<keyof Changes, Map<string, string[]>> = { breaking: new Map(), added: new Map() };
  for (const { change, path, values } of differences(metBy(older), metBy(newer))) {
    const isPart = /^(operations|tools)$/.test(path[0] ?? '') && path.length > 2;
    const [before, now] = values.map((value) => (value === undefined ? 'none' : JSON.stringify(value).slice(0, 60)));
    const place = path.slice(isPart ? 2 : 0).filter((step) => !structure.has(step));
    const what = `${place.join('.')}: ${before} -> ${now}`;
    lines[change].set(what, [...(lines[change].get(what) ?? []), ...(isPart ? [path[1] ?? ''] : [])]);
  }
  const textsOf = (found: Map<string, string[]>) =>
    [...found].map(([what, parts]) => (parts.length > 0 ? `${what} (${parts.join(', ')})` : what));
  return { breaking: textsOf(lines.breaking), added: textsOf(lines.added) };
}
