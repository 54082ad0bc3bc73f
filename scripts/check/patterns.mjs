// Names each regular expression of src and of openapi.yaml that takes more than linear time on some text, with such a text.
// Run by `npm run patterns`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { check } from 'recheck';
import ts from 'typescript';
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';

/** The patterns written in a file of src, and those that its constants make of each other. */
function inSource(file) {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, kind);
  const placeOf = (node) => `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  const found = [];
  const walk = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, pattern, flags] = /^\/(.*)\/([a-z]*)$/s.exec(node.text);
      found.push({ place: placeOf(node), pattern, flags });
    }
    ts.forEachChild(node, walk);
  };
  walk(source);
  const known = createContext({});
  for (const statement of source.text.includes('new RegExp(') ? source.statements : [])
    for (const { name, initializer } of statement.declarationList?.declarations ?? []) {
      const value = valueIn(known, initializer.getText());
      if (!ts.isIdentifier(name) || value === undefined) continue;
      known[name.text] = value;
      if (initializer.kind === ts.SyntaxKind.NewExpression && value?.source)
        found.push({ place: placeOf(name), pattern: value.source, flags: value.flags });
    }
  return found;
}

/** Undefined for a value that needs more than the constants above it. */
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

// Bounded by steps only: by time, a busy machine makes a harmless pattern slow.
const inSteps = { timeout: null, incubationTimeout: null, attackTimeout: null };

const files = readdirSync('src', { recursive: true }).filter((name) => /\.tsx?$/.test(name));
const all = [...files.sort().flatMap((name) => inSource(join('src', name))), ...inContract('openapi.yaml')];
const verdicts = new Map();
for (const { place, pattern, flags } of all) {
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
