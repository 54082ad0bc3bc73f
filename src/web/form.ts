import { unescape as decoded, parse } from 'node:querystring';
import express, { type Request, type RequestHandler } from 'express';
import type { PasswordCheck } from '../auth/sign-in.ts';
import type { AccessBlocker } from '../domain/eligibility.ts';
import { ApiError, fieldWords, refusal } from '../domain/errors.ts';
import type { Shape } from '../domain/field-rules.ts';
import { type FieldError, filled, type Message } from '../domain/message.ts';
import { windowMinutes } from '../rate-limit/sign-in-limits.ts';
import { isBrokenOff } from '../server/json-body.ts';
import { accessAdvice, nameLabel, optionLabel } from './labels.ts';
import { textForPeople } from './texts/for-people.ts';
import { type Translate, valueText } from './texts/language.ts';

/** Enough for a new password typed twice, each time up to 1000 characters of 12 URL-encoded bytes. */
export const formBytesMax = 32_768;

/** The bytes of one encoded character: UTF-8 has at most four, each sent as `%XX`, or as `%25XX` if a sign-in form carries the form. */
const encodedBytesMax = 4 * 5;

/** The most fields of any form. */
const formFieldsMax = 2000;

/** Enough for any number, choice or day. */
const scalarCharactersMax = 255;

/** The greatest number of characters in a form with these fields, including their names. A line end counts as two. */
function charactersMaxOf({ properties, items, maxItems = 0, maxLength = scalarCharactersMax }: Shape): number {
  if (items) return maxItems * (charactersMaxOf(items) + 2);
  if (!properties) return maxLength;
  const parts = Object.entries(properties).map(
    ([name, part]) => scalarCharactersMax + name.length + charactersMaxOf(part),
  );
  return parts.reduce((sum, part) => sum + part, 0);
}

/** The encoded text of each parsed form. */
const sentTexts = new WeakMap<object, string>();

interface FormLimits {
  readonly bytesMax: number;
  /** In UTF-16 code units, however the form is encoded. What a page does with a form costs time for each of them. */
  readonly charactersMax: number;
  readonly fieldsMax: number;
}

/** Parses a URL-encoded form. Any other body counts as an empty form, which lacks the CSRF token. Throws 400, 413 and 415. */
function formParser({ bytesMax, charactersMax, fieldsMax }: FormLimits): RequestHandler {
  const verify = (request: object, _response: unknown, bytes: Buffer): void => {
    const text = bytes.toString();
    // The form that a form carries is encoded twice.
    const read = /(^|&)typed=/.test(text) ? decoded(decoded(text)) : decoded(text);
    // Recognized by its type, like the parser's own errors.
    if (read.length > charactersMax)
      throw Object.assign(new Error('too many characters'), { type: 'entity.too.large' });
    sentTexts.set(request, text);
  };
  const parser = express.urlencoded({
    ...{ extended: false, inflate: false, verify },
    ...{ limit: bytesMax, parameterLimit: fieldsMax },
  });
  return (request, response, next) => parser(request, response, (error: unknown) => next(error && formRefusal(error)));
}

export const parseForm = formParser({ bytesMax: formBytesMax, charactersMax: formBytesMax, fieldsMax: 200 });

export interface LongForm {
  readonly bytesMax: number;
  /** Must run before parseForm, which skips a parsed body. */
  readonly parse: RequestHandler;
}

/** A form that may be as long as the contract allows for `stored`. */
export function longFormOf(stored: Shape): LongForm {
  const bytesMax = encodedBytesMax * charactersMaxOf(stored) + formBytesMax;
  // A code point of the contract has at most two code units.
  const charactersMax = 2 * charactersMaxOf(stored) + formBytesMax;
  return { bytesMax, parse: formParser({ bytesMax, charactersMax, fieldsMax: formFieldsMax }) };
}

/** Replaces a form with one that it carries in a field. */
export function replaceForm(request: Request, text: string): void {
  request.body = parse(text, '&', '=', { maxKeys: formFieldsMax });
  sentTexts.set(request, text);
}

const isTyped = (field: string): boolean => {
  const [name = ''] = field.split('=', 1);
  return !/password|^(_csrf|once|onceKey|language)$/i.test(decoded(name));
};

/** Refuses with 400 `malformed_request` a form that contains NUL, which PostgreSQL's text type cannot store. */
export const refuseNul: RequestHandler = ({ body }, _response, next) => {
  const sent = Object.entries(body ?? {}).flat(2);
  if (sent.some((text) => String(text).includes('\0')))
    throw refusal(400, 'malformed_request', 'The form contains a NUL character.');
  next();
};

/** Form values by field name. If a field was sent twice, the first value counts. */
export type FieldValues = Readonly<Record<string, string>>;

/** Messages by form field. The key '' stands for the whole form. */
export type FieldErrors = Readonly<Record<string, string>>;

/** A submitted form. A field that was not sent reads as empty. */
export class Form {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #sent: string;

  constructor(request: Pick<Request, 'body'>) {
    const { body } = request;
    this.#sent = sentTexts.get(request) ?? '';
    this.#fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#fields, name);
  }

  text(name: string): string {
    return this.all(name)[0] ?? '';
  }

  all(name: string): string[] {
    const value = this.has(name) ? this.#fields[name] : undefined;
    return [value].flat().filter((item) => typeof item === 'string');
  }

  /** All fields, encoded as they were sent, except passwords, tokens and the chosen language. */
  typed(): string {
    return this.#sent.split('&').filter(isTyped).join('&');
  }

  /** The first value of every field, to show again when the form is refused. */
  values(): FieldValues {
    return Object.fromEntries(Object.keys(this.#fields).map((name) => [name, this.text(name)]));
  }
}

function formRefusal(error: unknown): unknown {
  const { type } = error as { type?: unknown };
  if (type === 'entity.too.large' || type === 'parameters.too.many')
    return refusal(413, 'body_size', 'The form is too large.');
  if (type === 'encoding.unsupported' || type === 'charset.unsupported')
    return refusal(415, 'content_encoding', 'The form must be uncompressed and in UTF-8.');
  if (isBrokenOff(error)) return refusal(400, 'malformed_request', 'The form is incomplete.');
  return error;
}

interface FormRequest {
  readonly form: Form;
  readonly t: Translate;
}

type Outcome<T> =
  | { readonly result: T; readonly errors?: never; readonly code?: never }
  | { readonly errors: FieldErrors; readonly code: string; readonly result?: never };

/** Runs an operation. A refusal that the form can show is returned as `errors`, with its code; every other failure is thrown. */
export async function tryOperation<T>({ form, t }: FormRequest, operation: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { result: await operation() };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { errors: fieldErrors(error, form, t), code: error.code };
  }
}

/**
 * Turns a refusal into the form's errors; a right that has ended meanwhile is an error of the whole form. Rethrows a refusal of an input that
 * the form does not contain, such as an id in the path, and of a person who may not use the form at all.
 */
function fieldErrors(error: ApiError, form: Form, t: Translate): FieldErrors {
  const wrong = error.faults.filter(([name]) => form.has(name));
  if (wrong.length > 0) return faultTexts(wrong, t);
  const { field } = error.details;
  if (typeof field === 'string' && form.has(field)) return { [field]: messageOf(error, t) };
  if (field === undefined && error.code !== 'not_allowed' && [403, 409, 422].includes(error.status))
    return { '': messageOf(error, t) };
  throw error;
}

/** Words a refusal in the reader's language: its first field's message, otherwise the text for its code. A missing text stays English. */
export function messageOf({ faults, code, said, details }: ApiError, t: Translate): string {
  const [[field = '', wrong] = []] = faults;
  if (wrong) return inLanguage(wrong, t, partsOf(field).noun);
  const key = `error.${code}`;
  const text = inLanguage({ text: key, params: details }, t);
  const blockers = (details.blockers ?? []) as readonly AccessBlocker[];
  // The advice of `said` is for programs.
  const words = text === key ? filled({ ...said, advice: '' }) : text;
  return [words, ...blockers.map((blocker) => t(accessAdvice[blocker]))].join(' ');
}

/** Words what is wrong with each field, in the reader's language. */
export function faultTexts(faults: readonly FieldError[], t: Translate): FieldErrors {
  const texts: Record<string, string> = {};
  for (const fault of faults) texts[fault[0]] = [texts[fault[0]] ?? [], faultText(fault, t)].flat().join(' ');
  return texts;
}

/** In English, a message such as "must be given" completes a sentence that begins with the field and the place inside it. */
function faultText([field, message, at = []]: FieldError, t: Translate): string {
  const parts = at.map((step) => stepLabel(step, t));
  const place = [labelOf(field, t), ...parts].join(' ');
  const text = inLanguage(message, t, partsOf(field).noun);
  if (text.startsWith('must ')) return `${place} ${text}.`;
  return parts.length > 0 ? `${place}: ${text}` : text;
}

/** The label of a form's field, by its name. */
function labelOf(field: string, t: Translate): string {
  const { noun, stored } = partsOf(field);
  return stored === undefined ? fieldWords(field) : t(nameLabel(stored, noun));
}

/** The label of a control: that of its field, and its place inside it. */
export function controlLabel(name: string, t: Translate): string {
  const [, field = name, inner = ''] = /^(\w+\.\w+)\.(.+)/.exec(name) ?? [];
  const parts = inner ? inner.split('.') : [];
  return [labelOf(field, t), ...parts.map((step) => stepLabel(step, t))].join(' ');
}

/** The label of a place inside a field: an item of a list has its number, from 1. */
const stepLabel = (step: string, t: Translate): string | number =>
  /^\d+$/.test(step) ? Number(step) + 1 : t(optionLabel(step));

/** Splits the name of a stored field: `job.title` has the noun `job` and the contract's name `title`. Any other name has neither. */
function partsOf(field: string): { readonly noun?: string | undefined; readonly stored?: string | undefined } {
  const [, noun, stored] = /^(\w+)\.(.+)/.exec(field) ?? [];
  return { noun, stored };
}

/** Words a message in the reader's language, without its advice for programs. `noun` is the resource whose fields the message names. */
export const inLanguage = (message: Message, t: Translate, noun?: string): string =>
  t(textForPeople(message), {
    ...Object.fromEntries(
      Object.entries(message.params ?? {}).map(([name, value]) => [
        name,
        typeof value === 'number' ? value : valueText(value, t.locale),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(message.names ?? {}).flatMap(([key, name]) =>
        message.text.includes(`{{${key}}}`) ? [[key, t(nameLabel(name, noun))]] : [],
      ),
    ),
  });

/**
 * A click this soon after a page was made was meant for the page before it. Because a page may arrive late, vaga.css also blocks its
 * buttons for this time after it appears. If the process that made the page has a clock that is ahead, a decision may be refused once. The
 * page is then shown again with the time of the process that refused.
 */
export const unseenMs = 700;

/** Returns the error for a decision on a page that nobody can have seen yet. Undefined if the decision counts. */
export function unseenErrors({
  form,
  t,
  arrivedAt,
}: FormRequest & { readonly arrivedAt: Date }): FieldErrors | undefined {
  const shownMs = arrivedAt.getTime() - Number(form.text('shownAt'));
  if (!form.has('shownAt') || shownMs >= unseenMs) return undefined;
  return { '': t('Nothing was decided, because this page had only just appeared. Look at it, then decide.') };
}

/** Checks the person's password in a form field; undefined if it is right. */
export async function passwordErrors(
  { form, t, checkPassword }: FormRequest & { checkPassword: (password: string) => Promise<PasswordCheck> },
  field: string,
): Promise<FieldErrors | undefined> {
  const outcome = await checkPassword(form.text(field));
  if (outcome === 'right') return undefined;
  const throttled = t('Too many wrong passwords. Wait {{minutes}} minutes.', { minutes: windowMinutes });
  return { [field]: outcome === 'wrong' ? t('This is not your password.') : throttled };
}
