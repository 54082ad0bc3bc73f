import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { Context } from '../../context.ts';
import type { Operation } from '../../contract/document.ts';
import { ApiError } from '../../domain/errors.ts';
import { type FieldRules, type Fields, htmlFieldsOf, htmlLimitsOf, type Rules } from '../../domain/field-rules.ts';
import { typedNumber, Unclear } from '../../domain/typed-number.ts';
import { bodyErrors, inFormName } from '../../operations/kit/persons-body.ts';
import { referenceTexts } from '../../operations/reference/people/reference-choices.ts';
import { asText } from '../../sanitizer/as-text.ts';
import { type FieldErrors, type FieldValues, Form, faultTexts, inLanguage } from '../form.ts';
import { optionLabel } from '../labels.ts';
import type { Editor } from '../operation-page.tsx';
import { type Options, useT } from '../page.ts';
import { decimalSign } from '../texts/formats.ts';
import type { Translate } from '../texts/language.ts';
import { Field, FieldGroup, SelectField, TextAreaField } from './field.tsx';
import { choicesIn, type FieldSchema, type FieldSchemas, fieldSchemas, isScalar } from './field-schema.ts';
import { FormContext } from './post-form.tsx';
import { SanitizedHtml } from './sanitized-html.tsx';
import { linesOf, scalarText } from './stored-value.tsx';
import { Notice } from './text.tsx';

// Builds a form from an operation's body in the contract: a control for each field, or for each part of a field that has parts.

/** The resource that a form edits. */
interface Stored {
  /** The resource's noun, such as `job`. In the form, the names of its fields then begin with `job.`. */
  readonly noun: string;
  readonly fields: FieldSchemas;
  readonly rules: Rules;
  /** The heading of the preview of HTML. */
  readonly previewLabel: string;
}

type TextContext = Context & { readonly t: Translate };

type Texts = Pick<Form, 'has' | 'text'>;
const textsOf = (values: FieldValues): Texts => ({
  has: (name) => Object.hasOwn(values, name),
  text: (name) => values[name] ?? '',
});

/** Whether nothing was typed into any part of a value. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.values(value).every(isEmpty));

/** Whether the value of a part that must be given says more than that nothing was chosen. An empty text may be one that is allowed. */
const isSent = ({ type, enum: values, format }: FieldSchema, value: unknown): boolean =>
  value !== '' || (type === 'string' && !values && !format);

/**
 * Returns the JSON value for what was typed into a field. A part that says what its stored value `before` says is that value, whatever a form
 * makes of it. Otherwise a list has no empty items, and an object no empty parts, except those that the contract requires: null, an empty
 * list or an empty text. What the contract does not know is left out.
 */
function valueIn(schema: FieldSchema, name: string, texts: Texts, before?: unknown): unknown {
  const isKept = saysSame(schema, name, texts, before);
  if (isKept && (before === null || !hasParts(schema))) return before;
  const value = rawValueIn(schema, name, texts, before);
  return !isKept && isEmpty(value) && schema.nullable ? null : value;
}

/** Whether a value has controls for its parts. The items of other lists have one control, with a line for each. */
const hasParts = ({ type, items = {} }: FieldSchema): boolean =>
  type === 'object' || (type === 'array' && !isScalar(items));

function saysSame(schema: FieldSchema, name: string, texts: Texts, before: unknown): boolean {
  if (before === undefined) return false;
  const shown = textsOf(textsIn(schema, name, before, 'en'));
  return JSON.stringify(valueIn(schema, name, texts)) === JSON.stringify(valueIn(schema, name, shown));
}

function rawValueIn(schema: FieldSchema, name: string, texts: Texts, before: unknown): unknown {
  const { type, properties = {}, required = [], items = {} } = schema;
  const text = texts.text(name).replaceAll(/\r\n?/g, '\n');
  if (type === 'object') {
    const parts = Object.entries(properties).flatMap(([key, part]) => {
      const [inner, stored] = [`${name}.${key}`, (before as Fields | null | undefined)?.[key]];
      const value = valueIn(part, inner, texts, stored);
      const isSaid = required.includes(key) ? isSent(part, value) : !isEmpty(value);
      return isSaid || saysSame(part, inner, texts, stored) ? [[key, value]] : [];
    });
    return Object.fromEntries(parts);
  }
  if (type !== 'array') return scalarOf(schema, text);
  const stored: readonly unknown[] = Array.isArray(before) ? before : [];
  if (isScalar(items)) return linesIn(items, text, stored);
  const list: unknown[] = [];
  // The form has no rows for the last of the stored items in which nothing is typed.
  for (let at = 0; at < stored.length || texts.has(`${name}.${at}`); at++) {
    const value = valueIn(items, `${name}.${at}`, texts, stored[at]);
    if (!isEmpty(value) || saysSame(items, `${name}.${at}`, texts, stored[at])) list.push(value);
  }
  return list;
}

/** The items of a list that is typed one a line. A line that says what a stored item says is that item. */
function linesIn(items: FieldSchema, text: string, stored: readonly unknown[]): unknown[] {
  const said = stored.map((item) => scalarOf(items, lineOf(item, 'en').trim()));
  const lines = text.trim() ? text.split('\n') : [];
  return lines.flatMap((line) => {
    const value = scalarOf(items, line.trim());
    const at = said.indexOf(value);
    if (at < 0) return line.trim() ? [value] : [];
    said[at] = undefined;
    return [stored[at]];
  });
}

/** Converts a typed text to the schema's type. A text that is not a number stays a text, so that the contract refuses it. */
function scalarOf({ type, decimals }: FieldSchema, text: string): unknown {
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  if (type !== 'number' && type !== 'integer') return text;
  const number = typedNumber(text, type === 'integer' ? 0 : decimals);
  return Number.isNaN(number) ? text : number;
}

/** Returns a question for each field with a number that can be read in two ways. */
function unclearErrors({ noun }: Stored, typed: Fields, t: Translate): FieldErrors {
  const unclearIn = (value: unknown): readonly Unclear[] => {
    if (value instanceof Unclear) return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(unclearIn) : [];
  };
  const found = Object.entries(typed).flatMap(([field, value]) =>
    unclearIn(value).map(({ message: { text, params = {} } }) => {
      const written = Object.entries(params).map(([name, number]) => [
        name,
        String(number).replace('.', decimalSign(t.locale)),
      ]);
      return [`${noun}.${field}`, inLanguage({ text, params: Object.fromEntries(written) }, t)] as const;
    }),
  );
  return Object.fromEntries(found);
}

/** Shows an item of a list on one line. */
const lineOf = (item: unknown, locale: string): string =>
  scalarText(item, locale).replaceAll(/\s+/g, (space) => (space.includes('\n') ? ' ' : space));

/** Returns the texts that a form's controls show for a value in a locale, by control name. */
function textsIn(
  { type, properties = {}, items = {} }: FieldSchema,
  name: string,
  value: unknown,
  locale: string,
): FieldValues {
  const list = Array.isArray(value) ? value : [];
  if (type === 'array' && isScalar(items)) return { [name]: list.map((item) => lineOf(item, locale)).join('\n') };
  if (type !== 'array' && type !== 'object') return { [name]: scalarText(value, locale) };
  const parts: readonly (readonly [string, FieldSchema, unknown])[] =
    type === 'array'
      ? list.map((item, at) => [String(at), items, item])
      : Object.entries(properties).map(([key, part]) => [key, part, (value as Fields | null)?.[key]]);
  return Object.assign(
    { [name]: '' },
    ...parts.map(([key, part, inner]) => textsIn(part, `${name}.${key}`, inner, locale)),
  );
}

/** A field's value before anything is typed. */
function storedIn({ rules }: Stored, field: string, values: Fields): unknown {
  const { kind, default: otherwise } = rules.get(field) ?? {};
  const value = values[field] ?? otherwise;
  return kind === 'html' && typeof value === 'string' ? asText(value) : value;
}

/** The texts of a form before anything is typed, in a locale. Read again, they are the same values in each. */
const textsBefore = (stored: Stored, values: Fields, locale = 'en'): FieldValues =>
  Object.assign(
    {},
    ...Object.entries(stored.fields).map(([field, schema]) =>
      textsIn(schema, `${stored.noun}.${field}`, storedIn(stored, field, values), locale),
    ),
  );

/** What each field holds in a form or in stored values, as the JSON of its value. */
function heldIn(stored: Stored, from: Form | Fields): FieldValues {
  const texts = from instanceof Form ? from : textsOf(textsBefore(stored, from));
  const held = Object.entries(stored.fields).flatMap(([field, schema]) => {
    const name = `${stored.noun}.${field}`;
    return texts.has(name) ? [[name, JSON.stringify(valueIn(schema, name, texts))]] : [];
  });
  return Object.fromEntries(held);
}

/** The typed values of the fields whose names are accepted. */
function typedFields(stored: Stored, form: Form, isTyped: (name: string) => boolean, values: Fields): Fields {
  const typed = Object.entries(stored.fields).flatMap(([field, schema]) => {
    const name = `${stored.noun}.${field}`;
    if (!form.has(name) || !isTyped(name)) return [];
    return [[field, valueIn(schema, name, form, storedIn(stored, field, values))]];
  });
  return Object.fromEntries(typed);
}

/** The choices of a control: of a field, or of a part inside it. */
async function choicesOfControl({ noun, fields, rules }: Stored, ctx: TextContext, name: string): Promise<Options> {
  const field = name.slice(noun.length + 1);
  const { references } = rules.get(field) ?? {};
  if (references) return referenceTexts[references](ctx);
  const inner = (at: FieldSchema, step: string): FieldSchema => at.items ?? at.properties?.[step] ?? {};
  return choicesIn(field.split('.').reduce(inner, { properties: fields }), ctx.t) ?? [];
}

const shownCharactersMax = 200;

/** The texts of the controls of one field. */
const textsOfField = (texts: FieldValues, name: string) =>
  Object.entries(texts).filter(([part]) => `${part}.`.startsWith(`${name}.`));

async function storedText(stored: Stored, ctx: TextContext, name: string, values: Fields): Promise<string> {
  const field = name.slice(stored.noun.length + 1);
  const { references } = stored.rules.get(field) ?? {};
  const names = references && (await referenceTexts[references](ctx));
  const lines = linesOf(stored.fields[field] ?? {}, storedIn(stored, field, values), ctx.t, names);
  return lines.join(', ').slice(0, shownCharactersMax);
}

/** The typed texts, except of the fields that are shown as they are stored. */
function mergedTexts(
  { noun, fields }: Stored,
  before: FieldValues,
  typed: FieldValues,
  isStored: (name: string) => boolean,
): FieldValues {
  const parts = Object.keys(fields).flatMap((field) => {
    const name = `${noun}.${field}`;
    return textsOfField(isStored(name) ? before : typed, name);
  });
  return Object.fromEntries(parts);
}

/** Sanitizes typed HTML for a preview. Returns the HTML or the refusal by field name. The sanitizer queues all administrators as one company. */
async function previewsOf({ noun, rules }: Stored, { sanitizer, actor, t }: TextContext, values: FieldValues) {
  const companyId = actor.kind === 'user' ? actor.companyId : 0n;
  const previews: Record<string, string> = {};
  const refused: Record<string, string> = {};
  const preview = async (field: string): Promise<void> => {
    const name = `${noun}.${field}`;
    const html = values[name];
    if (!html) return;
    try {
      previews[name] = await sanitizer.sanitize(companyId, html, field, htmlLimitsOf(rules.get(field) ?? {}));
    } catch (error) {
      const faults = error instanceof ApiError ? error.faults : [];
      Object.assign(
        refused,
        faultTexts(
          faults.map(([, message]) => [name, message] as const),
          t,
        ),
      );
    }
  };
  await Promise.all(htmlFieldsOf(rules).map(preview));
  return { previews, refused };
}

/** The previews of stored HTML, which needs no sanitizing. */
const storedPreviews = ({ noun, rules }: Stored, values: Fields): FieldValues =>
  Object.fromEntries(htmlFieldsOf(rules).map((field) => [`${noun}.${field}`, String(values[field] ?? '')]));

/** The fields below each legend. A field need not be in a group. */
type Groups = Readonly<Record<string, readonly string[]>>;

interface EditorSettings extends Omit<Stored, 'fields'> {
  /** The field of the declaration's input that takes the JSON. */
  readonly field: string;
  /** The API operation whose body is that JSON. */
  readonly operation: Operation;
  readonly groups?: Groups;
}

/** Edits the body of an operation. */
export function storedEditor({ field, operation, groups = {}, ...settings }: EditorSettings): Editor {
  const withDecimals = ([name, schema]: [string, FieldSchema]) =>
    [name, { ...schema, decimals: settings.rules.get(name)?.decimals }] as const;
  const fields: FieldSchemas = Object.fromEntries(Object.entries(fieldSchemas(operation)).map(withDecimals));
  const stored = { ...settings, fields };
  return {
    field,
    stored: { properties: stored.fields },
    held: (from) => heldIn(stored, from),
    typed: (...given) => typedFields(stored, ...given),
    broken: async ({ today, t }, typed) => {
      const errors = await bodyErrors(operation, settings.rules, typed, today);
      return faultTexts(
        errors.map((error) => inFormName(error, settings.noun, field)),
        t,
      );
    },
    unclear: (typed, t) => unclearErrors(stored, typed, t),
    choices: (...given) => choicesOfControl(stored, ...given),
    storedText: (...given) => storedText(stored, ...given),
    shown: async (ctx, values, typed, isStored) => {
      const before = textsBefore(stored, values, ctx.t.locale);
      const texts = typed ? mergedTexts(stored, before, typed, isStored) : before;
      const { previews, refused } = typed
        ? await previewsOf(stored, ctx, texts)
        : { previews: storedPreviews(stored, values), refused: {} };
      return {
        texts,
        errors: refused,
        controls: (options) => (
          <StoredForm {...{ stored, options, previews, groups }} isAsked={typed?.preview !== undefined} />
        ),
      };
    },
  };
}

interface StoredFormProps {
  readonly stored: Stored;
  readonly options: Readonly<Record<string, Options>>;
  readonly previews: FieldValues;
  /** Whether the reader pressed Preview. */
  readonly isAsked: boolean;
  readonly groups: Groups;
}

/** The controls inside a PostForm: first the groups, then the other fields in the order of the contract. */
function StoredForm({ stored, options, previews, isAsked, groups }: StoredFormProps) {
  const t = useT();
  const notice = isAsked && <Notice>{t('Preview. Nothing was saved.')}</Notice>;
  const shown = (names: readonly string[]) =>
    names.map((field) => {
      const name = `${stored.noun}.${field}`;
      const [schema, rules] = [stored.fields[field], stored.rules.get(field)];
      const part = schema && { stored, name, label: rules?.label ?? field, schema, rules };
      return part && <Part key={name} {...part} options={options[name]} preview={previews[name]} notice={notice} />;
    });
  const grouped = Object.values(groups).flat();
  return (
    <>
      {Object.values(previews).every((html) => html === '') && notice}
      {grouped.length > 0 && (
        <div class="groups">
          {Object.entries(groups).map(([legend, names]) => (
            <fieldset key={legend}>
              <legend>{t(legend)}</legend>
              {shown(names)}
            </fieldset>
          ))}
        </div>
      )}
      {shown(Object.keys(stored.fields).filter((field) => !grouped.includes(field)))}
    </>
  );
}

interface PartProps {
  readonly stored: Stored;
  readonly name: string;
  readonly label: string;
  readonly schema: FieldSchema;
  /** The rules of the whole field. Undefined for a part of a field. */
  readonly rules?: FieldRules | undefined;
  readonly options?: Options | undefined;
  readonly preview?: string | undefined;
  /** Shown above the preview. */
  readonly notice?: ComponentChildren;
}

function Part({ stored, name, label, schema, rules, options, preview, notice }: PartProps) {
  const t = useT();
  const { values = {} } = useContext(FormContext);
  const { type, properties = {}, items = {}, maxItems = 0, maxLength = 0 } = schema;
  const required = rules?.required ?? false;
  const isOptional = rules && !required && rules.requiredWhen === undefined;
  const all = { name, label: t(label), hint: hintOf(stored, schema, t, rules), isOptional };
  if (type === 'object')
    return (
      <FieldGroup {...all}>
        {Object.entries(properties).map(([key, part]) => (
          <Part key={key} stored={stored} name={`${name}.${key}`} label={optionLabel(key)} schema={part} />
        ))}
      </FieldGroup>
    );
  if (type === 'array' && !isScalar(items)) {
    const texts = textsOf(values);
    const isFilled = (_: unknown, at: number) => !isEmpty(valueIn(items, `${name}.${at}`, texts));
    const filled = Array.from({ length: maxItems }, isFilled).lastIndexOf(true) + 1;
    return (
      <FieldGroup {...all}>
        {Array.from({ length: Math.min(filled + 2, maxItems) }, (_, at) => (
          <Part key={at} stored={stored} name={`${name}.${at}`} label={`${t(label)} ${at + 1}`} schema={items} />
        ))}
      </FieldGroup>
    );
  }
  const chosen = options ?? choicesIn(schema, t);
  if (chosen) {
    const value = values[name] ?? '';
    const isListed = value === '' || chosen.some(([option]) => option === value);
    const isChosen = rules && !schema.nullable && (required || value !== '');
    return (
      <SelectField
        {...all}
        isOptional={all.isOptional && !isChosen}
        options={[...(isListed ? [] : [[value, t('As it is now')] as const]), ...chosen]}
        none={isChosen ? undefined : t('Not set')}
      />
    );
  }
  const isLong = maxLength > lineCharactersMax && schema.format !== 'uri';
  if (type === 'array' || rules?.kind === 'html' || isLong || /[\r\n]/.test(values[name] ?? ''))
    return (
      <>
        <TextAreaField {...all} rows={rules?.kind === 'html' ? 12 : 4} required={required} />
        {preview && (
          <details open>
            <summary>{t(stored.previewLabel)}</summary>
            {notice}
            <SanitizedHtml html={preview} />
          </details>
        )}
      </>
    );
  const isNumber = type === 'number' || type === 'integer';
  const input = schema.format === 'date' ? 'date' : 'text';
  return (
    <Field {...all} type={input} required={required} inputmode={isNumber ? 'decimal' : undefined} autocomplete="off" />
  );
}

/** A field whose text may be longer gets a text area. */
const lineCharactersMax = 255;

/** The hint below a field: what a person should know before typing. */
function hintOf(
  stored: Stored,
  { items = {}, maxItems, enum: values, ...bounds }: FieldSchema,
  t: Translate,
  rules?: FieldRules,
) {
  const { maxLength, minimum, maximum } = bounds;
  const accepted = choicesIn(items, t);
  const hints = [
    rules?.kind === 'html' && t('Text, whose lines are kept, or HTML.'),
    ...Object.entries(rules?.requiredWhen ?? {}).map(([other, value]) =>
      t('Required when {{field}} is {{value}}.', {
        field: t(stored.rules.get(other)?.label ?? other),
        value: t(optionLabel(String(value))),
      }),
    ),
    rules?.future && t('After today.'),
    maxItems !== undefined && isScalar(items) && t('One a line, at most {{max}}.', { max: maxItems }),
    accepted && t('Accepted: {{values}}.', { values: accepted.map(([one, label]) => `${one} (${label})`).join(', ') }),
    maxLength !== undefined && !values && t('At most {{max}} characters.', { max: maxLength }),
    minimum !== undefined &&
      maximum !== undefined &&
      !rules?.references &&
      t('From {{minimum}} to {{maximum}}.', { minimum, maximum }),
  ];
  return hints.filter(Boolean).join(' ') || undefined;
}
