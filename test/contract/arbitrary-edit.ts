import fc from 'fast-check';

export type Schema = Readonly<Record<string, unknown>> & {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};

/** A line at the end of JobInput's properties, and a component that it refers to. */
export interface FieldEdit {
  readonly name: string;
  readonly schema: Schema;
  /** The same without `$ref`s. */
  readonly meant: Schema;
  readonly component?: Schema;
}

/** Words that YAML, TypeScript, JSON, SQL, HTML or a string replacement could misread. */
const prose = fc
  .array(
    fc.constantFrom(
      'The "field"',
      "it's",
      '*/',
      '`code`',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: meant
      '${x}',
      '{{y}}',
      '\\d',
      '# no',
      ': yes',
      'ção',
      '<b>',
      '$&',
      '%s',
      '/* x',
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((words) => words.join(' '));

const notes = fc
  .record({ description: prose })
  .chain((described) =>
    fc
      .record(
        { title: prose, deprecated: fc.boolean(), externalDocs: fc.constant({ url: 'https://example.com' }) },
        { requiredKeys: [] },
      )
      .map((more) => ({ ...more, ...described })),
  );

const formats: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2026-11-20T09:00:00Z', '2026-11-20T09:00:00.123+01:00'],
  email: ['a.b+c@sub.example.pt'],
  uri: ['https://example.com/a?b=1#c', 'urn:isbn:9780141036144', 'mailto:a@example.com'],
  uuid: ['7d2f6c1e-90b4-4c52-8f0e-2f6a1b6f3c11'],
  hostname: ['example.com'],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1'],
  time: ['10:00:00Z'],
  duration: ['P3D'],
};
const patterns: Readonly<Record<string, readonly string[]>> = {
  '^[A-Z]{2}-\\d+$': ['PT-1', 'ES-20'],
  '^(`|\\$|\\*/)+$': ['`', '$*/`'],
  '^\\p{Lu}': ['Ática', 'Z'],
};
const days = ['2030-01-31', '0001-01-01', '9999-12-31', '2024-02-29'];

const ordered = (min: number, max: number) =>
  fc
    .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

const texts: fc.Arbitrary<Schema> = fc.oneof(
  ordered(0, 60).map(([minLength, maxLength]) => ({ type: 'string', minLength, maxLength: maxLength + 1 })),
  fc.constantFrom(...Object.keys(formats)).map((format) => ({ type: 'string', format, maxLength: 100 })),
  fc.constantFrom(...Object.keys(patterns)).map((pattern) => ({ type: 'string', pattern, maxLength: 100 })),
);
const enums: fc.Arbitrary<Schema> = fc
  .uniqueArray(
    fc.constantFrom(
      'a',
      'B',
      '`x`',
      '"q"',
      "it's",
      'null',
      'true',
      '1',
      'on: site',
      'c #1',
      '$&',
      'full_time',
      '*/',
      'é',
    ),
    { minLength: 1 },
  )
  .map((values) => ({ type: 'string', enum: values }));
const integers: fc.Arbitrary<Schema> = fc.oneof(
  ordered(-1000, 1000).map(([minimum, maximum]) => ({ type: 'integer', minimum, maximum })),
  ordered(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).map(([minimum, maximum]) => ({
    type: 'integer',
    format: 'int64',
    minimum,
    maximum,
  })),
  ordered(-50, 50).map(([from, to]) => ({ type: 'integer', minimum: from * 7, maximum: to * 7, multipleOf: 7 })),
);
const decimals: fc.Arbitrary<Schema> = fc
  .tuple(ordered(-1_000_000, 1_000_000), fc.integer({ min: 0, max: 6 }))
  .map(([[minimum, maximum], places]) => ({ type: 'number', minimum, maximum, 'x-decimals': places }));
const flags = fc.constant<Schema>({ type: 'boolean' });
const dates = fc.constant<Schema>({ type: 'string', format: 'date' });

const inside: fc.Memo<Schema> = fc.memo((depth) =>
  depth <= 1
    ? fc.oneof(texts, enums, integers, flags)
    : fc.oneof(texts, enums, integers, flags, lists(depth - 1), objects(depth - 1)),
);
const lists: fc.Memo<Schema> = fc.memo((depth) =>
  fc
    .tuple(inside(depth), fc.integer({ min: 1, max: 4 }), fc.boolean())
    .map(([items, maxItems, uniqueItems]) => ({ type: 'array', maxItems, ...(uniqueItems && { uniqueItems }), items })),
);
const objects: fc.Memo<Schema> = fc.memo((depth) =>
  fc
    .dictionary(fc.constantFrom('city', 'zip', 'level', 'is-new', 'b', 'aa'), inside(depth), { minKeys: 1, maxKeys: 4 })
    .chain((properties) => fc.subarray(Object.keys(properties)).map((required) => ({ properties, required })))
    .map(({ properties, required }) => ({
      type: 'object',
      additionalProperties: false,
      properties: { ...properties },
      ...(required.length > 0 && { required }),
    })),
);

const kinds = fc.oneof(texts, enums, integers, decimals, dates, lists(2), objects(2));
const withNull = (schema: Schema): Schema => ({
  ...schema,
  nullable: true,
  ...(schema.enum && { enum: [...schema.enum, null] }),
});

/** An edit that every layer must follow. */
export const acceptedEdit = (name: string): fc.Arbitrary<FieldEdit> =>
  fc
    .tuple(fc.oneof({ weight: 8, arbitrary: kinds }, flags), notes, fc.constantFrom('plain', 'plain', 'ref', 'allOf'))
    .map(([drawn, said, how]) => {
      const { type } = drawn;
      const meant: Schema =
        type === 'boolean' ? { ...drawn, 'x-default': true, ...said } : { ...withNull(drawn), ...said };
      if (how === 'plain' || type === 'boolean') return { name, schema: meant, meant };
      const component = { ...drawn, ...said };
      const $ref = `#/components/schemas/Of${name}`;
      if (how === 'allOf') return { name, schema: { nullable: true, allOf: [{ $ref }], ...said }, meant, component };
      return { name, schema: { $ref }, meant, component: meant };
    });

/** An edit that some layer could not support. */
export const refusedEdit = (name: string): fc.Arbitrary<FieldEdit> =>
  fc
    .tuple(
      acceptedEdit(name),
      fc.constantFrom<Readonly<Record<string, unknown>>>(
        { minlength: 1 },
        { 'x-colour': 'red' },
        { writeOnly: true },
        { oneOf: [] },
        { default: null },
        { type: 'text' },
        { type: 'string', maxLength: -1 },
        { type: 'string', maxLength: 9, pattern: '(' },
        { type: 'string', maxLength: 9, format: 'no-such' },
        { type: 'integer', minimum: 2, maximum: 1 },
        { type: 'integer', minimum: 0, maximum: 2 ** 53 },
        { type: 'string' },
        { type: 'number', minimum: 0, maximum: 1 },
        { type: 'array', items: { type: 'string' }, maxItems: 2 },
        { type: 'object', properties: {} },
        { deprecated: 'yes' },
        { 'x-at-least': 'nothing' },
        { 'x-required-when': { nothing: 1 } },
        { 'x-references': 'districts' },
      ),
    )
    .map(([{ meant, name: named }, wrong]) => {
      const { description } = meant;
      const schema: Schema = 'type' in wrong ? { nullable: true, description, ...wrong } : { ...meant, ...wrong };
      return { name: named, schema, meant: schema };
    });

const lengthOf = (text: string): number => [...text].length;

/** Values that the schema allows. */
export function valid(schema: Schema): fc.Arbitrary<unknown> {
  const bare = validOf(schema);
  return schema.nullable ? fc.option(bare, { nil: null }) : bare;
}

function validOf(schema: Schema): fc.Arbitrary<unknown> {
  const { type, format = '', pattern = '', properties = {}, required = [], items = {} } = schema;
  const number = (key: string, otherwise = 0) => Number(schema[key] ?? otherwise);
  if (schema.enum) return fc.constantFrom(...schema.enum.filter((value) => value !== null));
  if (type === 'boolean') return fc.boolean();
  if (format === 'date') return fc.constantFrom(...days);
  if (String(format) in formats) return fc.constantFrom(...(formats[String(format)] ?? []));
  if (String(pattern) in patterns) return fc.constantFrom(...(patterns[String(pattern)] ?? []));
  if (type === 'string') {
    const [minLength, maxLength] = [number('minLength'), number('maxLength')];
    return fc
      .string({ unit: 'binary', minLength, maxLength })
      .filter(
        (text) =>
          lengthOf(text) >= minLength && lengthOf(text) <= maxLength && text.isWellFormed() && !text.includes('\0'),
      );
  }
  if (type === 'integer' || type === 'number') {
    const step = type === 'integer' ? number('multipleOf', 1) : 1 / 10 ** number('x-decimals');
    const [min, max] = [number('minimum'), number('maximum')];
    return fc
      .oneof(fc.constantFrom(min, max), fc.integer({ min: Math.ceil(min), max: Math.floor(max) }))
      .map((value) =>
        step < 1
          ? Math.min(max, Number((value + step).toFixed(number('x-decimals'))))
          : Math.trunc(value / step) * step,
      )
      .map((value) => (Object.is(value, -0) ? 0 : value));
  }
  if (type === 'array') {
    const of = { maxLength: number('maxItems') };
    return schema.uniqueItems
      ? fc.uniqueArray(valid(items), { ...of, selector: (item) => canonical(item) })
      : fc.array(valid(items), of);
  }
  const arbitraries = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, valid(inner)]));
  return fc.record(arbitraries, { requiredKeys: [...required] }).map((made) => ({ ...made }));
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/** Values that the schema refuses. */
export function invalid(schema: Schema): unknown[] {
  const { type, format, pattern, properties = {}, required = [], items = {} } = schema;
  const number = (key: string) => Number(schema[key]);
  const others: Readonly<Record<string, () => unknown[]>> = {
    boolean: () => ['true', 1],
    integer: () => [
      '1',
      0.5,
      number('maximum') + 1,
      number('minimum') - 1,
      ...(schema.multipleOf ? [number('minimum') + 1] : []),
    ],
    number: () => [
      '1',
      number('maximum') + 1,
      number('minimum') - 1,
      ...(number('minimum') < number('maximum') ? [number('minimum') + 0.12345678] : []),
    ],
    array: () => [{}, 'x', Array(number('maxItems') + 1).fill(null), ...invalid(items).map((item) => [item])],
    object: () => [
      [],
      'x',
      { unknown: 1 },
      ...(required.length > 0 ? [{}] : []),
      ...Object.entries(properties).flatMap(([name, inner]) => invalid(inner).map((value) => ({ [name]: value }))),
    ],
    string: () => [
      7,
      '\0',
      '\ud800',
      ...(schema.maxLength ? ['x'.repeat(number('maxLength') + 1)] : []),
      ...(schema.minLength ? [''] : []),
      ...(schema.enum || format || pattern ? ['no such'] : []),
    ],
  };
  // A number next to the end of the safe integers is rounded to that end.
  const all = (others[String(type)]?.() ?? []).filter(
    (value) => typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isInteger(value),
  );
  return schema.nullable ? all : [...all, null];
}
