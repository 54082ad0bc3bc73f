import type { ComponentChildren } from 'preact';
import type { FieldRules, Fields } from '../../domain/field-rules.ts';
import { writtenNumber } from '../../domain/typed-number.ts';
import { optionLabel } from '../labels.ts';
import { dayText, decimalSign, numberText } from '../texts/formats.ts';
import type { Translate } from '../texts/language.ts';
import { choicesIn, type FieldSchema } from './field-schema.ts';
import { SanitizedHtml } from './sanitized-html.tsx';
import { CalendarDay } from './text.tsx';

/** Shows a stored field's value to a reader. Takes the value as the API returns it. Returns null if the field has no value. */
export function shownValue(
  kind: FieldRules['kind'],
  schema: FieldSchema,
  value: unknown,
  t: Translate,
): ComponentChildren {
  if (value === null || value === undefined) return null;
  if (kind === 'date') return <CalendarDay day={String(value)} />;
  if (kind === 'html') return <SanitizedHtml html={String(value)} />;
  return linesOf(schema, value, t).join('\n') || null;
}

/** A value as a form shows it, so that it can be typed again. */
export const scalarText = (value: unknown, locale: string): string =>
  typeof value === 'number' ? writtenNumber(value, decimalSign(locale)) : String(value ?? '');

/** Words a value in lines: one for each item of a list, and one for each part of an object. Leaves out what has no value. */
export function linesOf(schema: FieldSchema, value: unknown, t: Translate): string[] {
  const { properties = {}, items = {}, format, type } = schema;
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value)) return value.map((item) => linesOf(items, item, t).join('; ')).filter(Boolean);
  if (typeof value === 'object')
    // PostgreSQL returns the parts in an order of its own.
    return Object.keys({ ...properties, ...value }).flatMap((name) => {
      const text = linesOf(properties[name] ?? {}, (value as Fields)[name], t).join(', ');
      return text ? [`${t(optionLabel(name))}: ${text}`] : [];
    });
  if (format === 'date') return [dayText(String(value), t.locale)];
  // The API returns decimals as texts.
  if (typeof value === 'number' || type === 'number') return [numberText(Number(value), t.locale)];
  return [choicesIn(schema, t)?.find(([option]) => option === String(value))?.[1] ?? String(value)];
}
