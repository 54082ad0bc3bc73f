import { type Document, isScalar, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A YAML text and edits to its parts, which leave all else as it is, byte for byte. */
export class YamlEdits {
  readonly #document: Document;
  readonly #yaml: string;
  readonly #edits: Edit[] = [];

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

export const keyOf = ({ key }: Pair<Node, Node>): string => (isScalar(key) ? String(key.value) : '');

const rangeOf = ({ range }: Node): readonly [start: number, end: number] => [range?.[0] ?? 0, range?.[1] ?? 0];
