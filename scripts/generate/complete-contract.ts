import { isDeepStrictEqual } from 'node:util';
import {
  ContractError,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  objectsIn,
  operationsOf,
  valueAt,
} from './document.ts';
import { acceptedValues, jobFieldsOf, jobFieldsPath, optionsNameOf, returnedSchema } from './job-fields.ts';

/**
 * Adds the derived parts to the contract; the contract's head lists them. `last` is the contract after the last run: it tells an outdated
 * part, which is rewritten, from one that somebody has edited. Throws a ContractError for an edited one.
 */
export function completeContract(written: JsonObject, last: JsonObject = {}): JsonObject {
  const document = structuredClone(written);
  writeEveryOperation(document, last);
  writeJobs(document, last);
  // Copies for each place, so that no two places share an object.
  return JSON.parse(JSON.stringify(document));
}

const objectOr = (value: Json | undefined, ...path: string[]): JsonObject => {
  const found = valueAt(value, ...path);
  return isObject(found) ? found : {};
};

/** Existing entries keep their order; new ones follow in their own order. */
const inOrder = (present: JsonObject, all: JsonObject): JsonObject =>
  Object.fromEntries(
    [
      ...Object.keys(present).filter((name) => name in all),
      ...Object.keys(all).filter((name) => !(name in present)),
    ].map((name) => [name, all[name] ?? null]),
  );

/**
 * Adds what every operation has: the scope in its description, responses, and their headers. An operation's own entries stay. A derived
 * entry becomes its own only as a `$ref` to another component, so that an edit in the wrong place is recognized.
 */
function writeEveryOperation(document: JsonObject, last: JsonObject): void {
  const refsIn = (contract: JsonObject, kind: string, ...path: string[]): JsonObject => {
    const names = Object.entries(objectOr(contract, 'x-every-operation', kind, ...path));
    const unknown = names.find(([, component]) => !(String(component) in objectOr(contract, 'components', kind)));
    if (unknown)
      throw new ContractError(
        ['x-every-operation', kind, ...path, unknown[0]],
        `components.${kind} has no ${unknown[1]}`,
      );
    return Object.fromEntries(names.map(([name, component]) => [name, { $ref: `#/components/${kind}/${component}` }]));
  };
  const fill = (holder: JsonObject, path: string[], kind: string, ...lists: string[][]): void => {
    const [now = {}, before = {}] = [document, last].map(
      (contract): JsonObject => Object.assign({}, ...lists.map((list) => refsIn(contract, kind, ...list))),
    );
    const present = objectOr(holder, kind);
    const own = Object.entries(present).filter(([name, value]) => !isDeepStrictEqual(value, before[name]));
    for (const [name, value] of own) {
      const wasDerived = name in before && isDeepStrictEqual(valueAt(last, ...path, kind, name), before[name]);
      if (!wasDerived || !(name in now) || valueAt(value, '$ref') !== undefined) continue;
      const source = String(valueAt(now[name], '$ref')).split('/').slice(1);
      const message = `follows from ${source.join('.')}: edit that, or make this a $ref to another component`;
      throw new ContractError([...path, kind, name], message, source);
    }
    holder[kind] = inOrder(present, { ...now, ...Object.fromEntries(own) });
  };
  for (const { operationId, method, path, operation, scope } of operationsOf(document)) {
    if (typeof operation.description !== 'string')
      throw new ContractError(['paths', path, method], `${operationId} needs a description`);
    const place = ['paths', path, method];
    const written = operation.description.trimEnd();
    const [sentence = '', said = scope] = / Needs the scope `([^`]*)`\.$/.exec(written) ?? [];
    if (said !== scope && said !== valueAt(last, ...place, 'x-scope'))
      throw new ContractError([...place, 'description'], 'the last sentence follows from x-scope: edit that', [
        ...place,
        'x-scope',
      ]);
    const described = written.slice(0, written.length - sentence.length);
    operation.description = `${described} Needs the scope \`${scope}\`.${operation.description.slice(written.length)}`;
    fill(operation, place, 'responses', []);
    for (const [status, response] of Object.entries(objectAt(operation, 'responses'))) {
      const [, name] = /^#\/components\/responses\/(.+)$/.exec(String(valueAt(response, '$ref'))) ?? [];
      const at = name ? ['components', 'responses', name] : [...place, 'responses', status];
      const holder = valueAt(document, ...at);
      const counted = ['400', '401'].includes(status) ? [] : [Number(status) < 400 ? ['answers'] : ['refusals']];
      if (isObject(holder)) fill(holder, at, 'headers', ['all'], ...counted);
    }
  }
}

/** Adds everything that follows from the fields of JobInput. */
function writeJobs(document: JsonObject, last: JsonObject): void {
  const { schemas, examples } = objectAt(document, 'components') as { schemas: JsonObject; examples: JsonObject };
  const fields = jobFieldsOf(document);
  const input = objectAt(document, ...jobFieldsPath);
  const gone = Object.keys(objectOr(last, ...jobFieldsPath)).filter((name) => !(name in input));

  /** Adds the derived values to the object at a path, and removes the given names. */
  const derive = (path: string[], values: JsonObject, removed: readonly string[] = []): void => {
    const present = objectOr(document, ...path);
    const before = objectOr(last, ...path);
    for (const name of [...Object.keys(values), ...removed.filter((name) => !(name in values))])
      if (name in present && ![values[name], before[name]].some((one) => isDeepStrictEqual(one, present[name]))) {
        const source = name in input ? [...jobFieldsPath, name] : jobFieldsPath;
        const follows = `follows from ${['JobInput', ...source.slice(4)].join('.')}`;
        throw new ContractError([...path, name], `${follows}: edit that, and delete this`, source);
      }
    const others = Object.entries(present).filter(([name]) => !removed.includes(name));
    objectAt(document, ...path.slice(0, -1))[path.at(-1) ?? ''] = inOrder(present, {
      ...Object.fromEntries(others),
      ...values,
    });
  };
  /** The whole object is derived. */
  const deriveAll = (path: string[], values: JsonObject): void =>
    derive(path, values, Object.keys(objectOr(document, ...path)));
  const schema = (name: string, ...path: string[]) => ['components', 'schemas', name, ...path];

  deriveAll(schema('JobPatch', 'properties'), input);
  const returned = fields.map((field): [string, Json] => {
    const written = objectAt(input, field.name);
    // The same component describes the returned value, unless another does.
    const isBased = '$ref' in written || 'allOf' in written;
    const isAnother =
      field.kind === 'decimal' || Object.keys(field.schema).some((key) => key.startsWith('x-returned-'));
    return [field.name, withoutExtensions(isBased && !isAnother ? written : returnedSchema(field))];
  });
  derive(schema('Job', 'properties'), Object.fromEntries(returned), gone);
  const names = Object.keys(objectAt(schemas, 'Job', 'properties'));
  derive(schema('Job'), { required: names });

  const lists = fields.filter(({ kind }) => kind === 'enum').map((field) => [optionsNameOf(field), field] as const);
  derive(schema('Options'), { required: lists.map(([name]) => name) });
  const listed = lists.map(([name, field]): [string, Json] => [
    name,
    { type: 'array', items: { type: 'string' }, description: `The values of ${field.name}.` },
  ]);
  deriveAll(schema('Options', 'properties'), Object.fromEntries(listed));
  const values = Object.fromEntries(lists.map(([name, field]) => [name, acceptedValues(field)]));
  objectAt(examples, 'Options').value ??= {};
  deriveAll(['components', 'examples', 'Options', 'value', 'data'], values);

  // An earlier job has null in a new field, or the default.
  const unset = Object.fromEntries(fields.map(({ name, schema }) => [name, schema['x-default'] ?? null]));
  writeExamples(document, Object.fromEntries(names.map((name) => [name, unset[name] ?? null])), gone);
}

/** In the examples, jobs get missing properties; jobs and requests lose removed ones. */
function writeExamples(document: JsonObject, unset: JsonObject, gone: readonly string[]): void {
  const examples = objectAt(document, 'components', 'examples');
  for (const example of Object.values(examples))
    for (const [job] of objectsIn(valueAt(example, 'value') ?? null, [])) {
      if (!('is_active' in job && 'title' in job)) continue;
      for (const name of gone) delete job[name];
      Object.assign(job, { ...unset, ...job });
    }
  for (const { operation } of operationsOf(document)) {
    const media = valueAt(operation, 'requestBody', 'content', 'application/json');
    if (!/\/Job(Input|Patch)$/.test(String(valueAt(media, 'schema', '$ref')))) continue;
    for (const written of Object.values(objectOr(media, 'examples'))) {
      const name = String(valueAt(written, '$ref')).split('/').at(-1) ?? '';
      const sent = objectOr(isObject(written) && '$ref' in written ? examples[name] : written, 'value');
      for (const field of gone) delete sent[field];
    }
  }
}

const withoutExtensions = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !key.startsWith('x-')));
