import express, { type Request } from 'express';
import { refusal } from '../domain/errors.ts';
import { isBrokenOff } from '../server/json-body.ts';

const formBytesMax = 16_384;

/** Reads a form that was sent; any other body counts as an empty form, and so has no token. */
export const readForm = express.urlencoded({
  extended: false,
  limit: formBytesMax,
  inflate: false,
  parameterLimit: 200,
});

/** What a person typed. A field that was not sent is empty; of one sent twice the first counts, except for `all`. */
export class Form {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(body: unknown) {
    this.#fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  }

  text(name: string): string {
    return this.all(name)[0] ?? '';
  }

  all(name: string): string[] {
    const value = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    return [value].flat().filter((item) => typeof item === 'string');
  }

  /** One of the values, or undefined where it is none of them. */
  oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    return values.find((value) => value === this.text(name));
  }

  /** A whole number; NaN where it is none, for the action to refuse. */
  wholeNumber(name: string): number {
    const text = this.text(name).trim();
    return /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  }
}

export const formOf = ({ body }: Request): Form => new Form(body);

/** What the form parser refuses, by its closed list of types; undefined where it was not the form parser. */
export function formRefusal(error: unknown): Error | undefined {
  const { type } = error as { type?: unknown };
  if (type === 'entity.too.large' || type === 'parameters.too.many')
    return refusal(413, 'body_size', 'The form is too large.');
  if (type === 'encoding.unsupported' || type === 'charset.unsupported')
    return refusal(415, 'content_encoding', 'The form must be sent plain, in UTF-8.');
  if (isBrokenOff(error)) return refusal(400, 'malformed_request', 'The form broke off.');
  return undefined;
}
