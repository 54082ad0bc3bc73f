import { expect } from 'chai';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { type Operation, operationOf } from '../../src/contract/document.ts';
import { crossFieldErrors, type FieldRules, type Rules, type Shape } from '../../src/domain/field-rules.ts';
import { FormContext } from '../../src/web/components/post-form.tsx';
import { storedEditor } from '../../src/web/components/stored-form.tsx';
import { shownValue } from '../../src/web/components/stored-value.tsx';
import { Form, faultTexts } from '../../src/web/form.ts';
import { type PageContext, PageRequestContext } from '../../src/web/page.ts';
import { languages } from '../../src/web/texts/language.ts';

const modes = ['in_house', 'remote', null];
const part = {
  type: 'object',
  required: ['seats', 'label', 'tags', 'about'],
  properties: {
    seats: { type: 'integer', minimum: 1, maximum: 5 },
    label: { type: 'string', maxLength: 10, nullable: true },
    tags: { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 8 } },
    about: { type: 'string', maxLength: 8 },
    mode: { type: 'string', enum: modes, nullable: true },
    from: { type: 'string', format: 'date' },
    fits: { type: 'boolean' },
    inner: { type: 'object', required: ['note'], properties: { note: { type: 'string', nullable: true } } },
  },
} as const;
const fields = {
  parts: { type: 'array', maxItems: 4, nullable: true, items: part },
  span: { ...part, nullable: true },
  modes: { type: 'array', maxItems: 3, nullable: true, items: { type: 'string', enum: ['in_house', 'remote'] } },
} as const;

const rule = (kind: FieldRules['kind']): FieldRules => ({ kind, label: kind, required: false, nullable: true });
const rules: Rules = new Map([
  ['parts', rule('list')],
  ['span', rule('object')],
  ['modes', rule('list')],
]);
const editorOf = (rules: Rules, properties: object) => {
  const shape = { properties: { requestBody: { properties } } } as Shape;
  const operation: Operation = { ...operationOf('updateJob'), shape };
  return storedEditor({ noun: 'place', rules, field: 'fields', previewLabel: 'Preview', operation });
};
const editor = editorOf(rules, fields);

/** The editor needs a context only to preview HTML that was typed. */
const page = { t: languages.en.t } as PageContext;
const shown = (values: object, of = editor) => of.shown(page, { ...values }, undefined, () => false);

/** The HTML of the controls. */
async function rendered(stored: object, language: 'en' | 'pt' = 'en', of = editor): Promise<string> {
  const { texts: values, controls } = await shown(stored, of);
  const page = { t: languages[language].t } as PageContext;
  const form = h(FormContext.Provider, { value: { values } }, controls({}));
  return render(h(PageRequestContext.Provider, { value: page }, form));
}

const least = { seats: 1, label: null, tags: [], about: '' };
const most = { ...least, label: 'A', tags: ['b', 'c'], mode: 'remote', from: '2026-01-01', fits: false };

describe('the form of a stored field', () => {
  it('sends what is stored, also the parts that are required and have no value', async () => {
    for (const span of [null, least, most, { ...least, inner: { note: 'x' } }])
      for (const parts of [null, [least], [most, least], [{ ...most, label: null }]]) {
        const { texts } = await shown({ span, parts });
        const sent = editor.typed(new Form({ body: texts }), () => true, {});
        expect(sent).to.deep.equal({ span, parts, modes: null });
      }
  });

  it('leaves out the items and the optional parts in which nothing is typed, and numbers and choices without a value', () => {
    const typed = (body: Record<string, string>) => editor.typed(new Form({ body }), () => true, {});
    const blank = { 'place.parts': '', 'place.parts.0': '', 'place.parts.1': '', 'place.parts.1.about': 'x' };
    expect(typed(blank)).to.deep.equal({ parts: [{ label: null, tags: [], about: 'x' }] });
    expect(typed({ 'place.span': '', 'place.span.inner': '' })).to.deep.equal({ span: null });
  });

  it('leaves every part that nobody touched as it is stored, in both languages', async () => {
    const at = { type: 'object', properties: { lat: { type: 'number' }, age: { type: 'integer', nullable: true }, n: { type: 'string' } } }; // biome-ignore format: one line
    const rules: Rules = new Map([['stops', rule('list')]]);
    const of = editorOf(rules, { stops: { type: 'array', maxItems: 9, nullable: true, items: at } });
    const stops = [
      { lat: 1.2345678901234566e-7, age: null, n: 'a\r' },
      { n: '', age: null },
      { lat: 1e-300, n: 'b' },
      { lat: 2, n: 'c' },
    ];
    for (const language of ['en', 'pt'] as const) {
      const page = { t: languages[language].t } as PageContext;
      const { texts } = await of.shown(page, { stops }, undefined, () => false);
      const typed = (body: Record<string, string>) =>
        of.typed(new Form({ body: { ...texts, ...body } }), () => true, { stops });
      const [first, second, third, last] = stops;
      expect(typed({})).to.deep.equal({ stops });
      expect(typed({ 'place.stops.3.lat': '3' })).to.deep.equal({ stops: [first, second, third, { ...last, lat: 3 }] });
      expect(typed({ 'place.stops.0.age': '5', 'place.stops.2.lat': '', 'place.stops.2.n': '' })).to.deep.equal({
        stops: [{ ...first, age: 5 }, second, last],
      });
    }
  });

  it('leaves every line of a list that nobody touched as it is stored, in both languages', async () => {
    const list = (items: object) => ({ type: 'array', maxItems: 9, items });
    const rules: Rules = new Map([['tags', rule('list')], ['sizes', rule('list')]]); // biome-ignore format: a table
    const tag = { type: 'string', nullable: true };
    const of = editorOf(rules, { tags: list(tag), sizes: list({ type: 'number' }) });
    const stored = { tags: [' x ', 'a\nb', null, '', 'y', 'y'], sizes: [1.5, 1e-300] };
    for (const language of ['en', 'pt'] as const) {
      const page = { t: languages[language].t } as PageContext;
      const { texts } = await of.shown(page, stored, undefined, () => false);
      const typed = (field: string, text: string) =>
        of.typed(new Form({ body: { [`place.${field}`]: text } }), () => true, stored);
      const [tags = '', sizes = ''] = [texts['place.tags'], texts['place.sizes']];
      expect(typed('tags', `${tags}\r\nz\r\n`)).to.deep.equal({ tags: [...stored.tags, 'z'] });
      expect(typed('tags', tags.replace('a b', 'c'))).to.deep.equal({ tags: [' x ', 'c', null, '', 'y', 'y'] });
      expect(typed('tags', 'y\n\ny\n')).to.deep.equal({ tags: ['y', null, 'y', ''] });
      expect(typed('tags', ' ')).to.deep.equal({ tags: [] });
      expect(typed('sizes', `3\n${sizes}`)).to.deep.equal({ sizes: [3, ...stored.sizes] });
    }
  });

  it('leaves stored items without a row as they are, and leaves out what the contract does not have any more', async () => {
    const at = { type: 'object', nullable: true, properties: { n: { type: 'string' }, age: { type: 'integer', nullable: true } } }; // biome-ignore format: one line
    const of = editorOf(new Map([['stops', rule('list')]]), { stops: { type: 'array', maxItems: 9, items: at } });
    const gap = { n: '', age: null };
    const typed = (stops: object[], body: Record<string, string>) =>
      of.typed(new Form({ body }), () => true, { stops: stops.map((stop) => ({ ...stop, old: 1 })) });
    const rows = { 'place.stops': '', 'place.stops.0': '', 'place.stops.0.n': 'y', 'place.stops.1': '' };
    expect(typed([{ n: 'x' }, gap, gap, gap, gap], rows)).to.deep.equal({ stops: [{ n: 'y' }, gap, gap, gap, gap] });
    const second = { ...rows, 'place.stops.1.n': 'b' };
    expect(typed([{ n: 'y' }, { n: 'a' }, { n: 'c' }], second)).to.deep.equal({ stops: [{ n: 'y' }, { n: 'b' }] });
  });

  it('says what breaks the contract in the whole body where it is said of any other operation', async () => {
    const context = { ...page, today: '2026-01-01' } as PageContext;
    expect(await editor.broken(context, {})).to.have.all.keys('fields');
    expect(await editor.broken(context, { title: 5 })).to.have.all.keys('place.title');
  });

  it('has a row for every stored item, and two more', async () => {
    const gap = { label: null, tags: [], about: '' };
    for (const [parts, rows] of [
      [null, 2],
      [[least], 3],
      [[gap, least], 4],
      [[gap, gap, gap, least], 4],
    ] as const)
      expect((await rendered({ parts })).match(/name="place.parts.\d"/g)).to.have.length(rows);
  });

  it('names the values that the items of a list may have', async () => {
    expect(await rendered({})).to.include('Accepted: in_house (In house), remote (Remote).');
    expect(await rendered({}, 'pt')).to.include('Valores aceites: in_house (In house), remote (Remoto).');
  });
});

describe('a value on which a field depends', () => {
  it('is worded as the form offers it, in the hint and in the message', async () => {
    const open = { ...rule('boolean'), label: 'Is open' };
    const site = { ...rule('text'), requiredWhen: { open: true, mode: 'in_house' } };
    const rules: Rules = new Map([['open', open], ['site', site]]); // biome-ignore format: a table
    const of = editorOf(rules, { open: { type: 'boolean' }, site: { type: 'string', maxLength: 8, nullable: true } });
    expect(await rendered({}, 'en', of)).to.include('Required when Is open is Yes. Required when mode is In house.');
    expect(await rendered({}, 'pt', of)).to.match(/Obrigatório [^.]* Is open [^.]*Sim/);
    const [needed] = crossFieldErrors(rules, { open: true }, {});
    const said = (language: 'en' | 'pt') => needed && faultTexts([needed], languages[language].t).site;
    expect(said('en')).to.match(/ when .* is Yes/);
    expect(said('pt')).to.match(/Sim/);
  });
});

describe('a stored value', () => {
  it('is shown in words, each part with its label, without the parts that have no value', () => {
    const value = [Object.fromEntries(Object.entries(most).reverse()), { ...least, fits: true, inner: { note: null } }];
    const text = (language: 'en' | 'pt') => shownValue('list', fields.parts, value, languages[language].t);
    expect(text('en')).to.equal(
      'Seats: 1; Label: A; Tags: b, c; Mode: Remote; From: 1 Jan 2026; Fits: No\nSeats: 1; Fits: Yes',
    );
    expect(text('pt')).to.equal(
      'Seats: 1; Nome: A; Tags: b, c; Mode: Remoto; De: 01/01/2026; Fits: Não\nSeats: 1; Fits: Sim',
    );
    expect(shownValue('list', fields.modes, ['in_house', 'remote'], languages.pt.t)).to.equal('In house\nRemoto');
    for (const none of [null, [], [{ label: null }], { note: null }])
      expect(shownValue('object', {}, none, languages.en.t)).to.equal(null);
  });
});
