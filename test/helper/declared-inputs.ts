import { ApiError } from '../../src/domain/errors.ts';
import { filled } from '../../src/domain/message.ts';
import type { Declaration } from '../../src/operations/declare.ts';
import { checkInput, type Field, fieldsOf } from '../../src/operations/fields.ts';

export const companyId = 9_000_000_000_000n;

/** A value and the text that a person types for it. */
type Typed = readonly [value: unknown, text: string];
const texts = (...all: string[]): Typed[] => all.map((text) => [text, text]);
const long = 'x'.repeat(5000);

export const right: Readonly<Record<Field['kind'], Typed>> = {
  line: ['Pro', 'Pro'],
  text: ['Porque sim.', 'Porque sim.'],
  email: ['ana@example.com', 'ana@example.com'],
  password: ['uma frase que é longa', 'uma frase que é longa'],
  number: [20, '20'],
  day: ['2099-01-01', '2099-01-01'],
  choice: ['', ''],
  flag: [true, ''],
  id: [companyId, String(companyId)],
  ids: [[1], '1'],
};

/** Of these, each field refuses those that break one of its rules. */
export const wrong: Readonly<Record<Field['kind'], readonly Typed[]>> = {
  line: texts('', ' ', long, 'a\nb'),
  text: texts('', ' ', long, 'a\nb'),
  email: texts('', 'nobody', `${long}@example.com`, 'a\nb@example.com'),
  password: texts('', 'curta', long),
  number: [
    [Number.NaN, 'many'],
    [1.5, '1.5'],
    [-99, '-99'],
    [99_999_999_999, '99999999999'],
  ],
  day: texts('', 'soon', '2099-02-30', '9999-01-01'),
  choice: texts('', 'neither'),
  flag: [],
  id: [
    ['', ''],
    ['x', 'x'],
    [0n, '0'],
    [10n ** 18n, String(10n ** 18n)],
  ],
  ids: [
    [[Number.NaN], 'x'],
    [[0], '0'],
    [Array(201).fill(1), Array(201).fill(1).join()],
    [[2 ** 31], String(2 ** 31)],
  ],
};

export const rightOf = ({ kind, values: [first = ''] }: Field): Typed =>
  kind === 'choice' ? [first, first] : right[kind];

/** What the operation needs, as it takes it. */
export const inputOf = (operation: Declaration): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOf(operation.input)
      .filter(({ isRequired, name }) => isRequired || name === 'companyId')
      .map((field) => [field.name, rightOf(field)[0]]),
  );

/** What a field is refused with for this value, if it is. */
export function messageFor(operation: Declaration, name: string, value: unknown): string | undefined {
  try {
    checkInput(operation.input, { ...inputOf(operation), [name]: value });
    return undefined;
  } catch (error) {
    const message = error instanceof ApiError ? error.fields?.[name] : undefined;
    if (!message) throw error;
    return filled(message);
  }
}
