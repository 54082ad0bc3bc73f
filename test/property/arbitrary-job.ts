import fc from 'fast-check';
import { options } from '../../src/contract/options.ts';
import type { Schemas } from '../../src/contract/types.ts';
import { hasVisibleCharacter } from '../../src/domain/job-rules.ts';
import { inDays } from '../helper/sample-jobs.ts';

type JobInput = Schemas['JobInput'];

/** Text of any script, without what the service refuses: NUL, lone surrogates, nothing to see. */
const text = (max: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: Math.min(max, 60) })
    .filter(
      (value) =>
        !value.includes('\0') && value.isWellFormed() && hasVisibleCharacter(value) && [...value].length <= max,
    );

/** A body that sanitizing leaves as it is. */
const plainBody = text(2000).filter((value) => !/[<>&\u00a0\r]/.test(value));
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const lines = nullable(fc.array(text(500), { maxLength: 5 }));
const cents = fc.integer({ min: 0, max: 9_999_999_999 }).map((value) => value / 100);
const oneOf = <T extends string>(values: readonly T[]) => fc.constantFrom(...values);

const optional = {
  requirements: nullable(text(10_000)),
  salary_benefits: nullable(text(5000)),
  remote_policy: nullable(text(5000)),
  valid_until: nullable(fc.integer({ min: 1, max: 4000 }).map(inDays)),
  salary_negotiable: fc.boolean(),
  salary_type: nullable(oneOf(options.salary_types as NonNullable<JobInput['salary_type']>[])),
  experience_years: nullable(fc.integer({ min: 0, max: 50 })),
  education_details: lines,
  professional_requirements: lines,
  language_requirements: lines,
  contract_type: nullable(oneOf(options.contract_types as NonNullable<JobInput['contract_type']>[])),
  work_modality: nullable(oneOf(options.work_modalities as NonNullable<JobInput['work_modality']>[])),
  education_level: nullable(oneOf(options.education_levels as NonNullable<JobInput['education_level']>[])),
};

const required = {
  title: text(255),
  body: plainBody,
  contact_instructions: text(10_000),
  category_id: fc.constantFrom(101, 102, 201, 301),
  district_id: fc.integer({ min: 1, max: 20 }),
  application_method: oneOf(['system', 'email', 'phone', 'external'] as const),
};

const contact = {
  contact_email: fc.constantFrom('vagas@example.com', 'a.b+c@sub.example.pt'),
  contact_phone: fc.constantFrom('+351 220 000 000', '1'),
  external_application_url: fc.constantFrom('https://example.com/vaga?x=1#y', 'https://xn--vga-fla.example/'),
};

const salaries = fc
  .tuple(nullable(cents), nullable(cents))
  .map(([a, b]) =>
    a !== null && b !== null && a > b ? { salary_min: b, salary_max: a } : { salary_min: a, salary_max: b },
  );

/** Job inputs that are valid by every rule, optional fields present or not. */
export const validJob: fc.Arbitrary<JobInput> = fc
  .tuple(
    fc.record(
      { ...required, ...contact, ...optional },
      { requiredKeys: [...Object.keys(required), ...Object.keys(contact)] as never },
    ),
    fc.option(salaries, { nil: {} }),
  )
  .map(([fields, money]) => ({ ...fields, ...money }) as JobInput);

/** A job input as the service shows it: salaries as decimal strings. */
export function shown(job: Partial<JobInput>): Record<string, unknown> {
  const money = (value: number | null) => (value === null ? null : value.toFixed(2));
  const { salary_min: min, salary_max: max, ...rest } = job;
  return {
    ...rest,
    ...(min === undefined ? {} : { salary_min: money(min) }),
    ...(max === undefined ? {} : { salary_max: money(max) }),
  };
}
