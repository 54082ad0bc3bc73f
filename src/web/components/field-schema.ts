import type { Operation } from '../../contract/document.ts';
import type { Shape } from '../../domain/field-rules.ts';
import { optionLabel } from '../labels.ts';
import type { Options } from '../page.ts';
import type { Translate } from '../texts/language.ts';

/** The schema of a stored field, or of a part of one. */
export interface FieldSchema extends Shape {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  readonly properties?: FieldSchemas;
  readonly required?: readonly string[];
  readonly items?: FieldSchema;
  readonly nullable?: boolean;
  readonly enum?: readonly (string | null)[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The most decimal places of a number. */
  readonly decimals?: number | undefined;
}

export type FieldSchemas = Readonly<Record<string, FieldSchema>>;

/** The schemas of the fields in an operation's body. */
export function fieldSchemas({ shape }: Operation): FieldSchemas {
  // The cast is safe: the contract's schemas have these keywords, while `Shape` declares only those that bound sizes.
  const body = shape.properties?.requestBody as FieldSchema | undefined;
  return body?.properties ?? {};
}

export const isScalar = ({ type }: FieldSchema): boolean => type !== 'object' && type !== 'array';

/** The values that a field accepts, each with its label. Undefined for a field that accepts others, too. */
export function choicesIn({ type, enum: values }: FieldSchema, t: Translate): Options | undefined {
  const all = type === 'boolean' ? ['true', 'false'] : values;
  return all?.flatMap((value) => (value === null ? [] : [[value, t(optionLabel(value))] as const]));
}
