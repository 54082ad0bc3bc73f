import type { ComponentChildren } from 'preact';
import type { FieldRules, Fields } from '../../domain/field-rules.ts';
import { writtenNumber } from '../../domain/typed-number.ts';
import { optionLabel } from '../labels.ts';
import type { Options } from '../page.ts';
import { dayText, decimalSign, numberText } from '../texts/formats.ts';
import type { Translate } from '../texts/language.ts';
import { choicesIn, type FieldSchema } from './field-schema.ts';
import { SanitizedHtml } from './sanitized-html.tsx';
import { CalendarDay } from './text.tsx';

/**
 * Shows a stored field's value to a reader. Takes the value as the API returns it, and the names of ids. Returns null if the field has no
 * value.
 */
export function shownValue(
  kind: FieldRules['kind'],
  schema: FieldSchema,
  value: unknown,
  t: Translate,
  names?: Options,
): ComponentChildren {
  if (value === null || value === undefined) return null;
  if (kind === 'date') return <CalendarDay day={String(value)} />;
  if (kind === 'html') return <SanitizedHtml html={String(value)} />;
  return linesOf(schema, value, t, names).join('\n') || null;
}

/** A value as a form shows it, so that it can be typed again. */
export const scalarText = (value: unknown, locale: string): string =>
  typeof value === 'number' ? writtenNumber(value, decimalSign(locale)) : String(value ?? '');

/**
 * Words a value in lines: one for each item of a list, and one for each part of an object. Leaves out what has no value. `names` has the words
 * for values that people know by another name, such as ids.
 */
export function linesOf(schema: FieldSchema, value: unknown, t: Translate, names: Options = []): string[] {
  const { properties = {}, items = {}, format, type } = schema;
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value)) return value.map((item) => linesOf(items, item, t, names).join('; ')).filter(Boolean);
  if (typeof value === 'object')
    // PostgreSQL returns the parts in an order of its own.
    return Object.keys({ ...properties, ...value }).flatMap((name) => {
      const text = linesOf(properties[name] ?? {}, (value as Fields)[name], t).join(', ');
      return text ? [`${t(optionLabel(name))}: ${text}`] : [];
    });
  const named = names.find(([known]) => known === String(value));
  if (named) return [named[1]];
  if (format === 'date') return [dayText(String(value), t.locale)];
  // The API returns decimals as texts.
  if (typeof value === 'number' || type === 'number') return [numberText(Number(value), t.locale)];
  return [choicesIn(schema, t)?.find(([option]) => option === String(value))?.[1] ?? String(value)];
}
