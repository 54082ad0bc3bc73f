import { z } from 'zod';
import { fitted, type Oversized, type Shape } from '../contract/document.ts';
import { invalidFields } from '../domain/errors.ts';
import type { Message } from '../domain/message.ts';

/** Returns the input as its schema makes it. Throws `invalid_input` with the first message of each wrong field. */
export function checkInput<Input extends z.ZodObject>(input: Input, given: unknown): z.output<Input> {
  const oversized: Oversized[] = [];
  const checked = input.safeParse(fitted(given, shapeOf(input), oversized));
  if (checked.success && oversized.length === 0) return checked.data;
  const fields: Record<string, Message> = {};
  for (const { path, max } of oversized)
    fields[path.join('.')] = { text: 'must have at most {{max}} items', params: { max } };
  for (const issue of checked.error?.issues ?? []) fields[String(issue.path[0] ?? '')] ??= messageOf(issue);
  throw invalidFields(fields);
}

const shapes = new WeakMap<z.ZodObject, Shape>();

function shapeOf(input: z.ZodObject): Shape {
  const shape = shapes.get(input) ?? (z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Shape);
  shapes.set(input, shape);
  return shape;
}

/** The message of a schema's issue, with the limit that was broken. */
export function messageOf(issue: z.core.$ZodIssue): Message {
  const { message: text } = issue;
  if (issue.code === 'too_small') return { text, params: { min: issue.minimum } };
  if (issue.code === 'too_big') return { text, params: { max: issue.maximum } };
  if (issue.code === 'invalid_value') return { text, params: { values: issue.values.join(', ') } };
  return issue.code === 'custom' && issue.params ? { text, params: issue.params } : { text };
}
