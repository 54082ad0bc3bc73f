import fc from 'fast-check';
import { typedFormats } from '../../scripts/generate/keywords.ts';
import { addDays, dayIn } from '../../src/domain/dates.ts';

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
  /** Whether JobInput requires it. */
  readonly isRequired?: boolean;
}

export type Values = Readonly<Record<string, unknown>>;

/** Fields that are edited together, since a rule may connect them. */
export interface Edit {
  readonly fields: readonly FieldEdit[];
  /** Values that the fields may have together. */
  readonly values: fc.Arbitrary<Values>;
  /** Changes that are refused, each with the fields of which the refusal names one: the one that differs from what is stored. */
  readonly refused: readonly (readonly [fields: readonly string[], change: Values])[];
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
  '^[A-ZÀ-ÖØ-Þ]': ['Ática', 'Z'],
  '^\\\\p?': ['\\', '\\p'],
};
/** An edited project's service has the machine's clock, and may reach midnight. */
const today = dayIn('Europe/Lisbon', new Date());

const days = ['2030-01-31', '0001-01-01', '9999-12-31', '2024-02-29'];

const ordered = (min: number, max: number) =>
  fc
    .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

const texts: fc.Arbitrary<Schema> = fc.oneof(
  ordered(0, 60).map(([minLength, maxLength]) => ({ type: 'string', minLength, maxLength: maxLength + 1 })),
  fc.constantFrom(...Object.keys(formats)).map((format) => ({
    ...{ type: 'string', format },
    ...(typedFormats.has(format) ? {} : { maxLength: 100 }),
  })),
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

export const inside: fc.Memo<Schema> = fc.memo((depth) =>
  depth <= 1
    ? fc.oneof(texts, enums, integers, flags)
    : fc.oneof(texts, enums, integers, flags, lists(depth - 1), objects(depth - 1)),
);
export const lists: fc.Memo<Schema> = fc.memo((depth) =>
  fc
    .tuple(inside(depth), fc.integer({ min: 1, max: 4 }), fc.boolean())
    .map(([items, maxItems, uniqueItems]) => ({ type: 'array', maxItems, ...(uniqueItems && { uniqueItems }), items })),
);
export const objects: fc.Memo<Schema> = fc.memo((depth) =>
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

/** Texts with a rule that only a field of a job has: what it allows, and what only this rule refuses. */
const ruled: readonly {
  readonly schema: Schema;
  readonly fits: readonly unknown[];
  readonly breaks: readonly unknown[];
}[] = [
  {
    schema: { type: 'string', maxLength: 200, 'x-html': true, 'x-max-bytes': 201 },
    fits: ['<p>Obra <strong>nova</strong>, ção</p>', '<ul><li>a</li><li>b</li></ul>', "Só texto `$1` it's"],
    breaks: ['<img src="x">', '<p> </p>', 'é'.repeat(101)],
  },
  {
    schema: { type: 'string', maxLength: 30, pattern: '\\S', 'x-visible': true },
    fits: ['a', ' Á\u200b', '*/'],
    breaks: ['\u200b', ' \u2800 '],
  },
  {
    schema: { type: 'string', maxLength: 30, pattern: '^[^\\d\\s]', 'x-visible': true },
    fits: ['a', 'Á 7'],
    breaks: ['7a', ' a', '\u200b'],
  },
  {
    schema: {
      ...{ type: 'string', maxLength: 99, format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]://', 'x-https': true },
    },
    fits: ['https://example.com/a?b=%20#c', 'HTTPS://example.com'],
    breaks: ['http://example.com', 'https://', 'https://a:b@example.com/'],
  },
  {
    schema: { type: 'string', format: 'date', 'x-future': true },
    fits: [addDays(today, 2), '9999-12-31'],
    breaks: [today, '0001-01-01'],
  },
  {
    schema: { type: 'string', maxLength: 20, 'x-max-bytes': 21 },
    fits: ['x'.repeat(20), 'é'.repeat(10)],
    breaks: ['é'.repeat(11)],
  },
];
const withRule = fc.constantFrom(...ruled).map(({ schema }) => schema);
const ruleOf = (schema: Schema) =>
  ruled.find((one) => Object.entries(one.schema).every(([key, value]) => schema[key] === value));

const ordinary = fc.oneof(texts, enums, integers, decimals, dates, lists(2), objects(2));
const kinds = fc.oneof({ weight: 5, arbitrary: ordinary }, { weight: 2, arbitrary: withRule });
/** An optional text is never empty. Where `isBased`, in a component, that is not written in its place. */
const withNull = (schema: Schema, isBased = false): Schema => ({
  ...schema,
  nullable: true,
  ...(schema.minLength === 0 && { minLength: 1 }),
  ...(isBased && isPlainText(schema) && { minLength: schema.minLength || 1 }),
  ...(schema.enum && { enum: [...schema.enum, null] }),
});

const isPlainText = ({ type, format, pattern, enum: values }: Schema): boolean =>
  type === 'string' && (format ?? pattern ?? values) === undefined;

/** A field that every layer must follow. */
const acceptedField = (name: string): fc.Arbitrary<FieldEdit> =>
  fc
    .tuple(
      fc.oneof({ weight: 8, arbitrary: kinds }, flags),
      fc.tuple(notes, fc.option(prose)).map(([said, label]) => ({ ...said, ...(label && { 'x-label': label }) })),
      fc.constantFrom('plain', 'plain', 'ref', 'allOf'),
      fc.integer({ min: 1, max: 6 }),
    )
    .map(([drawn, said, how, chance]) => {
      const { type } = drawn;
      if (type === 'boolean') return plain(name, { ...drawn, 'x-default': true, ...said });
      const isRequired = chance === 1;
      const meant: Schema = isRequired
        ? { ...drawn, 'x-returned-nullable': true, ...said }
        : { ...withNull(drawn, how !== 'plain'), ...said };
      if (how === 'plain') return { ...plain(name, meant), isRequired };
      const $ref = `#/components/schemas/Of${name}`;
      if (how === 'ref' || isRequired) return { name, schema: { $ref }, meant, component: meant, isRequired };
      return { name, schema: { allOf: [{ $ref }], ...said }, meant, component: { ...meant, description: 'Another.' } };
    });

const plain = (name: string, schema: Schema): FieldEdit => ({ name, schema, meant: schema });

/** Whether a value is an empty text for a field that is null instead. */
const isEmpty = ({ nullable }: Schema, value: unknown): boolean => nullable === true && value === '';
const validField = (schema: Schema) => valid(schema).filter((value) => !isEmpty(schema, value));

/** An edit of one field. */
export function single(field: FieldEdit): Edit {
  const { name, meant } = field;
  const wrong = [...invalid(meant), ...(isEmpty(meant, '') ? [''] : [])];
  return {
    fields: [field],
    values: validField(meant).map((value) => ({ [name]: value })),
    refused: wrong.map((value) => [[name], { [name]: value }]),
  };
}

/** Two fields of which the second is at least as much as the first. */
const atLeast = (low: string, high: string): fc.Arbitrary<Edit> =>
  fc.tuple(fc.oneof(integers, decimals, dates), notes).map(([drawn, said]) => {
    const meant = { ...withNull(drawn), ...said };
    const fields = [plain(low, meant), plain(high, { ...meant, 'x-at-least': low })];
    const isAbove = (one: unknown, other: unknown) =>
      one !== null && other !== null && (one as number) > (other as number);
    const [least, most] = drawn.format === 'date' ? [days[1], days[2]] : [drawn.minimum, drawn.maximum];
    return {
      fields,
      values: fc
        .tuple(valid(meant), valid(meant))
        .map(([one, other]) => (isAbove(one, other) ? { [low]: other, [high]: one } : { [low]: one, [high]: other })),
      refused: [
        ...fields.flatMap((field) => single(field).refused),
        ...(least === most ? [] : [[[low, high], { [low]: most, [high]: least }] as const]),
      ],
    };
  });

/** Two fields of which the second is required for a value of the first. */
const requiredWhen = (first: string, second: string): fc.Arbitrary<Edit> =>
  fc
    .tuple(fc.oneof(enums, flags), fc.oneof(integers, dates, lists(2), withRule), notes)
    .chain(([drawn, needed, said]) =>
      fc.constantFrom(...(drawn.enum ?? [true, false])).map((value) => {
        const isFlag = drawn.type === 'boolean';
        const chosen = plain(first, { ...(isFlag ? { ...drawn, 'x-default': false } : withNull(drawn)), ...said });
        const other = plain(second, { ...withNull(needed), ...said, 'x-required-when': { [first]: value } });
        return {
          fields: [chosen, other],
          values: fc
            .record({ [first]: validField(chosen.meant), [second]: validField(other.meant) })
            .filter((both) => both[first] !== value || both[second] !== null),
          refused: [
            ...[chosen, other].flatMap((field) => single(field).refused),
            [[second], { [first]: value, [second]: null }],
          ],
        };
      }),
    );

/** An edit that every layer must follow; it has one field, or both. */
export const acceptedEdit = (name: string, other: string): fc.Arbitrary<Edit> =>
  fc.oneof(
    { weight: 6, arbitrary: acceptedField(name).map(single) },
    { weight: 1, arbitrary: atLeast(name, other) },
    { weight: 1, arbitrary: requiredWhen(name, other) },
  );

/** A parameter of a query, which every layer must follow. */
export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly value: unknown;
}
const parameterSchemas = fc.oneof(
  ...[texts, enums, integers, flags, dates],
  ordered(-10, 10).map(([minimum, maximum]): Schema => ({ type: 'number', minimum, maximum })),
  fc
    .tuple(fc.oneof(enums, integers, flags), fc.integer({ min: 1, max: 4 }))
    .map(([items, maxItems]): Schema => ({ type: 'array', minItems: 1, maxItems, items })),
);
/** Texts in a query that the schema of a parameter refuses. */
export function wrongTexts({
  type,
  enum: values,
  format,
  pattern,
  minLength,
  maxLength,
  items,
  ...rest
}: Schema): string[] {
  const bounds = [`${Number(rest.maximum) + 1}`, `${Number(rest.minimum) - 1}`, 'x', ''];
  if (type === 'integer') return [...bounds, '0.5', '1e1'];
  if (type === 'number') return bounds;
  if (type === 'boolean') return ['yes', 'True', ''];
  if (type === 'array') return wrongTexts(items ?? {});
  return [
    ...(maxLength ? ['x'.repeat(Number(maxLength) + 1)] : []),
    ...(minLength ? [''] : []),
    ...(values || format || pattern ? ['no such'] : []),
    '\0',
  ];
}

/** One to four parameters. */
export const parameters: fc.Arbitrary<readonly Parameter[]> = fc
  .subarray(['class', 'from_day', 'kind', 'default', 'maxSize', 'q'], { minLength: 1, maxLength: 4 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc
          .tuple(parameterSchemas, fc.boolean())
          .chain(([schema, required]) => valid(schema).map((value) => ({ name, required, schema, value }))),
      ),
    ),
  );

/** The body of an operation, whose fields have the names of a job's but schemas of their own, and two values of it. */
export interface Body {
  readonly schema: Schema;
  readonly values: readonly [Values, Values];
  /** Each with the one field that a refusal names. */
  readonly refused: readonly (readonly [field: string, body: Values])[];
}
const jobNames = ['title', 'external_application_url', 'contact_email', 'contact_phone', 'district_id', 'valid_until'];
const bodySchemas = fc.oneof(
  texts,
  enums,
  integers,
  flags,
  dates,
  lists(2),
  objects(2),
  // Without bounds.
  fc.constantFrom<Schema>(
    { type: 'integer' },
    { type: 'integer', format: 'int64' },
    { type: 'integer', format: 'int32' },
  ),
  fc.constant<Schema>({ type: 'string', minLength: 1, maxLength: 99, format: 'uri', pattern: '^urn:' }),
);
export const bodies: fc.Arbitrary<Body> = fc
  .subarray(jobNames, { minLength: 2 })
  .chain((names) => fc.tuple(...names.map((name) => bodySchemas.map((schema) => [name, schema] as const))))
  .chain((fields) => {
    const properties = Object.fromEntries(fields);
    const schema = { type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
    return fc.tuple(valid(schema), valid(schema)).map(([one, other]): Body => {
      const values = one as Values;
      const refused = fields.flatMap(([name, inner]) =>
        invalid(inner).map((value) => [name, { ...values, [name]: value }] as const),
      );
      return { schema, values: [values, other as Values], refused };
    });
  });

/** An edit that some layer could not support. */
export const refusedEdit = (name: string): fc.Arbitrary<FieldEdit> =>
  fc
    .tuple(
      acceptedField(name),
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
        { type: 'string', maxLength: 9, 'x-future': true },
        { type: 'string', maxLength: 9, 'x-https': true },
        { type: 'string', maxLength: 9, 'x-visible': true },
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
  const rule = ruleOf(schema);
  if (rule) return fc.constantFrom(...rule.fits);
  if (schema.enum) return fc.constantFrom(...schema.enum.filter((value) => value !== null));
  if (type === 'boolean') return fc.boolean();
  if (format === 'date') return fc.constantFrom(...days);
  if (pattern === '^urn:') return fc.constant('urn:isbn:9780141036144');
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
    const [min, max] = [number('minimum', -(2 ** 31)), number('maximum', 2 ** 31 - 1)];
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
    const of = { minLength: number('minItems'), maxLength: number('maxItems') };
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
function invalid(schema: Schema): unknown[] {
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
      ...[1e300, ...(format === 'int32' ? [2 ** 31, -(2 ** 31) - 1] : [2 ** 53, -(2 ** 53)])],
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
      ...(schema.enum || format || (pattern && !schema['x-visible']) ? ['no such'] : []),
    ],
  };
  const all = [...(others[String(type)]?.() ?? []), ...(ruleOf(schema)?.breaks ?? [])].filter(
    (value) => !Number.isNaN(value),
  );
  return schema.nullable ? all : [...all, null];
}
