import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { jobFields } from '../../generated/job-fields.ts';
import { auditActions } from '../../src/domain/audit-actions.ts';
import { rejectionStatus } from '../../src/domain/errors.ts';
import { actionLabel } from '../../src/web/components/audit-cells.ts';
import { optionLabel } from '../../src/web/components/job-details.tsx';
import { reasonLabels } from '../../src/web/components/refusal-reason.ts';
import { languages } from '../../src/web/language.ts';
import { i18n } from '../../src/web/texts/t.ts';

const rule = 'a text of a page is given to t(); its Portuguese goes to src/web/texts/pt.json';

const root = join(import.meta.dirname, '..', '..', '..');
const catalogue: Readonly<Record<string, string>> = i18n.getResourceBundle('pt-PT', 'translation');

/** The sources whose texts people read on pages; the API reference is English. */
const sources = ['src/web', 'src/operations'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /[.]tsx?$/.test(path) && !path.startsWith('src/web/reference/'))
    .map(sourceOf),
);

function sourceOf(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true);
}

const placeOf = (node: ts.Node): string => {
  const file = node.getSourceFile();
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
};

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

/** The values that an expression may have, such as both branches of a condition. */
function valuesOf(node: ts.Expression): ts.Expression[] {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return valuesOf(node.expression);
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(valuesOf);
  if (ts.isBinaryExpression(node)) {
    const { left, operatorToken, right } = node;
    if (/^([|][|]|[?][?]|[+])$/.test(operatorToken.getText())) return [left, right].flatMap(valuesOf);
    return operatorToken.getText() === '&&' ? valuesOf(right) : [node];
  }
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(valuesOf);
  if (ts.isObjectLiteralExpression(node))
    return node.properties.flatMap((property) =>
      ts.isPropertyAssignment(property) ? valuesOf(property.initializer) : [],
    );
  return [node];
}

const literalsOf = (node: ts.Expression): ts.StringLiteralLike[] => valuesOf(node).filter(ts.isStringLiteralLike);

/** `t` itself, or a call or property that gives it: ctx.t, useT(). */
const isT = (callee: ts.Expression): boolean => /(^|[.])t$|^useT[(]/.test(callee.getText());

/** Every text that the pages surely look up, with where. What reaches t() by a name: helper/page-client. */
const used = new Map<string, string>();
/** Every text that they may look up: a literal, or the name of a detail of an audit entry. */
const mayBeUsed = new Set<string>();
for (const source of sources)
  visit(source, (node) => {
    if (ts.isStringLiteralLike(node)) mayBeUsed.add(node.text);
    if (ts.isIdentifier(node)) mayBeUsed.add(node.text.replaceAll('_', ' '));
    // What a declared field must be.
    if (ts.isStringLiteralLike(node) && node.text.startsWith('must ') && /from 'zod'/.test(source.text))
      used.set(node.text, placeOf(node));
    if (!ts.isCallExpression(node) || !isT(node.expression)) return;
    const [key, values] = node.arguments;
    for (const text of key ? literalsOf(key) : []) used.set(text.text, placeOf(text));
    visit(values ?? node.expression, (property) => {
      if (ts.isPropertyAssignment(property) && property.name.getText() === 'one' && key && ts.isStringLiteralLike(key))
        used.set(`${key.text}_one`, placeOf(property));
    });
  });
for (const [name, field] of Object.entries(jobFields))
  for (const text of [field.label, ...('values' in field ? field.values.map(optionLabel) : [])])
    used.set(text, `the job field ${name}`);
for (const action of auditActions) used.set(actionLabel(action), `the audit action ${action}`);
for (const code of Object.keys(rejectionStatus)) used.set(`error.${code}`, `the rejection ${code}`);

/** The placeholders and tags of a text. */
const placesOf = (text: string): string[] => [...new Set(text.match(/\{\{\w+\}\}|<\/?\w+>/g))];
const words = /\p{L}{2}/u;

describe('the texts of the pages', () => {
  it('are all in the Portuguese catalogue, and include every key of it', () => {
    const missing = [...used].filter(([text]) => words.test(text) && !(text in catalogue));
    expect(missing, rule).to.deep.equal([]);
    const optional = new Set(Object.keys(reasonLabels).map((reason) => `error.${reason}`));
    const unused = Object.keys(catalogue).filter((key) => ![used, mayBeUsed, optional].some((texts) => texts.has(key)));
    expect(unused, rule).to.deep.equal([]);
  });

  it('have the same placeholders in both languages, and a value for each', () => {
    for (const [key, text] of Object.entries(catalogue))
      if (!key.startsWith('error.')) expect(placesOf(text), text).to.have.members(placesOf(key));
    for (const source of sources)
      visit(source, (node) => {
        if (!ts.isCallExpression(node) || !isT(node.expression)) return;
        const [key, values] = node.arguments;
        if (!key || !ts.isStringLiteralLike(key) || (values && !ts.isObjectLiteralExpression(values))) return;
        const given = values?.properties.map(({ name }) => `{{${name?.getText()}}}`) ?? [];
        expect(
          given.filter((name) => name !== '{{one}}'),
          placeOf(node),
        ).to.have.members(placesOf(key.text));
      });
  });

  it('are never written into a page without t()', () => {
    const attributes = /^(title|alt|placeholder|label|hint|text|summary|head|heading|legend|empty|aria-label)$/;
    const bare: string[] = [];
    const check = (node: ts.Node, text: string) => {
      if (words.test(text.replace(/\b(Vaga|REST|MCP|ms)\b/g, ''))) bare.push(`${placeOf(node)}: ${text.trim()}`);
    };
    const checkValues = (expression: ts.Expression) => {
      for (const value of valuesOf(expression)) {
        if (ts.isStringLiteralLike(value)) check(value, value.text);
        if (ts.isTemplateExpression(value))
          check(value, value.head.text + value.templateSpans.map(({ literal }) => literal.text).join(''));
      }
    };
    for (const source of sources)
      visit(source, (node) => {
        if (ts.isJsxText(node)) check(node, node.text);
        if (ts.isJsxExpression(node) && node.expression && !ts.isJsxAttribute(node.parent))
          checkValues(node.expression);
        if (!ts.isJsxAttribute(node) || !attributes.test(node.name.getText()) || !node.initializer) return;
        const { initializer } = node;
        if (ts.isStringLiteral(initializer)) check(node, initializer.text);
        if (ts.isJsxExpression(initializer) && initializer.expression) checkValues(initializer.expression);
      });
    expect(bare, rule).to.deep.equal([]);
  });
});

describe('t', () => {
  const [en, pt] = [languages.en.t, languages.pt.t];

  it('writes numbers and the form of a count as the language does', () => {
    const jobs = (count: number) => [en, pt].map((t) => t('{{count}} results', { count, one: '{{count}} result' }));
    expect([0, 1, 12_000, 1_000_000].map(jobs)).to.deep.equal([
      ['0 results', '0 resultados'],
      ['1 result', '1 resultado'],
      ['12,000 results', '12\u00a0000 resultados'],
      ['1,000,000 results', '1\u00a0000\u00a0000 resultados'],
    ]);
  });

  it('takes a value as it is, also one that looks like a text, a placeholder or a replacement', () => {
    for (const label of ['Yes', '{{count}}', '$t(Yes)', '$&', '<b>&amp;', '']) {
      expect(en('Replace {{label}}', { label })).to.equal(`Replace ${label}`);
      expect(pt('Replace {{label}}', { label })).to.equal(`Substituir ${label}`);
    }
  });

  it('leaves a text without Portuguese in English, whatever it is called', () => {
    for (const text of ['A new field', 'constructor', '__proto__', 'a.b: c']) expect(pt(text)).to.equal(text);
  });
});
