import fc from 'fast-check';
import { storedFields } from '../../generated/stored-fields.ts';
import { document } from '../../src/contract/document.ts';
import type { Schemas } from '../../src/contract/types.ts';
import { hasVisibleCharacter } from '../../src/domain/field-rules.ts';
import { jobRules } from '../../src/operations/jobs/job.ts';
import { type Schema, valid as validOf } from '../contract/arbitrary-edit.ts';
import { inDays } from '../helper/sample-jobs.ts';

type JobInput = Schemas['JobInput'];

/** Text in any script that the service accepts: no NUL, no lone surrogates, with a visible character. */
const isText = (value: string) => !value.includes('\0') && value.isWellFormed() && hasVisibleCharacter(value);
const text = (max: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: Math.min(max, 60) })
    .filter((value) => isText(value) && [...value].length <= max);

/** HTML that sanitizing does not change. */
const plainHtml = text(2000).filter((value) => !/[<>&\u00a0\p{Cc}\p{Zl}\p{Zp}]/u.test(value));
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
/** Cents, including the results of floating-point arithmetic: 0.1 + 0.2. */
const cents = fc
  .tuple(fc.integer({ min: 0, max: 9_999_999_999 }), fc.double({ min: -1e-8, max: 1e-8, noNaN: true }))
  .map(([value, error]) => Math.min(Math.max(value / 100 + error, 0), 99_999_999.99));
const oneOf = <T extends string>(values: readonly T[]) => fc.constantFrom(...values);

const input = document.components?.schemas?.JobInput as { properties: Record<string, Schema> };

/** Valid values of a field, by its kind and its limits in the contract. */
function valid(name: string): fc.Arbitrary<unknown> {
  const { kind } = jobRules.get(name) ?? {};
  const { nullable: isNullable, ...schema } = input.properties[name] ?? {};
  const isOf = (keys: Schema) => Object.entries(keys).every(([key, value]) => schema[key] === value);
  const isPlain = kind === 'text' && !schema.format && !schema.pattern;
  const special =
    (isPlain && text(Number(schema.maxLength))) ||
    (kind === 'html' && plainHtml) ||
    (kind === 'date' && fc.integer({ min: 1, max: 4000 }).map(inDays)) ||
    (kind === 'decimal' && isOf({ minimum: 0, maximum: 99_999_999.99 }) && cents);
  const value = special || validOf(schema);
  return isNullable ? nullable(value) : value;
}

const required = {
  title: text(255),
  body: plainHtml,
  contact_instructions: text(10_000),
  category_id: fc.constantFrom(101, 102, 201, 301),
  district_id: fc.integer({ min: 1, max: 20 }),
  application_method: oneOf(['system', 'email', 'phone', 'external'] as const),
};

const contact = {
  contact_email: fc.constantFrom('vagas@example.com', 'a.b+c@sub.example.pt'),
  contact_phone: fc.constantFrom('+351 220 000 000', '1'),
  external_application_url: fc.constantFrom(
    'https://example.com/vaga?x=1#y',
    'HTTPS://xn--vga-fla.example/?ids%5B%5D=1',
  ),
};

const salaries = fc.tuple(nullable(cents), nullable(cents)).map(([a, b]) => {
  const isFalling = a !== null && b !== null && a > b;
  return isFalling ? { salary_min: b, salary_max: a } : { salary_min: a, salary_max: b };
});

/** Fields without a rule that involves another field. */
const special = new Set([...Object.keys({ ...required, ...contact }), 'salary_min', 'salary_max']);
const names = Object.keys(storedFields.jobs).filter((name) => !special.has(name));
const optional = Object.fromEntries(names.map((name) => [name, valid(name)]));

const fields = fc.record(
  { ...required, ...contact, ...optional },
  { requiredKeys: Object.keys({ ...required, ...contact }) as never },
);
/** Job inputs that are valid by every rule, optional fields present or not. */
export const validJob: fc.Arbitrary<JobInput> = fc
  .tuple(fields, fc.option(salaries, { nil: {} }))
  .map(([own, money]) => ({ ...own, ...money }) as JobInput);

/** A job input as the service shows it: decimals as strings. */
export const shown = (job: Partial<JobInput>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(job).map(([name, value]) => {
      const field = storedFields.jobs[name as keyof typeof storedFields.jobs];
      return [name, field.kind === 'decimal' && typeof value === 'number' ? value.toFixed(field.decimals) : value];
    }),
  );
