import express, { type Request, type RequestHandler } from 'express';
import type { PasswordCheck } from '../auth/sign-in.ts';
import { ApiError, refusal, sentenceOf } from '../domain/errors.ts';
import type { Message } from '../domain/message.ts';
import { windowMinutes } from '../rate-limit/sign-in-limits.ts';
import { isBrokenOff } from '../server/json-body.ts';
import { jobMessage } from './job-message.ts';
import { type Translate, valueText } from './texts/language.ts';

/** Holds a new password twice, each of up to 1000 characters of 12 encoded bytes. */
const formBytesMax = 32_768;

/** Holds a job of 128 KiB, as large as the API takes, each byte of which may be encoded as three. */
const longFormBytesMax = 3 * 131_072;

/** Parses a URL-encoded form. Any other body counts as an empty form, which lacks the CSRF token. Throws 400, 413 and 415. */
const formParser = (limit: number, parameterLimit: number): RequestHandler => {
  const parse = express.urlencoded({ extended: false, limit, inflate: false, parameterLimit });
  return (request, response, next) => parse(request, response, (error: unknown) => next(error && formRefusal(error)));
};

export const parseForm = formParser(formBytesMax, 200);
/** Comes before parseForm, which leaves what is parsed. */
export const parseLongForm = formParser(longFormBytesMax, 2000);

/** Refuses with 400 `malformed_request` a form that contains NUL, which PostgreSQL's text type cannot store. */
export const refuseNul: RequestHandler = ({ body }, _response, next) => {
  const sent = Object.entries(body ?? {}).flat(2);
  if (sent.some((text) => String(text).includes('\0')))
    throw refusal(400, 'malformed_request', 'The form contains a NUL character.');
  next();
};

/** Form values by field name. If a field was sent twice, the first value counts. */
export type FieldValues = Readonly<Record<string, string>>;

/** Messages by form field; '' is the form as a whole. */
export type FieldErrors = Readonly<Record<string, string>>;

/** A submitted form. A field that was not sent reads as empty. */
export class Form {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor({ body }: Pick<Request, 'body'>) {
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

  /** Every field in which a person can type or choose, URL-encoded as in a form; never a secret. */
  typed(): string {
    const names = Object.keys(this.#fields).filter((name) => !/password|^(_csrf|once|language)$/i.test(name));
    return String(new URLSearchParams(names.flatMap((name) => this.all(name).map((value) => [name, value]))));
  }

  /** Shown again when the form is refused. */
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
  | { readonly result: T; readonly errors?: never }
  | { readonly errors: FieldErrors; readonly result?: never };

/** Runs an operation. A refusal of the form's fields becomes its errors; every other failure is thrown. */
export async function tryOperation<T>({ form, t }: FormRequest, operation: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { result: await operation() };
  } catch (error) {
    return { errors: fieldErrors(error, form, t) };
  }
}

/** Rethrows a refusal of an input that is not a field of the form, such as an id in the path. */
function fieldErrors(error: unknown, form: Form, t: Translate): FieldErrors {
  if (!(error instanceof ApiError)) throw error;
  const wrong = Object.entries(error.fields ?? {}).filter(([name]) => form.has(name));
  if (wrong.length > 0)
    return Object.fromEntries(wrong.map(([name, message]) => [name, fieldMessage(name, message, t)]));
  const { field } = error.details;
  if (typeof field === 'string' && form.has(field)) return { [field]: messageOf(error, t) };
  if (field === undefined && (error.status === 409 || error.status === 422)) return { '': messageOf(error, t) };
  throw error;
}

/** A refusal in the reader's language. The catalogue has it under the field's message or the code. A missing one stays English. */
export function messageOf({ fields, code, message, details }: ApiError, t: Translate): string {
  const [wrong] = Object.values(fields ?? {});
  if (wrong) return inLanguage(wrong, t);
  const key = `error.${code}`;
  const text = inLanguage({ text: key, params: details }, t);
  return text === key ? message : text;
}

/** In English, a field's message completes a sentence that begins with the field. */
function fieldMessage(input: string, message: Message, t: Translate): string {
  if (input.startsWith('job.')) return jobMessage(input, message.text, t);
  const text = inLanguage(message, t);
  return text.startsWith('must ') ? sentenceOf(input, { text }) : text;
}

/** A message in the reader's language. */
export const inLanguage = ({ text, params = {} }: Message, t: Translate): string =>
  t(
    text,
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        typeof value === 'number' ? value : valueText(value, t.locale),
      ]),
    ),
  );

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
