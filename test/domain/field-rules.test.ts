import { expect } from 'chai';
import {
  absentMessage,
  crossFieldErrors,
  type FieldRules,
  fitted,
  hasVisibleCharacter,
  type Oversized,
  storedValue,
  suppliedFieldErrors,
  withList,
} from '../../src/domain/field-rules.ts';
import { filled } from '../../src/domain/message.ts';
import { jobRules } from '../../src/operations/jobs/job.ts';
import { marked, saidOf } from '../helper/expect-refused.ts';

const today = '2026-11-26';
const errorsOf = (fields: object) => saidOf(suppliedFieldErrors(jobRules, { ...fields }, today), marked);

describe('the rules of a field', () => {
  /** A value of a field, and what is said about it; nothing if it is allowed. */
  const rows: readonly (readonly [field: string, value: unknown, ...messages: string[]])[] = [
    ['valid_until', '2026-11-27'],
    ['valid_until', '2026-11-26', 'must be after today, 2026-11-26, or null'],
    ['valid_until', '1999-12-31', 'must be after today, 2026-11-26, or null'],
    // The schema refuses these.
    ...['26-11-2025', '2026-1-01', '02026-01-01', '2026-01-011', '2026-01-1'].map((day) => ['valid_until', day] as const),
    ['title', ' x '],
    ['title', ''],
    ['requirements', '\u200b'],
    ['salary_min', 1250.5],
    ['salary_min', 1250.505, 'must have at most two decimal places, such as 1250.5'],
    ['salary_min', 0.1 + 0.2],
    ['salary_min', 0.3000001, 'must have at most two decimal places, such as 1250.5'],
    ['salary_min', -1250.505, 'must have at most two decimal places, such as 1250.5'],
    ['salary_min', 99_999_999.99],
    ['salary_min', Number.NaN],
    ['experience_years', 1.25],
    ['category_id', 2_147_483_647],
    ['category_id', 2_147_483_648, 'is no known id; see <GET /categories>'],
    ['district_id', 2_147_483_648, 'is no known id; see <GET /regions>'],
    ['experience_years', 2_147_483_648],
    ['body', `a${'á'.repeat(32_767)}`],
    ['body', 'á'.repeat(32_768), 'must be at most 65535 bytes in UTF-8, not 65536'],
    ['remote_policy', 'http://example.com'],
    ['title', '\u{1f600}'],
    ['education_details', ['ok', { level: null }, null]],
    ['salary_type', '', 'is empty: leave it out, or send null'],
    ...['null', 'None', 'undefined'].map((word) => ['salary_type', word, 'is the word null: send null, or leave it out'] as const),
    ['external_application_url', 'None', 'is the word null: send null, or leave it out'],
    ['education_details', ['null'], 'is the word null: send null, or leave it out'],
    ['education_details', ['null', 'null']],
    ['education_details', []],
    ['salary_type', 'monthly'],
    ['requirements', 'Null'],
    ['salary_type', null],
    // These may not be null.
    ['title', 'null'],
    ['salary_negotiable', 'null'],
  ]; // biome-ignore format: a table

  for (const [field, value, ...messages] of rows)
    it(`${field}: ${JSON.stringify(value)?.slice(0, 40)} ${messages.length > 0 ? 'is refused' : 'is allowed'}`, () => {
      expect(errorsOf({ [field]: value })).to.deep.equal(messages.map((message) => [field, message]));
    });

  it('an empty text is refused where null is allowed', () => {
    for (const [field, rules] of jobRules) {
      const said = absentMessage(rules, '');
      expect(said && filled(said), field).to.equal(rules.nullable ? 'is empty: leave it out, or send null' : undefined);
    }
  });

  it('a message names null only where the field may be null, whatever its kind', () => {
    const kinds: readonly FieldRules['kind'][] = [
      ...(['text', 'html', 'enum', 'integer', 'decimal', 'boolean', 'date', 'list', 'object'] as const),
    ];
    const values = ['', 'null', ['None'], '1999-12-31', 0.123_456_7, 1e300, 'x'.repeat(99)];
    const said = kinds.flatMap((kind) => {
      const rules = { kind, label: 'A', required: true, nullable: false, future: true, maxBytes: 9, decimals: 2 };
      return values.flatMap((value) => saidOf(suppliedFieldErrors(new Map([['a', rules]]), { a: value }, today)));
    });
    expect(said.filter(([, message]) => /null/.test(message))).to.deep.equal([]);
    expect(said.map(([, message]) => message)).to.include('must be after today, 2026-11-26');
  });

  it('a decimal says how many places its field has', () => {
    const decimal = { kind: 'decimal', label: 'A', required: false, nullable: true } as const;
    const said = (decimals: number) =>
      saidOf(suppliedFieldErrors(new Map([['a', { ...decimal, decimals }]]), { a: 0.123_456_7 }, today));
    expect([0, 1, 2, 6].map((decimals) => said(decimals).map(([, message]) => message))).to.deep.equal([
      ['must be a whole number'],
      ['must have at most one decimal place, such as 1250.5'],
      ['must have at most two decimal places, such as 1250.5'],
      ['must have at most 6 decimal places, such as 1250.5'],
    ]);
  });

  it('are checked for all fields; an inherited or unknown property is no field', () => {
    const fields = errorsOf({ salary_min: 0.001, salary_type: '', nothing: '' }).map(([field]) => field);
    expect(fields).to.have.members(['salary_min', 'salary_type']);
    expect(suppliedFieldErrors(jobRules, Object.create({ salary_type: '' }), today)).to.deep.equal([]);
  });

  it('name the list of ids, in the caller’s words', () => {
    const said = (references?: 'categories') =>
      filled(withList(references, { text: 'x' }), (name) => `tool for ${name}`);
    expect(said('categories')).to.equal('x; see tool for GET /categories');
    expect(said()).to.equal('x');
  });
});

describe('the rules between fields', () => {
  const method = 'is required when application_method is';

  it('an application method needs its contact, with a visible character', () => {
    for (const [job, ...errors] of [
      [{ application_method: 'email' }, ['contact_email', `${method} email`]],
      [{ application_method: 'phone', contact_phone: null }, ['contact_phone', `${method} phone`]],
      [{ application_method: 'external', external_application_url: ' ' }, ['external_application_url', `${method} external`]],
      [{ application_method: 'email', contact_email: 'a@example.com' }],
      [{ application_method: 'email', contact_email: 5 }],
      [{ application_method: 'system' }],
      [{}],
    ] as const) // biome-ignore format: a table
      expect(saidOf(crossFieldErrors(jobRules, job, job)), JSON.stringify(job)).to.deep.equal(errors);
  });

  it('the maximum salary is at least the minimum, as stored; the message names a field of the request', () => {
    const atLeast = ['salary_max', 'must be at least salary_min, which is 2'];
    const atMost = ['salary_min', 'must be at most salary_max, which is 1'];
    for (const [job, supplied, ...errors] of [
      [{ salary_min: 2, salary_max: 1 }, { salary_min: 2, salary_max: 1 }, atLeast],
      [{ salary_min: 2, salary_max: 1 }, { salary_max: 1 }, atLeast],
      [{ salary_min: 2, salary_max: 1 }, {}, atLeast],
      [{ salary_min: 2, salary_max: 1 }, { salary_min: 2 }, atMost],
      [{ salary_min: 2, salary_max: 2 }, { salary_min: 2 }],
      // Stored as 2.00.
      [{ salary_min: 2.000000001, salary_max: 2 }, {}],
      [{ salary_min: 2, salary_max: null }, { salary_min: 2 }],
      [{ salary_min: null, salary_max: 1 }, { salary_max: 1 }],
      // The schema refuses these.
      [{ salary_min: '2', salary_max: 1 }, {}],
      [{ salary_min: 2, salary_max: '1' }, {}],
    ] as const) // biome-ignore format: a table
      expect(saidOf(crossFieldErrors(jobRules, job, supplied)), JSON.stringify([job, supplied])).to.deep.equal(errors);
  });

  it('a decimal is stored with two decimals, another value as it is', () => {
    expect(storedValue(jobRules.get('salary_min'), 0.1 + 0.2)).to.equal(0.3);
    expect(storedValue(jobRules.get('salary_min'), null)).to.equal(null);
    expect(storedValue(jobRules.get('experience_years'), 1.234)).to.equal(1.234);
  });
});

it('white space, controls, format characters, zero-width characters and blank Braille are not visible', () => {
  for (const text of ['', ' \t\n\u00a0', '\0\u0085', '\u200b\u00ad\u2060', '\u3164\ufe0f\u{e0100}', '\u2800', '\u2028'])
    expect(hasVisibleCharacter(text), JSON.stringify(text)).to.equal(false);
  for (const text of ['x', '  .  ', '\u200bá', '日', '\u{1f600}', '\u2801'])
    expect(hasVisibleCharacter(text), text).to.equal(true);
});

describe('fitted', () => {
  const item = { properties: { tags: { maxItems: 1 } } };
  const shape = {
    properties: { list: { items: item, maxItems: 3 }, rows: { items: { items: {}, maxItems: 1 } }, any: {} },
  };
  const tooLarge = (value: unknown) => {
    const found: Oversized[] = [];
    return { value: fitted(value, shape, found), found };
  };

  it('leaves a value within the bounds as it is', () => {
    for (const value of [
      null,
      5,
      [1],
      { list: [{ tags: [1] }, 5, null], rows: [[1], []], any: [1, 2, 3], other: 1 },
      { list: 5 },
    ]) {
      const { value: left, found } = tooLarge(value);
      expect(left).to.equal(value);
      expect(found).to.deep.equal([]);
    }
  });

  it('empties each list that is too long, and names its place', () => {
    const list = [{ tags: [1, 2], x: 1 }, { tags: [1] }];
    expect(tooLarge({ list, rows: [[1], [1, 2]], other: 1 })).to.deep.equal({
      value: { list: [{ tags: [], x: 1 }, { tags: [1] }], rows: [[1], []], other: 1 },
      found: [
        { path: ['list', '0', 'tags'], unit: 'items', count: 2, max: 1 },
        { path: ['rows', '1'], unit: 'items', count: 2, max: 1 },
      ],
    });
    expect(tooLarge({ list: [1, 2, 3, 4] })).to.deep.equal({
      value: { list: [] },
      found: [{ path: ['list'], unit: 'items', count: 4, max: 3 }],
    });
  });

  it('empties each text that is too long, in code points, and names its place', () => {
    const text = { properties: { code: { maxLength: 2 }, all: { items: { maxLength: 2 } } } };
    const found: Oversized[] = [];
    const sent = { code: '\u{1f600}\u{1f600}x', all: ['ab', '\u{1f600}\u{1f600}', 'abc'], other: 'abc' };
    expect(fitted(sent, text, found)).to.deep.equal({ ...sent, code: '', all: ['ab', '\u{1f600}\u{1f600}', ''] });
    expect(found).to.deep.equal([
      { path: ['code'], unit: 'characters', count: 3, max: 2 },
      { path: ['all', '2'], unit: 'characters', count: 3, max: 2 },
    ]);
  });

  it('leaves only the known names of an object with more than twenty unknown ones', () => {
    const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x${n}`, n]));
    expect(tooLarge({ ...names(20), any: 1 }).found).to.deep.equal([]);
    expect(tooLarge({ ...names(21), any: 1 })).to.deep.equal({
      value: { any: 1 },
      found: [{ path: [], unit: 'names', count: 21 }],
    });
    // A long list beside exactly twenty unknown names.
    expect(tooLarge({ ...names(20), list: [1, 2, 3, 4] }).value).to.deep.equal({ ...names(20), list: [] });
  });
});
