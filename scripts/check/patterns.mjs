// Names each regular expression of src and of openapi.yaml that takes more than linear time on some text, with such a text.
// Run by `npm run patterns`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { check } from 'recheck';
import ts from 'typescript';
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';

/** Files that call `new RegExp` on patterns of the contract. These patterns are checked in openapi.yaml. */
const ofOthers = ['src/contract/field-errors.ts'];

/** Returns the regular expressions that a file of src writes as literals, and those that it makes of its constants with `new RegExp`. */
function inSource(file) {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, kind);
  const placeOf = (node) => `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  const known = createContext({});
  for (const statement of source.text.includes('new RegExp(') ? source.statements : [])
    for (const { name, initializer } of statement.declarationList?.declarations ?? []) {
      const value = initializer && ts.isIdentifier(name) ? valueIn(known, initializer.getText()) : undefined;
      if (value !== undefined) known[name.text] = value;
    }
  const found = [];
  const walk = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, pattern, flags] = /^\/(.*)\/([a-z]*)$/s.exec(node.text);
      found.push({ place: placeOf(node), pattern, flags });
    }
    if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp' && !ofOthers.includes(file))
      found.push({ place: placeOf(node), ...madeBy(node, known) });
    ts.forEachChild(node, walk);
  };
  walk(source);
  return found;
}

/** Returns the pattern and flags that `new RegExp` gets. A part of a template that is known only at run time counts as the letter x. */
function madeBy({ arguments: [text, flags] }, known) {
  const value = (node) => valueIn(known, node.getText());
  const parts = ts.isTemplateExpression(text)
    ? [
        text.head.text,
        ...text.templateSpans.flatMap(({ expression, literal }) => [value(expression) ?? 'x', literal.text]),
      ]
    : [value(text)];
  const pattern = parts.includes(undefined) ? undefined : parts.join('');
  return { pattern, flags: flags === undefined ? '' : value(flags) };
}

/** Evaluates an expression. Returns undefined if it needs more than the constants in `known`. */
function valueIn(known, text) {
  try {
    return runInContext(ts.transpile(`(${text})`), known);
  } catch {
    return undefined;
  }
}

function inContract(file) {
  const lines = new LineCounter();
  const found = [];
  visit(parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines }), {
    Pair(_, { key, value }) {
      if (key.value !== 'pattern' || !isScalar(value)) return;
      found.push({ place: `${file}:${lines.linePos(value.range[0]).line}`, pattern: value.value, flags: 'u' });
    },
  });
  return found;
}

// Each check is limited by steps only: with a time limit, a harmless pattern would fail on a busy machine.
const inSteps = { timeout: null, incubationTimeout: null, attackTimeout: null };

const files = readdirSync('src', { recursive: true }).filter((name) => /\.(tsx?|js)$/.test(name));
const all = [...files.sort().flatMap((name) => inSource(join('src', name))), ...inContract('openapi.yaml')];
const verdicts = new Map();
for (const { place, pattern, flags } of all) {
  if (pattern === undefined) {
    process.exitCode = 1;
    console.error(`${place}: write the text of the pattern here, as a template`);
    continue;
  }
  const written = `/${pattern}/${flags}`;
  if (!verdicts.has(written)) verdicts.set(written, await check(pattern, flags, inSteps));
  const { status, attack } = verdicts.get(written);
  if (status === 'safe') continue;
  process.exitCode = 1;
  const slow = attack ? `more than linear time on ${attack.pattern}` : 'no proof of linear time';
  console.error(`${place} ${written.slice(0, 200)}: ${slow}`);
}
console.log(
  `${all.length} patterns, ${verdicts.size} different: ${process.exitCode ? 'not all' : 'each'} in linear time`,
);
