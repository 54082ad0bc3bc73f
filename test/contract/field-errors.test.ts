import { Ajv } from 'ajv';
import { expect } from 'chai';
import { operationOf } from '../../src/contract/document.ts';
import { fieldErrorOf } from '../../src/contract/field-errors.ts';
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
  };
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: false });
  const validate = ajv.compile({ type: 'object', properties: { requestBody: { type: 'object', properties: fields } } });
  const value = { few: [1], some: [], unique: [1, 2, 1], step: 7, code: 'a', either: true, more: { a: 1, b: 1 } };
  validate({ requestBody: value });
  const errors = (validate.errors ?? []).map((error) => fieldErrorOf(error, operationOf('createJob')));
  expect(saidOf(errors)).to.have.deep.members([
    ['few', 'must have at least 2 items'],
    ['some', 'must have at least 1 item'],
    ['unique', 'must have each item once: items 1 and 3 are the same'],
    ['step', 'must be a multiple of 5'],
    ['code', 'must have at least 2 characters'],
    ['code', 'must match ^[A-Z]+$'],
    ['either', 'must be of type string or number, not boolean'],
    ['more', 'must NOT have more than 1 properties'],
  ]);
});

it('an item of a list is named by its number from 1, a field by its name', () => {
  const at = ['12', 'x1', '1x', '0'];
  expect(filledError(['x', { text: 'must be text' }, at])).to.equal('item 13 x1 1x item 1 must be text');
});
