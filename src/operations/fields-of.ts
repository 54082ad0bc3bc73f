import { z } from 'zod';
import type { FieldKind, FieldMeta } from './fields.ts';

export interface Field extends Required<Omit<FieldMeta, 'example' | 'kind'>> {
  readonly name: string;
  readonly kind: FieldKind;
  readonly example: string | undefined;
  readonly isRequired: boolean;
  readonly schema: z.ZodType;
}

/** The fields of an input in their order, as forms and commands need them. */
export const fieldsOf = ({ shape }: z.ZodObject<Record<string, z.ZodType>>): Field[] =>
  Object.entries(shape).map(([name, schema]) => {
    const { kind = 'line', label = name, hint = '', values = [], example } = metaOf(schema);
    return { name, kind, label, hint, values, example, isRequired: !schema.safeParse(undefined).success, schema };
  });

/** An optional field, or one with a default, has what its inner schema has. */
function metaOf(schema: z.core.$ZodType): z.GlobalMeta {
  const inner = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? metaOf(schema.unwrap()) : {};
  return { ...inner, ...z.globalRegistry.get(schema) };
}
