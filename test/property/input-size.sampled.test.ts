import { expect } from 'chai';
import fc from 'fast-check';
import type * as z from 'zod';
import { operations } from '../../src/contract/document.ts';
import type { PlainRequest } from '../../src/contract/types.ts';
import { contractErrors } from '../../src/contract/validate.ts';
import type { ApiError } from '../../src/domain/errors.ts';
import { type Fields, type Shape, suppliedFieldErrors } from '../../src/domain/field-rules.ts';
import { declarations } from '../../src/operations/declarations.ts';
import { jobRules } from '../../src/operations/jobs/job.ts';
import { checkInput } from '../../src/operations/kit/fields.ts';
import { draws } from '../helper/draws.ts';
import { saidOf } from '../helper/expect-refused.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const bytes = 131_072;
/** More than one wrong value of each kind for each field, and for each item of each list. */
const errorsMax = 300;

type Places = readonly (readonly string[])[];
const placesIn = ({ properties = {} }: Shape): Places => [
  [],
  ...Object.entries(properties).flatMap(([name, shape]) => placesIn(shape).map((place) => [name, ...place])),
];

/** A value with another one at a place inside it. */
function withAt(value: unknown, [name, ...rest]: readonly string[], inner: unknown): unknown {
  if (name === undefined) return inner;
  if (name === '0') return [withAt(undefined, rest, inner)];
  const object = (value ?? {}) as Record<string, unknown>;
  return { ...object, [name]: withAt(object[name], rest, inner) };
}

const items = [7, null, true, '', {}, [], 'a\0', '\ud800', 'x'.repeat(501), [[7]], { a: 1 }];
const names = ['k', 'title', '__proto__', 'vaga_test_', 'salary.min', 'a/b', 'á'.repeat(60)];
const nest: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
/** Ways to fill 128 KiB: wrong items, unknown names (alone or beside known ones), one long text, or deep nesting. */
const fillers: Readonly<Record<string, (item: unknown, name: string) => unknown>> = {
  items: (item) => Array(Math.floor(bytes / (JSON.stringify(item).length + 1))).fill(item),
  names: (item, name) => unknownNames(item, name),
  mixed: (item, name) => ({ ...minimalJob, education_details: Array(50).fill(item), ...unknownNames(item, name) }),
  text: (item) =>
    String(item || 'x')
      .repeat(bytes)
      .slice(0, bytes),
  nest: () => nest,
};

function unknownNames(item: unknown, name: string): object {
  const count = Math.floor(bytes / (Buffer.byteLength(name) + JSON.stringify(item).length + 9));
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, item]));
}

const filler = fc.tuple(fc.constantFrom(...Object.keys(fillers)), fc.constantFrom(...items), fc.constantFrom(...names));
type Filler = readonly [kind: string, item: unknown, name: string];
const filled = ([kind, item, name]: Filler): unknown => fillers[kind]?.(item, name);

describe('an input of 128 KiB that is wrong in one place', () => {
  for (const { operationId, shape, hasBody } of operations.values())
    it(`${operationId}: gets a bounded number of errors, wherever the input is wrong`, () => {
      const place = fc.constantFrom(...placesIn(shape).filter(([part]) => part && (hasBody || part === 'query')));
      fc.assert(
        fc.property(place, filler, ([part = '', ...rest], wrong) => {
          const inner = withAt(part === 'query' ? {} : minimalJob, rest, filled(wrong));
          const request: PlainRequest = {
            ...{ operationId, path: { id: 1 }, header: { 'Idempotency-Key': 'k' } },
            ...(part === 'query'
              ? { query: inner as PlainRequest['query'], body: minimalJob }
              : { query: {}, body: inner }),
          };
          const errors = contractErrors(request);
          expect(errors.length, JSON.stringify(errors.slice(0, 3))).to.be.below(errorsMax);
          // Like dispatch: the rules see only input that the contract allows.
          const refused = new Set(errors.map(([field]) => field));
          const left = Object.entries(hasBody ? Object(request.body) : {}).filter(([field]) => !refused.has(field));
          const ofRules = suppliedFieldErrors(jobRules, Object.fromEntries(left) as Fields, '2026-01-01');
          expect(ofRules.length).to.be.below(errorsMax);
        }),
        { numRuns: draws(20, 100) },
      );
    });

  it('a text beyond its maximum, in body, query or header, gets that one message', () => {
    const textsIn = ({ properties = {}, items, maxLength }: Shape, at: Places[number] = []): Places => [
      ...(maxLength === undefined ? [] : [at]),
      // In a list, the first item.
      ...(items ? textsIn(items, [...at, '0']) : []),
      ...Object.entries(properties).flatMap(([name, shape]) => textsIn(shape, [...at, name])),
    ];
    for (const { operationId, shape } of operations.values())
      for (const [part = '', ...rest] of textsIn(shape))
        for (const piece of ['a@', 'é', ' ,', 'null', '\0', '\ud800']) {
          const text = piece.repeat(bytes / piece.length);
          const [field, ...steps] = rest;
          const right = { query: {}, header: { 'idempotency-key': 'k' }, requestBody: minimalJob };
          const wrong = withAt(right, [part, ...rest], text) as typeof right;
          const { query, header, requestBody: body } = wrong;
          const errors = contractErrors({ operationId, path: { id: 1 }, query, header, body });
          const own = saidOf(errors).filter(([name]) => name.toLowerCase() === field);
          const about = steps.map((step) => (step === '0' ? 'item 1 ' : `${step} `)).join('');
          // The parts of the place that are not there may be required.
          const there = own.filter(([, message]) => message.startsWith(about));
          const said = there.map(([, message]) => message.replace(/at most \d+/, 'at most N'));
          expect(said, field).to.deep.equal([`${about}must have at most N characters, not ${[...text].length}`]);
        }
  });

  it('people’s input: a text beyond its maximum gets that one message', () => {
    for (const { input } of declarations)
      for (const [field, schema] of Object.entries(input.shape))
        for (const piece of ['a@', 'é', ' ,', '\n', '\u200b'])
          for (const end of ['', 'x']) {
            const { error } = (schema as z.ZodType).safeParse(`x${piece.repeat(bytes / piece.length)}${end}`);
            const issues = error?.issues ?? [];
            const codes = issues.map(({ code }) => code);
            if (codes.includes('too_big') && !codes.includes('invalid_type')) expect(codes, field).to.have.length(1);
          }
  });

  it('people’s input: every declared list has a maximum, which is checked before its items', () => {
    for (const { input } of declarations)
      for (const field of Object.keys(input.shape))
        fc.assert(
          fc.property(filler, (wrong) => {
            try {
              checkInput(input, { [field]: filled(wrong) });
            } catch (error) {
              const { faults = [] } = error as Partial<ApiError>;
              expect(new Set(faults.map(([name]) => name)).size).to.be.within(1, Object.keys(input.shape).length);
            }
          }),
          { numRuns: draws(1, 5) },
        );
  });
});
