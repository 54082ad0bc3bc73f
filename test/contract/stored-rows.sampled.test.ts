import { Ajv } from 'ajv';
import { expect } from 'chai';
import fc from 'fast-check';
import { type JsonObject, objectAt } from '../../scripts/generate/document.ts';
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

const details = fc.oneof(lists(2), objects(2));
const some = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });

/** The schema with some of its keywords changed, at any depth. The field itself stays a list or an object, or becomes the other one. */
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
    ...(isField ? [details] : [inside(1), fc.constant({ ...schema, nullable: schema.nullable !== true })]),
  ];
  return fc.oneof(...own);
}

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

describe('the stored values that an edited field no longer accepts', () => {
  const contact: Schema = { type: 'string', enum: ['system', 'email', null] };
  const rule = { 'x-required-when': { contact: 'system' } };
  const text: Schema = { type: 'string', maxLength: 3 };
  const number: Schema = { type: 'number', minimum: -99, maximum: 99, 'x-decimals': 2 };
  const integer: Schema = { type: 'integer', minimum: -99, maximum: 99 };
  const fieldsOf = (details: Schema | undefined, table = 'order'): JsonObject => {
    const contract = contractWith(details ?? {});
    const input = objectAt(contract, 'components', 'schemas', 'JobInput');
    input['x-stored'] = table;
    const { details: field = null } = objectAt(input, 'properties');
    const set = JSON.parse(JSON.stringify({ contact: { nullable: true, ...contact } }));
    input.properties = details ? { ...set, details: field } : set;
    if (details?.nullable === false) input.required = ['details'];
    return contract;
  };
  /** The rows are a value of the column before the migration, and `contact`. The numbers are those of the rows that the query finds. */
  const cases: Readonly<
    Record<string, readonly [was: Schema | undefined, now: Schema, column: string, rows: string, ...number[][]]>
  > = {
    'a new one that another field requires': [
      ...([undefined, { ...text, ...rule }, 'text'] as const),
      "(0, NULL, 'system'), (1, NULL, 'email'), (2, NULL, NULL)",
      [0],
    ],
    'a new one that is required': [undefined, { ...text, nullable: false }, 'text', "(0, NULL, 'system')", [0]],
    'a new one with limits': [undefined, text, 'text', "(0, NULL, 'system')"],
    'one of another column, which is empty': [
      ...([text, { ...integer, ...rule }, 'integer'] as const),
      "(0, NULL, 'system'), (1, NULL, 'email')",
      [0],
    ],
    'a list for an object': [
      { type: 'object', additionalProperties: false, properties: { a: { type: 'boolean' } } },
      { type: 'array', maxItems: 3, items: { type: 'boolean' } },
      'jsonb',
      `(0, '{"a": true}', NULL), (1, '{}', NULL), (2, NULL, NULL)`,
      [0, 1],
    ],
    'a required list for an object': [
      { type: 'object', additionalProperties: false, properties: { a: { type: 'boolean' } } },
      { type: 'array', nullable: false, maxItems: 3, items: { type: 'boolean' } },
      'jsonb',
      `(0, '{}', NULL), (1, NULL, NULL)`,
      ...[[0], [1]],
    ],
    'an integer for a number': [
      number,
      { ...integer, maximum: 9 },
      'numeric',
      '(0, 1.5, NULL), (1, 12, NULL)',
      [0],
      [1],
    ],
    'a number for an integer': [integer, { ...number, maximum: 9 }, 'integer', '(0, 8, NULL), (1, 12, NULL)', [1]],
    'a text for an integer': [integer, text, 'integer', '(0, 12345, NULL), (1, 12, NULL)', [0]],
    'a choice for a date': [
      { type: 'string', format: 'date' },
      { type: 'string', enum: ['2030-01-31', null] },
      'date',
      "(0, '2030-01-30', NULL), (1, '2030-01-31', NULL)",
      [0],
    ],
    'a text for a list': [
      { type: 'array', maxItems: 3, items: { type: 'boolean' } },
      text,
      'jsonb',
      `(0, '[true]', NULL), (1, '[]', NULL), (2, NULL, NULL)`,
      [0],
    ],
  };
  for (const [name, [was, now, column, rows, ...found]] of Object.entries(cases))
    it(`are those that its SQL finds: ${name}`, async () => {
      const said = rowsThatBreak(fieldsOf(was), fieldsOf(now));
      const values = rows.replaceAll(/\((\d+), (NULL|'[^']*'|[\d.]+), /g, `(1, 'sandbox', $1, $2::${column}, `);
      const answers = said.map((line) =>
        db().$queryRawUnsafe<{ id: number }[]>(
          `WITH "order" (company_id, environment, id, details, contact) AS (VALUES ${values}) ${line.slice(line.indexOf('SELECT'))}`,
        ),
      );
      const ids = (await Promise.all(answers)).map((answer) => answer.map(({ id }) => Number(id)));
      expect(ids.toSorted(), said.join('\n')).to.deep.equal(found);
    });

  it('a new table has no rows', () => {
    expect(rowsThatBreak(fieldsOf(undefined, 'places'), fieldsOf({ ...text, ...rule }))).to.deep.equal([]);
  });
});
