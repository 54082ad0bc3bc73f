import { z } from 'zod';
import type { Message } from '../domain/message.ts';
import type { FieldKind, FieldMeta } from './fields.ts';

export interface Field extends Required<Omit<FieldMeta, 'example' | 'kind' | 'hint' | 'choices'>> {
  readonly name: string;
  readonly kind: FieldKind;
  readonly hint: Message;
  readonly example: string | undefined;
  readonly choices: FieldMeta['choices'];
  readonly isRequired: boolean;
  /** Its default. */
  readonly initial: unknown;
  readonly schema: z.ZodType;
}

/** The fields of an input in their order, as forms and commands need them. */
export const fieldsOf = ({ shape }: z.ZodObject<Record<string, z.ZodType>>): Field[] =>
  Object.entries(shape).map(([name, schema]) => {
    const { kind = 'line', label = name, hint = '', values = [], valueLabels = {}, example, choices } = metaOf(schema);
    const { success, data: initial } = schema.safeParse(undefined);
    const said = typeof hint === 'string' ? { text: hint } : hint;
    return {
      name,
      kind,
      label,
      hint: said,
      values,
      valueLabels,
      example,
      choices,
      isRequired: !success,
      initial,
      schema,
    };
  });

/** An optional field, or one with a default, has what its inner schema has. */
function metaOf(schema: z.core.$ZodType): z.GlobalMeta {
  const inner = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? metaOf(schema.unwrap()) : {};
  return { ...inner, ...z.globalRegistry.get(schema) };
}

const wholeNumber = (text: string): number => (/^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN);

const conversions: Readonly<Partial<Record<FieldKind, (text: string) => unknown>>> = {
  number: (text) => wholeNumber(text.trim()),
  id: (text) => (/^\d{1,19}$/.test(text) ? BigInt(text) : text),
  ids: (text) => (text.trim() === '' ? [] : text.split(',').map((part) => wholeNumber(part.trim()))),
};

/** What a person typed for a field, as its schema takes it; only the schema refuses. */
export const fromText = ({ kind }: Pick<Field, 'kind'>, text: string): unknown => conversions[kind]?.(text) ?? text;
