import { isDeepStrictEqual } from 'node:util';
import { isMap, isNode, isScalar, isSeq, type Pair, Scalar, type YAMLMap } from 'yaml';
import { isObject, type Json, type JsonObject, parse, readDocument } from './document.ts';
import { checkSpelling, spelled } from './spelling.ts';

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Edits the YAML so that it has the given value. Unchanged parts keep their text: comments, order, layout and line ends. */
export function writeInPlace(yaml: string, value: JsonObject): string {
  if (/\r\n/.test(yaml) && !/(?<!\r)\n/.test(yaml))
    return writeInPlace(yaml.replaceAll('\r\n', '\n'), value).replaceAll('\n', '\r\n');
  const edits = editsOf(yaml, parse(yaml).document.contents, value) ?? [
    { from: 0, to: yaml.length, text: spelled(value) },
  ];
  let [written, at] = ['', 0];
  for (const { from, to, text } of edits.toSorted((one, other) => one.from - other.from)) {
    written += yaml.slice(at, from) + text;
    at = to;
  }
  written += yaml.slice(at);
  if (!isDeepStrictEqual(readDocument(written), value)) throw new Error('what follows cannot be written in place');
  checkSpelling(written);
  return written;
}

/** The edits that give a node the value. Undefined if its whole text must change. */
function editsOf(yaml: string, node: unknown, value: Json): Edit[] | undefined {
  if (isMap(node) && isObject(value)) return editsOfMap(yaml, node, value);
  if (isSeq(node) && Array.isArray(value) && node.items.length === value.length) {
    const edits = node.items.map((item, at) => editsOf(yaml, item, value[at] ?? null));
    return edits.some((one) => one === undefined) ? undefined : edits.flatMap((one) => one ?? []);
  }
  if (!isScalar(node)) return undefined;
  const { value: start, type } = node;
  if (start === value) return [];
  if (typeof start !== 'string' || typeof value !== 'string') return undefined;
  // If a text only grows at its end, its lines stay as they are, and its trailing line breaks move behind the addition.
  const [said, end] = [start.trimEnd(), start.slice(start.trimEnd().length)];
  if (!said || !value.startsWith(`${said} `) || !value.endsWith(end)) return undefined;
  const more = value.slice(said.length + 1, value.length - end.length);
  const [from = 0, last = 0] = node.range ?? [];
  const to = from + yaml.slice(from, last).trimEnd().length;
  if (type === Scalar.BLOCK_LITERAL) return [{ from: to, to, text: ` ${more}` }];
  if (type === Scalar.BLOCK_FOLDED) {
    const [indent = ''] = /^ */.exec(yaml.slice(yaml.lastIndexOf('\n', to - 1) + 1)) ?? [];
    return [{ from: to, to, text: `\n${indent}${more}` }];
  }
  return type === Scalar.PLAIN && /^(?!.*:( |$))[\w `:.]+$/.test(more)
    ? [{ from: to, to, text: ` ${more}` }]
    : undefined;
}

function editsOfMap(yaml: string, map: YAMLMap, value: JsonObject): Edit[] | undefined {
  const names = Object.keys(value);
  if (names.length === 0 && map.items.length === 0) return [];
  const pairs = new Map(map.items.map((pair) => [String(pair.key), pair]));
  const kept = map.items.filter(({ key }) => String(key) in value);
  const [first] = kept;
  // The order that an object gives these names: JavaScript puts statuses in numeric order.
  const order = Object.keys(Object.fromEntries(kept.map(({ key }) => [String(key), 0])));
  if (!first || order.join() !== names.filter((name) => pairs.has(name)).join()) return undefined;
  const [start, isFlow] = [startOf(first), map.flow === true];
  const column = start - yaml.lastIndexOf('\n', start) - 1;
  const break_ = `\n${' '.repeat(column)}`;
  const textOf = (name: string) => pairText(name, value[name] ?? null, isFlow).replaceAll(/\n(?!\n|$)/g, break_);
  const edits: Edit[] = [];
  let before: Pair | undefined;
  for (const name of names) {
    const pair = pairs.get(name);
    if (pair) {
      const inner = editsOf(yaml, pair.value, value[name] ?? null);
      edits.push(...(inner ?? [{ from: startOf(pair), to: pairEndOf(yaml, pair), text: textOf(name) }]));
      before = pair;
    } else if (before) {
      const from = isFlow ? pairEndOf(yaml, before) : lineEndOf(yaml, pairEndOf(yaml, before));
      edits.push({ from, to: from, text: `${isFlow ? ',' : ''}${break_}${textOf(name)}` });
    } else edits.push({ from: start, to: start, text: `${textOf(name)}${isFlow ? ',' : ''}${break_}` });
  }
  for (const [at, pair] of map.items.entries()) {
    if (String(pair.key) in value) continue;
    const previous = map.items[at - 1];
    const lineStart = yaml.lastIndexOf('\n', startOf(pair)) + 1;
    const [from, to] = isFlow
      ? [previous && pairEndOf(yaml, previous), pairEndOf(yaml, pair)]
      : [lineStart, lineEndOf(yaml, pairEndOf(yaml, pair)) + 1];
    if (from === undefined || (!isFlow && yaml.slice(from, startOf(pair)).trim() !== '')) return undefined;
    edits.push({ from, to, text: '' });
  }
  return edits;
}

const startOf = ({ key }: Pair): number => (isNode(key) && key.range?.[0]) || 0;

const pairEndOf = (yaml: string, { key, value }: Pair): number => endOf(yaml, isNode(value) ? value : key);

/** Where the text of a node ends. A parser's end may include comments that belong to the next node. */
function endOf(yaml: string, node: unknown): number {
  if (isMap(node) && !node.flow && node.items.length > 0) return pairEndOf(yaml, node.items.at(-1) as Pair);
  if (isSeq(node) && !node.flow && node.items.length > 0) return endOf(yaml, node.items.at(-1));
  const [from = 0, to = 0] = (isNode(node) && node.range) || [];
  return from + yaml.slice(from, to).replace(/[ \r\n]+$/, '').length;
}

const lineEndOf = (yaml: string, at: number): number => {
  const end = yaml.indexOf('\n', at);
  return end < 0 ? yaml.length : end;
};

function pairText(name: string, value: Json, isFlow: boolean): string {
  const style = isFlow ? ({ collectionStyle: 'flow', lineWidth: 0 } as const) : { lineWidth: 130 };
  const text = spelled({ [name]: value }, style).replace(/\n+$/, '');
  return isFlow ? text.slice(2, -2) : text;
}
