import { isAlias, isMap, isNode, isSeq, LineCounter, parseDocument, YAMLParseError } from 'yaml';
import { ContractError } from './generate-document.ts';

/** What went wrong, as one line that begins with the place in the contract where it has one: `openapi.yaml:412:9 …`. */
export function contractMistake(yaml: string, error: unknown): string {
  if (error instanceof ContractError)
    return `openapi.yaml:${placeOf(yaml, error.path)} ${error.path.at(-1)}: ${error.message}`;
  const { message } = error as Error;
  if (!(error instanceof YAMLParseError)) return `openapi.yaml: ${message}`;
  const [start] = error.linePos ?? [];
  return `openapi.yaml:${start?.line}:${start?.col} ${message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '')}`;
}

/** Line and column of the deepest node that a path reaches, through aliases and `$ref`s. */
function placeOf(yaml: string, path: readonly string[]): string {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { merge: true, lineCounter: lines });
  const resolve = (node: unknown): unknown => {
    if (isAlias(node)) return resolve(node.resolve(document));
    const ref = isMap(node) ? node.get('$ref') : undefined;
    return typeof ref === 'string' ? resolve(document.getIn(ref.slice(2).split('/'), true)) : node;
  };
  let node: unknown = document.contents;
  let offset = 0;
  for (const key of path) {
    const holder = resolve(node);
    const pair = isMap(holder) ? holder.items.find((item) => String(item.key) === key) : undefined;
    const next = pair ? pair.value : isSeq(holder) ? holder.items[Number(key)] : undefined;
    if (next === undefined) {
      if (isNode(holder)) offset = holder.range?.[0] ?? offset;
      break;
    }
    const marked = pair ? pair.key : next;
    if (isNode(marked)) offset = marked.range?.[0] ?? offset;
    node = next;
  }
  const { line, col } = lines.linePos(offset);
  return `${line}:${col}`;
}
