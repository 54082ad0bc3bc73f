import {
  type Document,
  isMap,
  isScalar,
  type Node,
  type Pair,
  parseDocument,
  stringify,
  visit,
  type YAMLMap,
} from 'yaml';
import { dereference, type JsonObject, objectAt, readDocument, schemaOf } from './document.ts';
import {
  acceptedValues,
  type JobField,
  jobFieldsOf,
  jobFieldsPath,
  optionsNameOf,
  returnedSchema,
} from './job-fields.ts';

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
  const lists = new Map(fields.filter(({ kind }) => kind === 'enum').map((field) => [optionsNameOf(field), field]));
  const edits = new YamlEdits(yaml);
  const at = (...path: string[]) => edits.at('components', 'schemas', ...path);

  const input = new Map(edits.at(...jobFieldsPath).items.map((pair) => [keyOf(pair), pair.value]));
  /** The same as the input where it can be, by an alias or a `$ref`, else written out. */
  const derived = ({ name, schema: own }: JobField, schema: JsonObject): string => {
    const written = input.get(name);
    if (isMap(written) && JSON.stringify(schema) === JSON.stringify(own)) {
      const ref = written.get('$ref');
      if (typeof ref === 'string') return yamlOf(name, { $ref: ref });
      if (written.anchor) return `${margin}${name}: *${written.anchor}`;
    }
    return yamlOf(name, Object.fromEntries(Object.entries(schema).filter(([key]) => !key.startsWith('x-'))));
  };
  edits.replaceValue(at('JobPatch', 'properties'), block(fields.map((field) => derived(field, field.schema))));

  const properties = at('Job', 'properties');
  const isOwn = (pair: Pair<Node, Node>) =>
    objectAt(schemaOf(document, 'Job'), 'properties', keyOf(pair)).readOnly === true;
  const own = properties.items.filter(isOwn);
  const returned = fields.map((field) => derived(field, returnedSchema(field)));
  edits.replaceValue(properties, block([...own.map((pair) => margin + edits.sourceOf(pair)), ...returned]));
  const required = [...own.map(keyOf), ...fields.map(({ name }) => name)];
  edits.replaceValue(at('Job', 'required'), block(required.map((name) => `${margin}- ${name}`)));

  // Lists that are there keep their places; new ones come last.
  const present = at('Options', 'properties').items.map(keyOf);
  const names = [...new Set([...present.filter((name) => lists.has(name)), ...lists.keys()])];
  const schemas = names.map((name) => {
    const description = `The values of ${lists.get(name)?.name}.`;
    return yamlOf(name, { type: 'array', items: { type: 'string' }, description });
  });
  edits.replaceValue(at('Options', 'properties'), block(schemas));
  edits.replaceValue(at('Options', 'required'), `[${names.join(', ')}]`);

  expandExamples(edits, fields, lists, removed);
  return edits.toString();
}

function expandExamples(
  edits: YamlEdits,
  fields: readonly JobField[],
  lists: ReadonlyMap<string, JobField>,
  removed: readonly string[],
): void {
  const listOf = (field: JobField): string => `[${acceptedValues(field).join(', ')}]`;
  /** A job from before has null in a new field, or its default. */
  const unset = ({ schema }: JobField) => (schema.type === 'boolean' ? schema['x-default'] : null);
  const ofJob = new Map(fields.map((field) => [field.name, unset(field)]));
  const ofOptions = new Map([...lists].map(([name, field]) => [name, listOf(field)]));
  visit(edits.at('components', 'examples'), {
    Map: (_, node) => {
      const example = node as YAMLMap<Node, Node>;
      const isOptions = example.has('application_methods');
      for (const pair of example.items) {
        const field = isOptions ? lists.get(keyOf(pair)) : undefined;
        if (removed.includes(keyOf(pair)) || (isOptions && !field)) edits.removePair(pair);
        else if (field && JSON.stringify(pair.value?.toJSON()) !== JSON.stringify(acceptedValues(field)))
          edits.replaceValue(pair.value as Node, listOf(field));
      }
      if (!isOptions && !(example.has('is_active') && example.has('title'))) return;
      const missing = [...(isOptions ? ofOptions : ofJob)].filter(([name]) => !example.has(name));
      edits.appendPairs(
        example,
        missing.map(([name, value]) => `${name}: ${value}`),
      );
    },
  });
}

/** The text without aliases of fields that are gone: YAML with one cannot be read. */
export const withoutDanglingAliases = (yaml: string): string =>
  yaml.replace(/^ {8}\w+: \*(\w+)\n/gm, (line, anchor: string) => (yaml.includes(`&${anchor}\n`) ? line : ''));

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

/** A YAML text and edits to its parts, which leave all else as it is, byte for byte. */
class YamlEdits {
  readonly #document: Document;
  readonly #yaml: string;
  readonly #edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];

  constructor(yaml: string) {
    this.#yaml = yaml;
    this.#document = parseDocument(yaml, { merge: true });
  }

  /** The map or list at a path; the caller knows that it is there. */
  at(...path: string[]): YAMLMap<Node, Node> {
    return this.#document.getIn(path) as YAMLMap<Node, Node>;
  }

  /** Replaces a value; `text` begins where the value begins, in its line. */
  replaceValue(value: Node, text: string): void {
    const [start, end] = rangeOf(value);
    this.#edits.push({ start, end, text });
  }

  removePair(pair: Pair<Node, Node>): void {
    this.#edits.push({ ...this.#linesOf(pair), text: '' });
  }

  /** Adds pairs, a line each, after the last one of a map, at the same margin. */
  appendPairs(map: YAMLMap<Node, Node>, pairs: readonly string[]): void {
    const last = map.items.at(-1);
    if (!last) return;
    const { start, end } = this.#linesOf(last);
    const margin = ' '.repeat(rangeOf(last.key)[0] - start);
    this.#edits.push({ start: end, end, text: pairs.map((pair) => `${margin}${pair}\n`).join('') });
  }

  /** The text of a pair as it was written, from its key on. */
  sourceOf({ key, value }: Pair<Node, Node>): string {
    return this.#yaml.slice(rangeOf(key)[0], value ? rangeOf(value)[1] : undefined).trimEnd();
  }

  /** The text with all edits. */
  toString(): string {
    return this.#edits
      .toSorted((a, b) => b.start - a.start)
      .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), this.#yaml);
  }

  /** From the margin of a pair to the end of its last line. */
  #linesOf({ key, value }: Pair<Node, Node>): { start: number; end: number } {
    const [first] = rangeOf(key);
    const last = Math.max(first, (value ? rangeOf(value)[1] : 0) - 1);
    const end = this.#yaml.indexOf('\n', last);
    return { start: this.#yaml.lastIndexOf('\n', first) + 1, end: end === -1 ? this.#yaml.length : end + 1 };
  }
}

const keyOf = ({ key }: Pair<Node, Node>): string => (isScalar(key) ? String(key.value) : '');

const rangeOf = ({ range }: Node): readonly [start: number, end: number] => [range?.[0] ?? 0, range?.[1] ?? 0];
