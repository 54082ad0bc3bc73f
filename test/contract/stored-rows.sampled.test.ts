import { Ajv } from 'ajv';
import { expect } from 'chai';
import fc from 'fast-check';
import type { JsonObject } from '../../scripts/generate/document.ts';
import { rowsThatBreak } from '../../scripts/generate/stored-rows.ts';
import { withFormats } from '../../src/contract/formats.ts';
import { draws } from '../helper/draws.ts';
import { db } from '../helper/fixtures.ts';
import { inside, lists, objects, type Schema, valid } from './arbitrary-edit.ts';

const ajv = withFormats(new Ajv({ strict: false, multipleOfPrecision: 9, validateSchema: false }));

/** A contract whose only field is `details`. */
const contractWith = (schema: Schema): JsonObject => ({
  components: {
    schemas: {
      JobInput: {
        ...{ 'x-stored': 'jobs', type: 'object', additionalProperties: false },
        properties: { details: JSON.parse(JSON.stringify({ nullable: true, ...schema })) },
      },
    },
  },
});

const some = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });

/** The schema with some of its keywords changed, at any depth. The field itself stays a list or an object. */
function changed(schema: Schema, isField = true): fc.Arbitrary<Schema> {
  const { type, enum: values, items, properties = {}, required = [] } = schema;
  const either = (key: string, drawn: Schema) =>
    fc.constantFrom<Schema>(schema, { ...schema, [key]: Number(schema[key] ?? 0) + 1 }, { ...schema, ...drawn });
  const number = (key: string) => Number(schema[key]);
  const own: readonly fc.Arbitrary<Schema>[] = [
    ...(values ? [some(values).map((left): Schema => ({ ...schema, enum: left }))] : []),
    ...(type === 'string' && schema.minLength !== undefined
      ? [
          either('minLength', { maxLength: number('maxLength') + 2 }),
          either('maxLength', { minLength: number('maxLength') }),
        ]
      : []),
    ...(type === 'integer' ? [either('minimum', { maximum: 0 }), fc.constant({ ...schema, type: 'number' })] : []),
    ...(type === 'array'
      ? [
          either('maxItems', { uniqueItems: true }),
          either('minItems', { maxItems: 1 }),
          changed(items ?? {}, false).map((inner): Schema => ({ ...schema, items: inner })),
        ]
      : []),
    ...(type === 'object'
      ? [
          either('minProperties', {}),
          some(Object.keys(properties)).map((names): Schema => ({ ...schema, required: names })),
          some(Object.keys(properties)).map(
            (names): Schema => ({
              ...schema,
              properties: Object.fromEntries(names.map((name) => [name, properties[name] ?? {}])),
              required: required.filter((name) => names.includes(name)),
            }),
          ),
          fc
            .constantFrom(...Object.keys(properties))
            .chain((name) =>
              changed(properties[name] ?? {}, false).map(
                (inner): Schema => ({ ...schema, properties: { ...properties, [name]: inner } }),
              ),
            ),
        ]
      : []),
    ...(isField ? [] : [inside(1), fc.constant({ ...schema, nullable: true })]),
  ];
  return fc.oneof(...own);
}

const details = fc.oneof(lists(2), objects(2));
/** A field before and after an edit, and values from before. */
const edits = details.chain((was) =>
  fc.record({
    was: fc.constant(was),
    now: changed(was).chain((one) => fc.oneof(fc.constant(one), changed(one))),
    values: fc.array(valid(was), { minLength: 9, maxLength: 9 }),
  }),
);

/** The numbers of the values that a query finds, as if they were those of the jobs. */
async function foundBy(sql: string, values: readonly unknown[]): Promise<number[]> {
  const rows = values.map(
    (value, id) => `(1, 'sandbox', ${id}, '${JSON.stringify(value).replaceAll("'", "''")}'::jsonb)`,
  );
  const jobs = `WITH jobs (company_id, environment, id, details) AS (VALUES ${rows.join(', ')}, (1, 'sandbox', -1, NULL))`;
  return (await db().$queryRawUnsafe<{ id: number }[]>(`${jobs} ${sql}`)).map(({ id }) => Number(id));
}

describe('the stored values that an edited list or object no longer accepts', () => {
  it('are those that its SQL finds, at any depth', async () => {
    let lines = 0;
    await fc.assert(
      fc.asyncProperty(edits, async ({ was, now, values }) => {
        const said = rowsThatBreak(contractWith(was), contractWith(now));
        const asked = said.filter((line) => line.includes('SELECT'));
        lines += asked.length;
        const found = await Promise.all(asked.map((line) => foundBy(line.slice(line.indexOf('SELECT')), values)));
        const fits = ajv.compile(now);
        const broken = values.flatMap((value, id) => (fits(value) ? [] : [id]));
        const where = `${JSON.stringify([was, now, values])}\n${said.join('\n')}`;
        if (asked.length === said.length) expect([...new Set(found.flat())].sort(), where).to.deep.equal(broken);
        else expect(broken, where).to.include.members(found.flat());
      }),
      { numRuns: draws(30, 300) },
    );
    expect(lines).to.be.above(0);
  });
});
