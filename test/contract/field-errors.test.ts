import { Ajv } from 'ajv';
import { expect } from 'chai';
import { operationOf } from '../../src/contract/document.ts';
import { fieldErrorOf } from '../../src/contract/field-errors.ts';
import { withFormats } from '../../src/contract/formats.ts';
import { eachOnce } from '../../src/contract/validate.ts';
import { filledError } from '../../src/domain/message.ts';
import { saidOf } from '../helper/expect-refused.ts';

it('a message about a value inside a field says where; for an unknown name it lists the known ones', () => {
  const level = { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false };
  const place = { type: 'object', properties: { city: {}, street: {} }, additionalProperties: false };
  const fields = { place, levels: { type: 'array', items: level } };
  const requestBody = { type: 'object', properties: fields };
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: false });
  const validate = ajv.compile({ type: 'object', properties: { requestBody } });
  validate({ requestBody: { place: { town: 'Porto' }, levels: [{ name: 'a' }, { name: 7, title: 'b' }] } });
  const operation = operationOf('createJob');
  expect(saidOf((validate.errors ?? []).map((error) => fieldErrorOf(error, operation)))).to.deep.equal([
    ['place', 'town is not a known field; known are city, street'],
    ['levels', 'item 2 title is not a known field; known are name'],
    ['levels', 'item 2 name must be of type string, not number'],
  ]);
});

it('a keyword that only an edited contract has gets a message too', () => {
  const fields = {
    few: { type: 'array', minItems: 2 },
    some: { type: 'array', minItems: 1 },
    unique: { type: 'array', uniqueItems: true },
    step: { type: 'number', multipleOf: 5 },
    code: { type: 'string', pattern: '^[A-Z]+$', minLength: 2 },
    either: { type: ['string', 'number'] },
    more: { maxProperties: 1 },
    // An empty text breaks both rules, and is said once.
    note: { type: 'string', nullable: true, pattern: '^[A-Z]+$', minLength: 2 },
    first: { type: 'string', format: 'date' },
  };
  const ajv = withFormats(new Ajv({ allErrors: true, verbose: true, strict: false }));
  const validate = ajv.compile({ type: 'object', properties: { requestBody: { type: 'object', properties: fields } } });
  const value = { few: [1], some: [], unique: [1, 2, 1], step: 7, code: 'a', either: true, more: { a: 1, b: 1 } };
  validate({ requestBody: { ...value, note: '', first: '0000-01-01' } });
  const errors = eachOnce((validate.errors ?? []).map((error) => fieldErrorOf(error, operationOf('createJob'))));
  expect(saidOf(errors)).to.have.deep.members([
    ['few', 'must have at least 2 items'],
    ['some', 'must have at least 1 item'],
    ['unique', 'must have each item once: items 1 and 3 are the same'],
    ['step', 'must be a multiple of 5'],
    ['code', 'must have at least 2 characters'],
    ['code', 'must match ^[A-Z]+$'],
    ['either', 'must be of type string or number, not boolean'],
    ['more', 'must NOT have more than 1 properties'],
    ['note', 'is empty: leave it out, or send null'],
    ['first', 'must be a date that exists, written YYYY-MM-DD, such as 2030-12-31'],
  ]);
});

it('a format is as OpenAPI names it: no URN for a UUID, no day of the year 0, no offset without a colon', () => {
  const ajv = withFormats(new Ajv());
  const uuid = '7d2f6c1e-90b4-4c52-8f0e-2f6a1b6f3c11';
  for (const [format, accepted, ...refused] of [
    ['uuid', uuid, `urn:uuid:${uuid}`, uuid.replaceAll('-', ''), `{${uuid}}`],
    ['date', '0001-01-01', '0000-01-01', '2026-02-29', '20260101'],
    ['time', '23:59:60Z', '10:00:00+0100', '10:00:00+01', '10:00:00', '10:00Z', '24:00:00Z'],
    ['time', '10:00:00.5-01:30', '01T10:00:00Z'],
    ['date-time', '2026-11-20T09:00:00+01:00', '2026-11-20T09:00:00+0100', '2026-11-20T09:00:00', '2026-11-20 09:00:00Z'],
    ['duration', 'P1DT2H', 'P', '1D', 'P1W1D', 'PT'],
    ['email', 'a.b+c@example.pt', 'a@b', 'A <a@example.pt>', 'a@ex_ample.pt', '.a@example.pt'],
    ['hostname', 'a-b.example', 'a_b.example', '-a.example', 'a..example', `${'a'.repeat(64)}.example`],
    ['ipv4', '192.0.2.1', '192.0.2.01', '192.0.2', '192.0.2.256', '192.0.2.1/24'],
    ['ipv6', '::ffff:192.0.2.1', 'fe80::1%eth0', '1::2::3', '[::1]', '::192.0.2.01'],
    ['uri', 'urn:isbn:9780141036144', 'example.com', '//example.com', 'https://exa mple.com', 'https://[::g]'],
  ] as const) // biome-ignore format: a table
    expect(
      [accepted, ...refused].filter((text) => ajv.validate({ type: 'string', format }, text)),
      format,
    ).to.deep.equal([accepted]);
});

it('an item of a list is named by its number from 1, a field by its name', () => {
  const at = ['12', 'x1', '1x', '0'];
  expect(filledError(['x', { text: 'must be text' }, at])).to.equal('item 13 x1 1x item 1 must be text');
});
