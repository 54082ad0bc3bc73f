import type { ComponentChildren } from 'preact';
import type { FieldRules } from '../../domain/field-rules.ts';
import { optionLabel } from '../labels.ts';
import type { Translate } from '../texts/language.ts';
import { JobHtml } from './job-html.tsx';
import { CalendarDay } from './text.tsx';

/** Shows a stored field's value to a reader. Takes the value as the API returns it. Returns null if the field has no value. */
export function shownValue(kind: FieldRules['kind'], value: unknown, t: Translate): ComponentChildren {
  if (value === null || value === undefined) return null;
  if (kind === 'boolean') return value ? t('Yes') : t('No');
  if (kind === 'enum') return t(optionLabel(String(value)));
  if (kind === 'date') return <CalendarDay day={String(value)} />;
  if (kind === 'html') return <JobHtml html={String(value)} />;
  return linesOf(value).join('\n') || null;
}

/** The lines of a value: one for each item of a list, and one for each property of an object. */
function linesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map((item) => linesOf(item).join('; '));
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).map(([name, inner]) => `${name.replaceAll('_', ' ')}: ${linesOf(inner).join(', ')}`);
}
