import { isDeepStrictEqual } from 'node:util';
import {
  dereference,
  isObject,
  type Json,
  type JsonObject,
  methods,
  objectAt,
  operationsOf,
} from './generate/document.ts';

/** What a version publishes: the contract, and the text of mcp-tools.json. */
export interface Published {
  readonly contract: JsonObject;
  readonly tools: string;
}

/** What breaks clients that were written against the older version, and what they need not notice but may use, one line each. */
export type Changes = Record<'breaking' | 'added', string[]>;

/** What a change does to the values that fit (a request may take more, and a response may return less), or to clients. */
type Effect = 'wider' | 'narrower' | 'unnoticed' | keyof Changes;

/** The effect of another value of a keyword; undefined is a keyword that is not there. */
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
/** Of a list whose order means nothing. */
const list =
  (longer: Effect, shorter: Effect): Rule =>
  (older, newer) => {
    const [before, now] = [listOf(older), listOf(newer)];
    const [gone, added] = [before.some((item) => !now.includes(item)), now.some((item) => !before.includes(item))];
    return gone && added ? 'breaking' : added ? longer : gone ? shorter : 'unnoticed';
  };
const all = (names: string, rule: Rule) => Object.fromEntries(names.split(' ').map((name) => [name, rule]));
const isRequired = (value: Json | undefined): boolean => isObject(value) && value.required === true;

/** The keywords whose change may leave clients as they are. Every other breaks them, also one that nobody has thought of. */
const keywords = new Map<string, Rule>(
  Object.entries({
    ...all('description summary title example examples externalDocs x-label', unnoticed),
    // What follows from these is compared where it is written.
    ...all('_meta x-mcp x-every-operation x-returned x-returned-nullable x-returned-description', unnoticed),
    ...all('maximum maxLength maxItems maxProperties x-max-bytes x-decimals', upper),
    ...all('minLength minItems minProperties', length),
    minimum: lower,
    ...all('exclusiveMaximum exclusiveMinimum pattern multipleOf uniqueItems', restriction),
    ...all('x-https x-visible x-future x-references x-required-when x-at-least', restriction),
    nullable: flag('wider', 'narrower'),
    // Of a schema, names; of a parameter, whether it is.
    required: (older, newer) => (Array.isArray(older ?? newer) ? list('narrower', 'wider') : restriction)(older, newer),
    enum: (older, newer) => (older && newer ? list('wider', 'narrower') : restriction)(older, newer),
    additionalProperties: (older = true, newer = true) =>
      older === false ? 'wider' : newer === false ? 'narrower' : 'breaking',
    requestBody: (_, body) => (body === undefined ? 'breaking' : isRequired(body) ? 'narrower' : 'wider'),
    deprecated: () => 'added',
  }),
);

/** The keywords whose value is data, with names of its own. */
const whole = new Set(['default', 'x-required-when']);

/** The keywords that hold names of anybody's choice, and what a new name does. One that is gone breaks. */
const maps = new Map<string, (added: Json, holder: JsonObject, name: string) => Effect>(
  Object.entries({
    operations: () => 'added',
    tools: () => 'added',
    components: () => 'unnoticed',
    securitySchemes: () => 'unnoticed',
    parameters: (parameter) => (isRequired(parameter) ? 'narrower' : 'wider'),
    properties: (_, { additionalProperties }) => (additionalProperties === false ? 'wider' : 'narrower'),
    content: () => 'wider',
    headers: () => 'added',
    // A client knows a refusal by its envelope.
    responses: (_response, _holder, status) => (Number(status) >= 400 ? 'added' : 'wider'),
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

/** All that differs between two objects. Where their keys are names, `ofNew` is what a new one does. */
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
    // Of a list without a rule, each item counts at its place.
    const [before, now] = values.map((value) =>
      map && !value ? {} : !rule && Array.isArray(value) ? { ...value } : value,
    );
    const [within, sideWithin] = [[...path, key], (!ofNew && sides[key]) || side];
    if (isObject(before) && isObject(now) && (ofNew || !whole.has(key))) {
      yield* differences(before, now, within, sideWithin, map && ((added, name) => map(added, older, name)));
      continue;
    }
    const effect = ofNew && now !== undefined && before === undefined ? ofNew(now, key) : rule?.(...values);
    const change = changeOf(effect ?? 'breaking', within, sideWithin);
    if (change) yield { change, path: within, values };
  }
}

function changeOf(effect: Effect, path: readonly string[], side: Side): keyof Changes | undefined {
  if (effect === 'unnoticed') return undefined;
  // The contract tells clients to expect more reasons: they are no promise that a list is complete.
  const isReason = path.slice(-4).join() === 'details,properties,reason,enum';
  const isFree = effect === 'wider' ? side === 'sent' || isReason : effect === 'narrower' && side === 'returned';
  return effect === 'added' || isFree ? 'added' : 'breaking';
}

/** A version as clients meet it: each operation and tool with all that is true of it. */
function metBy({ contract, tools }: Published): JsonObject {
  const { info: _info, tags: _tags, components, paths = {}, ...rest } = dereference(contract);
  const operations: JsonObject = {};
  for (const { method, path, operation, parameters } of operationsOf({ paths })) {
    const ofPath = Object.entries(objectAt(paths, path)).filter(([key]) => !methods.includes(key));
    const named = Object.fromEntries(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
    operations[`${method.toUpperCase()} ${path}`] = { ...Object.fromEntries(ofPath), ...operation, parameters: named };
  }
  // Generated code has the names of components; what is in them counts where it is used.
  const { securitySchemes = {}, examples: _examples, ...kinds } = isObject(components) ? components : {};
  const names = Object.entries(kinds).flatMap(([kind, named]) => Object.keys(named ?? {}).map((it) => `${kind}.${it}`));
  const listed = (JSON.parse(tools, asNullable) as JsonObject[]).map(({ tool, arguments: _arguments, ...others }) => [
    String(objectAt(tool).name),
    { ...objectAt(tool), ...others },
  ]);
  return {
    ...{ ...rest, securitySchemes, operations, tools: Object.fromEntries(listed) },
    components: Object.fromEntries(names.map((name) => [name, true])),
  };
}

/** The word of OpenAPI for what the schemas of tools write as a choice. */
function asNullable(_key: string, value: Json): Json {
  const { anyOf, ...others } = isObject(value) ? value : {};
  const [schema, ...rest] = Array.isArray(anyOf) ? anyOf : [];
  const isChoice = isObject(schema) && isDeepStrictEqual(rest, [{ type: 'null' }]);
  return isChoice ? { ...others, ...schema, nullable: true } : value;
}

const structure = new Set('content application/json schema properties inputSchema'.split(' '));

/** Compares two versions; what is at several operations alike is one line. */
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
