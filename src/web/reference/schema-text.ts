import type { ContractView, Schema } from './contract-view.ts';

type Bound = number | undefined;

/** The type of a value in words: `array of string or null`. */
export function typeText(view: ContractView, schema: Schema): string {
  const { type, format, nullable } = schema;
  const named = format && format !== 'int64' ? `${type} (${format})` : (type ?? 'any value');
  const whole = schema.type === 'array' ? `array of ${typeText(view, view.resolve(schema.items))}` : named;
  return nullable ? `${whole} or null` : whole;
}

/** The limits of a value in words, none where there is no limit. */
export function limitTexts(view: ContractView, schema: Schema): string[] {
  const { minLength, maxLength, minimum, maximum, pattern, minProperties, default: standard } = schema;
  return [
    range(minLength, maxLength, ' character'),
    // What a 64-bit integer or JavaScript can hold is no limit of the field.
    range(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''),
    schema.type === 'array' ? range(schema.minItems, schema.maxItems, ' item') : undefined,
    ...(schema.type === 'array' ? limitTexts(view, view.resolve(schema.items)).map((text) => `each ${text}`) : []),
    minProperties === undefined ? undefined : `at least ${minProperties} of its properties`,
    pattern === undefined ? undefined : `matches ${pattern}`,
    standard === undefined ? undefined : `${JSON.stringify(standard)} if left out`,
  ].filter((text) => text !== undefined);
}

function range(least: Bound, most: Bound, unit: string): string | undefined {
  const many = (count: number) => `${count}${unit === '' || count === 1 ? unit : `${unit}s`}`;
  if (least !== undefined && most !== undefined) return `${least} to ${many(most)}`;
  if (most !== undefined) return `at most ${many(most)}`;
  return least === undefined ? undefined : `at least ${many(least)}`;
}

/** The accepted values, without null, which the type names. */
export const enumOf = ({ enum: values = [] }: Schema): string[] =>
  values.filter((value: unknown) => value !== null).map((value: unknown) => String(value));
