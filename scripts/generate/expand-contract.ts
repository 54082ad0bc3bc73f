import { isMap, type Node, type Pair, stringify, visit, type YAMLMap } from 'yaml';
import { asObject, dereference, type JsonObject, readDocument, schemaOf } from './document.ts';
import {
  acceptedValues,
  type JobField,
  jobFieldsOf,
  jobFieldsPath,
  optionsNameOf,
  returnedSchema,
} from './job-fields.ts';
import { keyOf, YamlEdits } from './yaml-edits.ts';

/**
 * openapi.yaml with what follows from the fields of `JobInput` written out:
 * - `JobPatch` has the same fields;
 * - `Job` has its own properties (`readOnly`) as they are written, then each field as it is returned;
 * - `Options` lists the values of each enumerated field;
 * - examples of a job or of options get what they lack, and lose the fields in `removed`.
 */
export function expandContract(yaml: string, removed: readonly string[] = []): string {
  const document = dereference(readDocument(yaml));
  const fields = jobFieldsOf(document);
  const edits = new YamlEdits(yaml);
  expandPatch(edits, fields);
  expandJob(edits, fields, document);
  expandOptions(edits, fields);
  expandExamples(edits, fields, removed);
  return edits.toString();
}

/** The text without aliases of fields that are gone: YAML with one cannot be read. */
export const withoutDanglingAliases = (yaml: string): string =>
  yaml.replace(/^ {8}\w+: \*(\w+)\n/gm, (line, anchor: string) => (yaml.includes(`&${anchor}\n`) ? line : ''));

const jobPath = ['components', 'schemas', 'Job'];
const optionsPath = ['components', 'schemas', 'Options'];

function expandPatch(edits: YamlEdits, fields: readonly JobField[]): void {
  const properties = fields.map((field) => derivedField(edits, field, field.schema));
  edits.replaceValue(edits.at('components', 'schemas', 'JobPatch', 'properties'), block(properties));
}

function expandJob(edits: YamlEdits, fields: readonly JobField[], document: JsonObject): void {
  const properties = edits.at(...jobPath, 'properties');
  const resolved = asObject(schemaOf(document, 'Job').properties, 'Job.properties');
  const own = properties.items.filter((pair) => asObject(resolved[keyOf(pair)], keyOf(pair)).readOnly === true);
  const returned = fields.map((field) => derivedField(edits, field, returnedSchema(field)));
  edits.replaceValue(properties, block([...own.map((pair) => margin + edits.sourceOf(pair)), ...returned]));
  const names = [...own.map(keyOf), ...fields.map(({ name }) => name)];
  edits.replaceValue(edits.at(...jobPath, 'required'), block(names.map((name) => `${margin}- ${name}`)));
}

/** Lists that are there keep their places; new ones come last. */
function expandOptions(edits: YamlEdits, fields: readonly JobField[]): void {
  const properties = edits.at(...optionsPath, 'properties');
  const lists = optionLists(fields);
  const present = properties.items.map(keyOf).filter((name) => lists.has(name));
  const names = [...new Set([...present, ...lists.keys()])];
  const schemas = names.map((name) => {
    const description = `The values of ${lists.get(name)?.name}.`;
    return yamlOf(name, { type: 'array', items: { type: 'string' }, description });
  });
  edits.replaceValue(properties, block(schemas));
  edits.replaceValue(edits.at(...optionsPath, 'required'), `[${names.join(', ')}]`);
}

/** The enumerated fields by the names of their lists in `Options`. */
const optionLists = (fields: readonly JobField[]): ReadonlyMap<string, JobField> =>
  new Map(fields.filter(({ kind }) => kind === 'enum').map((field) => [optionsNameOf(field), field]));

function expandExamples(edits: YamlEdits, fields: readonly JobField[], removed: readonly string[]): void {
  visit(edits.at('components', 'examples'), {
    Map: (_, node) => {
      const example = node as YAMLMap<Node, Node>;
      for (const pair of example.items) if (removed.includes(keyOf(pair))) edits.removePair(pair);
      if (example.has('is_active') && example.has('title')) expandJobExample(edits, example, fields);
      if (example.has('application_methods')) expandOptionsExample(edits, example, fields);
    },
  });
}

/** A job from before has null in a new field, or its default. */
function expandJobExample(edits: YamlEdits, example: YAMLMap<Node, Node>, fields: readonly JobField[]): void {
  const unset = ({ schema }: JobField) => (schema.type === 'boolean' ? schema['x-default'] : null);
  const missing = fields.filter(({ name }) => !example.has(name)).map((field) => `${field.name}: ${unset(field)}`);
  edits.appendPairs(example, missing);
}

function expandOptionsExample(edits: YamlEdits, example: YAMLMap<Node, Node>, fields: readonly JobField[]): void {
  const lists = optionLists(fields);
  const listOf = (field: JobField): string => `[${acceptedValues(field).join(', ')}]`;
  for (const pair of example.items) {
    const field = lists.get(keyOf(pair));
    if (!field) edits.removePair(pair);
    else if (pair.value && JSON.stringify(pair.value.toJSON()) !== JSON.stringify(acceptedValues(field)))
      edits.replaceValue(pair.value, listOf(field));
  }
  const missing = [...lists].filter(([name]) => !example.has(name)).map(([name, field]) => `${name}: ${listOf(field)}`);
  edits.appendPairs(example, missing);
}

/** A field in another schema: the same as the input where it can be, by an alias or a `$ref`, else written out. */
function derivedField(edits: YamlEdits, field: JobField, schema: JsonObject): string {
  const isInput = (pair: Pair<Node, Node>): boolean => keyOf(pair) === field.name;
  const input = edits.at(...jobFieldsPath).items.find(isInput)?.value;
  if (isMap(input) && JSON.stringify(schema) === JSON.stringify(field.schema)) {
    const ref = input.get('$ref');
    if (typeof ref === 'string') return yamlOf(field.name, { $ref: ref });
    if (input.anchor) return `${margin}${field.name}: *${input.anchor}`;
  }
  return yamlOf(field.name, Object.fromEntries(Object.entries(schema).filter(([key]) => !key.startsWith('x-'))));
}

/** Of everything below a schema of `components`. */
const margin = ' '.repeat(8);

const yamlOf = (name: string, schema: JsonObject): string =>
  stringify({ [name]: schema }, { lineWidth: 130, indent: 2 })
    .trimEnd()
    .split('\n')
    .map((line) => margin + line)
    .join('\n');

/** Lines as the text of a value: its first line already has its margin. */
const block = (lines: readonly string[]): string => `${lines.join('\n').trimStart()}\n`;
