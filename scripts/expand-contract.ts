import { isMap, isScalar, type Node, type Pair, parseDocument, stringify, visit, type YAMLMap } from 'yaml';
import { asObject, dereference, type Json, type JsonObject, readDocument } from './generate-document.ts';
import { acceptedValues, type JobField, jobFieldsOf, jobFieldsPath, optionsNameOf } from './job-fields.ts';

/**
 * openapi.yaml with what follows from the fields of `JobInput` written out: `JobPatch`, the returned `Job`, `Options`, and the examples of both, from which
 * the fields in `removed` are taken. All else stays as it is, byte for byte, and so does the whole text where nothing has changed.
 */
export function expandContract(yaml: string, removed: readonly string[] = []): string {
  const fields = jobFieldsOf(readDocument(yaml));
  const expanded = [expandPatch, expandJob, expandOptions].reduce((text, expand) => expand(text, fields), yaml);
  return expandExamples(expanded, fields, removed);
}

/** The text without aliases of fields that are gone: YAML with one cannot be read. */
export const withoutDanglingAliases = (yaml: string): string =>
  yaml.replace(/^ {8}\w+: \*(\w+)\n/gm, (line, anchor: string) => (yaml.includes(`&${anchor}\n`) ? line : ''));

const jobPath = ['components', 'schemas', 'Job'];
const patchPath = ['components', 'schemas', 'JobPatch', 'properties'];
const optionsPath = ['components', 'schemas', 'Options'];

/** Properties with `readOnly` are the service's own and stay as written; all others follow from the fields. */
function expandJob(yaml: string, fields: readonly JobField[]): string {
  const document = parseDocument(yaml, { merge: true });
  const properties = document.getIn([...jobPath, 'properties']) as YAMLMap<Node, Node>;
  const resolved = asObject(schemasOf(dereference(readDocument(yaml))).Job, 'Job').properties;
  const own = properties.items.filter(
    (pair) => asObject(asObject(resolved, 'Job')[keyOf(pair)], keyOf(pair)).readOnly === true,
  );
  const names = [...own.map(keyOf), ...fields.map(({ name }) => name)];
  const inputs = document.getIn(jobFieldsPath) as YAMLMap<Node, Node>;
  const lines = [
    ...own.map((pair) => sourceOf(yaml, pair)),
    ...fields.map((field) => derivedField(field, pairOf(inputs, field), returnedSchema(field))),
  ];
  const text = replace(yaml, properties, `${lines.join('\n').trimStart()}\n`);
  const required = parseDocument(text, { merge: true }).getIn([...jobPath, 'required']) as Node;
  return replace(
    text,
    required,
    `${names
      .map((name) => `        - ${name}`)
      .join('\n')
      .trimStart()}\n`,
  );
}

/** A change has the fields of a new job, but no defaults: a field that it leaves out keeps its value. */
function expandPatch(yaml: string, fields: readonly JobField[]): string {
  const document = parseDocument(yaml, { merge: true });
  const inputs = document.getIn(jobFieldsPath) as YAMLMap<Node, Node>;
  const lines = fields.map((field) => {
    const { default: _, ...schema } = field.schema;
    return derivedField(field, pairOf(inputs, field), schema);
  });
  return replace(yaml, document.getIn(patchPath) as Node, `${lines.join('\n').trimStart()}\n`);
}

const pairOf = (inputs: YAMLMap<Node, Node>, { name }: JobField): Pair<Node, Node> | undefined =>
  inputs.items.find((pair) => keyOf(pair) === name);

function expandOptions(yaml: string, fields: readonly JobField[]): string {
  const document = parseDocument(yaml, { merge: true });
  const properties = document.getIn([...optionsPath, 'properties']) as YAMLMap<Node, Node>;
  const enums = fields.filter(({ kind }) => kind === 'enum');
  const known = properties.items.map(keyOf);
  const ordered = [...enums].sort((a, b) => rank(known, optionsNameOf(a)) - rank(known, optionsNameOf(b)));
  const values = ordered.map((field) => {
    const schema = { type: 'array', items: { type: 'string' }, description: `The values of ${field.name}.` };
    return yamlOf(optionsNameOf(field), schema);
  });
  const text = replace(yaml, properties, `${values.join('\n').trimStart()}\n`);
  const required = parseDocument(text, { merge: true }).getIn([...optionsPath, 'required']) as Node;
  return replace(text, required, `[${ordered.map(optionsNameOf).join(', ')}]`);
}

const schemasOf = (document: JsonObject): JsonObject =>
  asObject(asObject(document.components, 'components').schemas, 'schemas');

/** What is there keeps its place; what is new comes last. */
const rank = (known: readonly string[], name: string): number =>
  known.includes(name) ? known.indexOf(name) : known.length;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Gives the examples of returned jobs the fields that they lack, and those of the accepted values their lists. */
function expandExamples(yaml: string, fields: readonly JobField[], removed: readonly string[]): string {
  const edits: Edit[] = [];
  visit(parseDocument(yaml, { merge: true }).getIn(['components', 'examples']) as Node, {
    Map: (_, node) => {
      const example = node as YAMLMap<Node, Node>;
      for (const pair of example.items) if (removed.includes(keyOf(pair))) edits.push(lineOf(yaml, pair, ''));
      if (example.has('is_active') && example.has('title')) edits.push(...missingFields(yaml, example, fields));
      if (example.has('application_methods')) edits.push(...optionLists(yaml, example, fields));
    },
  });
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end), yaml);
}

function missingFields(yaml: string, example: YAMLMap<Node, Node>, fields: readonly JobField[]): Edit[] {
  const missing = fields.filter(({ name }) => !example.has(name));
  const last = example.items.at(-1);
  if (!last || missing.length === 0) return [];
  const { end } = lineOf(yaml, last, undefined);
  const margin = ' '.repeat(columnOf(yaml, last));
  const lines = missing.map(
    ({ name, schema }) => `${margin}${name}: ${schema.type === 'boolean' ? schema.default : null}\n`,
  );
  return [{ start: end, end, text: lines.join('') }];
}

function optionLists(yaml: string, example: YAMLMap<Node, Node>, fields: readonly JobField[]): Edit[] {
  const enums = fields.filter(({ kind }) => kind === 'enum');
  const known = new Map(enums.map((field) => [optionsNameOf(field), field]));
  const surplus = example.items.filter((pair) => !known.has(keyOf(pair))).map((pair) => lineOf(yaml, pair, ''));
  const edits = example.items.flatMap((pair): Edit[] => {
    const field = known.get(keyOf(pair));
    const values = field && acceptedValues(field);
    if (!values || JSON.stringify(pair.value?.toJSON()) === JSON.stringify(values)) return [];
    return [lineOf(yaml, pair, `${keyOf(pair)}: [${values.join(', ')}]`)];
  });
  const last = example.items.at(-1);
  if (!last) return [];
  const { end } = lineOf(yaml, last, undefined);
  const margin = ' '.repeat(columnOf(yaml, last));
  const added = [...known].filter(([name]) => !example.has(name));
  const lines = added.map(([name, field]) => `${margin}${name}: [${acceptedValues(field).join(', ')}]\n`);
  return [...surplus, ...edits, { start: end, end, text: lines.join('') }];
}

/** From the margin of a pair to the end of its last line; with a text, the pair is replaced by it, with none, by nothing. */
function lineOf(yaml: string, { key, value }: Pair<Node, Node>, text: string | undefined): Edit {
  const first = key.range?.[0] ?? 0;
  const start = yaml.lastIndexOf('\n', first) + 1;
  const after = yaml.indexOf('\n', Math.max(first, (value?.range?.[1] ?? 0) - 1));
  const end = after === -1 ? yaml.length : after + 1;
  return { start, end, text: text ? `${yaml.slice(start, first)}${text}\n` : '' };
}

const columnOf = (yaml: string, { key }: Pair<Node, Node>): number => {
  const first = key.range?.[0] ?? 0;
  return first - (yaml.lastIndexOf('\n', first) + 1);
};

const keyOf = ({ key }: Pair<Node, Node>): string => (isScalar(key) ? String(key.value) : '');

/** A field in another schema: the same as the input where it can be, by an alias or a `$ref`, else written out. */
function derivedField(field: JobField, input: Pair<Node, Node> | undefined, schema: JsonObject): string {
  const node = input?.value;
  const isSame = JSON.stringify(schema) === JSON.stringify(field.schema);
  if (isSame && isMap(node) && typeof node.get('$ref') === 'string')
    return yamlOf(field.name, { $ref: String(node.get('$ref')) });
  if (isSame && isMap(node) && node.anchor) return `${indent}${field.name}: *${node.anchor}`;
  return yamlOf(field.name, withoutExtensions(schema));
}

/** A decimal is returned as a string, so that no digit is lost; `x-returned` names what else differs. */
function returnedSchema({ kind, schema }: JobField): JsonObject {
  const { 'x-returned': differing, ...same } = schema;
  if (kind !== 'decimal') return { ...same, ...(differing as JsonObject | undefined) };
  const decimals = Number(schema['x-decimals']);
  const digits = String(Math.trunc(Number(schema.maximum))).length;
  return {
    type: 'string',
    pattern: `^\\d{1,${digits}}\\.\\d{${decimals}}$`,
    nullable: schema.nullable === true,
    description: schema.description as Json,
    ...(differing as JsonObject | undefined),
  };
}

/** Whether a job may have no value: a boolean has its default, others what is returned. */
export const isNullableColumn = (field: JobField): boolean =>
  (field.kind === 'boolean' ? field.schema : returnedSchema(field)).nullable === true;

const withoutExtensions = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !key.startsWith('x-')));

const indent = ' '.repeat(8);

const yamlOf = (name: string, schema: JsonObject): string =>
  stringify({ [name]: schema }, { lineWidth: 130, indent: 2 })
    .trimEnd()
    .split('\n')
    .map((line) => indent + line)
    .join('\n');

function sourceOf(yaml: string, { key, value }: Pair<Node, Node>): string {
  const [start, end] = [key.range?.[0] ?? 0, value?.range?.[1] ?? 0];
  return indent + yaml.slice(start, end).trimEnd();
}

function replace(yaml: string, node: Node, text: string): string {
  const [start, end] = [node.range?.[0] ?? 0, node.range?.[1] ?? 0];
  return yaml.slice(0, start) + text + yaml.slice(end);
}
