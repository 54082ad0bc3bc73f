import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { storedFields } from '../../generated/stored-fields.ts';
import { operations } from '../../src/contract/document.ts';
import { auditActions } from '../../src/domain/audit-actions.ts';
import { rejectionStatus } from '../../src/domain/errors.ts';
import { rulesOf } from '../../src/domain/field-rules.ts';
import { secretMessage } from '../../src/domain/token.ts';
import { tooPreciseText, unclearText } from '../../src/domain/typed-number.ts';
import { reasonLabels } from '../../src/operations/requests/people/list-requests.ts';
import { storedResources } from '../../src/operations/stored/stored-resources.ts';
import { actionLabel } from '../../src/web/components/audit-cells.tsx';
import { type FieldSchema, fieldSchemas } from '../../src/web/components/field-schema.ts';
import { optionLabel, storedLabel } from '../../src/web/labels.ts';
import { i18n, languages } from '../../src/web/texts/language.ts';

const catalogue: Readonly<Record<string, string>> = i18n.getResourceBundle('pt-PT', 'translation');

/** The labels of a field's parts, and of the values that it and they accept. */
const textsIn = ({ enum: values = [], properties = {}, items }: FieldSchema): string[] => [
  ...values.flatMap((value) => (value === null ? [] : [optionLabel(value)])),
  ...Object.entries(properties).flatMap(([name, part]) => [optionLabel(name), ...textsIn(part)]),
  ...(items ? textsIn(items) : []),
];

/** Texts that pages make from data. The compiler checks literal texts, and the linter that they go through t(). */
const derived = [
  ...Object.keys(storedFields)
    .flatMap((table) => [...rulesOf(table).values()])
    .map(({ label }) => label),
  ...[...operations.values()]
    .filter(({ rules }) => rules.size > 0)
    .flatMap((operation) => Object.values(fieldSchemas(operation)).flatMap(textsIn)),
  ...storedResources.flatMap(({ resource, create, update, remove }) => [
    storedLabel(resource.table),
    ...[create, update, remove].map(({ title }) => title),
  ]),
  ...auditActions.map(actionLabel),
  ...Object.values(reasonLabels),
  secretMessage,
  tooPreciseText,
  unclearText,
  ...Object.keys(rejectionStatus).map((code) => `error.${code}`),
];

/** The placeholders and tags of a text. */
const placesOf = (text: string): string[] => [...new Set(text.match(/\{\{\w+\}\}|<\/?\w+>/g))];

describe('the texts of the pages', () => {
  it('made from data are all in the Portuguese catalogue', () => {
    expect(derived.filter((text) => /\p{L}{2}/u.test(text) && !(text in catalogue))).to.deep.equal([]);
  });

  it('include every key of the catalogue', () => {
    const root = join(import.meta.dirname, '..', '..', '..');
    const sources = ['src/contract', 'src/domain', 'src/operations', 'src/sanitizer', 'src/web'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /[.](tsx?|md)$/.test(name))
        .map((name) => readFileSync(join(root, folder, name), 'utf8').replaceAll("\\'", "'")),
    );
    const known = new Set([...derived, ...Object.keys(reasonLabels).map((reason) => `error.${reason}`)]);
    // A detail of an audit entry is shown by its name.
    const isWritten = (text: string) =>
      sources.some((source) => source.includes(text) || source.includes(text.replaceAll(' ', '_')));
    const unused = Object.keys(catalogue).filter((key) => !known.has(key) && !isWritten(key.replace(/_one$/, '')));
    expect(unused).to.deep.equal([]);
  });

  it('are each in one file of the catalogue', () => {
    const folder = join(import.meta.dirname, '..', '..', 'src', 'web', 'texts', 'pt');
    const keys = readdirSync(folder).flatMap((name) =>
      Object.keys(JSON.parse(readFileSync(join(folder, name), 'utf8'))),
    );
    expect(keys.sort()).to.deep.equal(Object.keys(catalogue).sort());
  });

  it('about a field are sentences in Portuguese', () => {
    for (const [key, text] of Object.entries(catalogue))
      if (key.startsWith('must ')) expect(text, key).to.match(/^(\p{Lu}|\{\{).*([.]|\}\})$/u);
  });

  it('have a singular in Portuguese, if they count', () => {
    const plural = Object.keys(catalogue).filter((key) => /\{\{count\}\}/.test(key) && !/_one$|^must /.test(key));
    expect(plural.filter((key) => !(`${key}_one` in catalogue))).to.deep.equal([]);
  });

  it('have the same placeholders in both languages', () => {
    for (const [key, text] of Object.entries(catalogue))
      if (!key.startsWith('error.')) expect(placesOf(text), text).to.have.members(placesOf(key));
  });
});

describe('t', () => {
  const [en, pt] = [languages.en.t, languages.pt.t];

  it('formats numbers and counts as the language does', () => {
    const jobs = (count: number) => [en, pt].map((t) => t('{{count}} results', { count, one: '{{count}} result' }));
    expect([0, 1, 12_000, 1_000_000].map(jobs)).to.deep.equal([
      ['0 results', '0 resultados'],
      ['1 result', '1 resultado'],
      ['12,000 results', '12\u00a0000 resultados'],
      ['1,000,000 results', '1\u00a0000\u00a0000 resultados'],
    ]);
  });

  it('counts what is left on its own, in the singular for one', () => {
    const left = (count: number) => [en, pt].map((t) => t('{{count}} left', { count, one: '{{count}} left' }));
    expect([0, 1, 14].map(left)).to.deep.equal([
      ['0 left', 'restam 0'],
      ['1 left', 'resta 1'],
      ['14 left', 'restam 14'],
    ]);
  });

  it('inserts a value unchanged, even one that looks like a text, a placeholder or a replacement', () => {
    for (const label of ['Yes', '{{count}}', '$t(Yes)', '$&', '<b>&amp;', '']) {
      expect(en('Replace {{label}}', { label })).to.equal(`Replace ${label}`);
      expect(pt('Replace {{label}}', { label })).to.equal(`Substituir ${label}`);
    }
  });

  it('keeps a value’s direction from turning the words around it', () => {
    for (const [label, shown] of [
      ['a\u202eb', '\u2068a\u202eb\u2069'],
      ['مهندس', '\u2068مهندس\u2069'],
      ['a\u2069\u202eb', '\u2068a\u202eb\u2069'],
      ['a\u2067b', '\u2068a\u2067b\u2069\u2069'],
      ['\u2068a\u202eb\u2069', '\u2068\u2068a\u202eb\u2069\u2069'],
      ['Técnico (m/f) – 40 h', 'Técnico (m/f) – 40 h'],
    ] as const)
      expect(en('Replace {{label}}', { label })).to.equal(`Replace ${shown}`);
  });

  it('leaves a text without Portuguese in English, even one named like a property', () => {
    for (const text of ['A new field', 'constructor', '__proto__', 'a.b: c']) expect(pt(text)).to.equal(text);
  });
});
