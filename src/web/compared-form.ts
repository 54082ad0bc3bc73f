import { createHash } from 'node:crypto';
import { unlimited } from '../domain/eligibility.ts';
import type { Shown } from '../operations/kit/declare.ts';
import { type Field, fromText } from '../operations/kit/fields.ts';
import type { FieldValues, Form } from './form.ts';

// Two people may have the same form open. A field that the person has left as it was shown is shown as it is stored now, and never sent
// back; a field that somebody else has changed meanwhile says so.

/** Edits the JSON of one field in several controls. */
export interface EditedField {
  readonly field: string;
  /** Returns what each edited field holds in a form, or in stored values, as text that can be compared. */
  readonly held: (from: Form | Shown) => FieldValues;
}

/** The name of the hidden field that keeps what a field showed. */
const seen = (name: string): string => `seen.${name}`;

/** What the hidden field keeps: a text would be sent with other line ends, and may be long. */
const markOf = (text: string): string =>
  createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('base64url').slice(0, 16);

export const textOf = (value: unknown): string => (value === false ? '' : [value ?? []].flat().join());

export const typedText = (form: Form, name: string): string => form.all(name).join();

/** What is typed in a field, as text that can be compared with what is stored. */
export function typedAs({ name, kind }: Pick<Field, 'name' | 'kind'>, form: Form): string {
  const text = typedText(form, name);
  return kind === 'limit' && fromText({ kind }, text) === unlimited ? `${unlimited}` : text;
}

export const storedIn = (values: Shown, { field }: EditedField): Shown => (values[field] ?? {}) as Shown;

/** Compares what each field of a form showed, what is typed in it, and what is stored now. The fields of an editor count as fields. */
export function comparedForm(form: Form, fields: readonly Field[], values: Shown, editor?: EditedField) {
  const own = fields.filter(({ name, kind }) => kind !== 'version' && name !== editor?.field);
  const stored: FieldValues = {
    ...Object.fromEntries(own.flatMap(({ name }) => (name in values ? [[name, textOf(values[name])]] : []))),
    ...editor?.held(storedIn(values, editor)),
  };
  const typed: FieldValues = {
    ...Object.fromEntries(own.map((field) => [field.name, typedAs(field, form)])),
    ...editor?.held(form),
  };
  const isNewer = values.version !== undefined && values.version !== form.text('version');
  const isUntouched = (name: string): boolean => form.text(seen(name)) === markOf(typed[name] ?? '');
  /** A form of the previous release keeps no marks. Only its version says that something has changed. */
  const isChanged = (name: string): boolean =>
    form.has(seen(name))
      ? form.text(seen(name)) !== markOf(stored[name] ?? '')
      : isNewer && name in typed && typed[name] !== stored[name];
  return {
    stored,
    /** Whether the subject has another version than the form. */
    isNewer,
    /** Whether the person has left a field of the sent form as it was shown. */
    isUntouched,
    /** Whether the person has given a field another value than the stored one. */
    isTyped: (name: string): boolean => !isUntouched(name) && typed[name] !== stored[name],
    /** The fields whose stored values have changed since the form was shown. */
    changed: Object.keys(stored).filter(isChanged),
    /** The hidden fields of the form's page. `isFirst` says that the page shows what is stored; otherwise they stay as sent. */
    marks: (isFirst: boolean): FieldValues =>
      Object.fromEntries(
        Object.entries(stored).flatMap(([name, text]) =>
          isFirst || form.has(seen(name)) ? [[seen(name), isFirst ? markOf(text) : form.text(seen(name))]] : [],
        ),
      ),
  };
}
