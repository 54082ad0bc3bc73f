import { Ajv } from 'ajv';
import { expect } from 'chai';
import { operationOf } from '../../src/contract/document.ts';
import { fieldErrorOf } from '../../src/contract/field-errors.ts';

it('a message about a value inside a field says where; for an unknown name it lists the known ones', () => {
  const level = { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false };
  const place = { type: 'object', properties: { city: {}, street: {} }, additionalProperties: false };
  const fields = { place, levels: { type: 'array', items: level } };
  const requestBody = { type: 'object', properties: fields };
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: false });
  const validate = ajv.compile({ type: 'object', properties: { requestBody } });
  validate({ requestBody: { place: { town: 'Porto' }, levels: [{ name: 'a' }, { name: 7, title: 'b' }] } });
  const operation = operationOf('createJob');
  expect(validate.errors?.map((error) => fieldErrorOf(error, operation, (name) => name))).to.deep.equal([
    ['place', 'town is not a known field; known are city, street'],
    ['levels', 'item 2 title is not a known field; known are name'],
    ['levels', 'item 2 name must be of type string, not number'],
  ]);
});
