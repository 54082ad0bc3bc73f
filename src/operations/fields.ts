import { z } from 'zod';
import { isDay } from '../domain/dates.ts';
import { type Environment, environments } from '../domain/environment.ts';
import { hasVisibleCharacter } from '../domain/job-rules.ts';
import type { Message } from '../domain/message.ts';
import type { choices } from './choices.ts';

// The kinds of fields that people fill in. A message is the end of "The name ..." and its own key for translation.

export type FieldKind = 'line' | 'email' | 'password' | 'number' | 'day' | 'choice' | 'flag' | 'text' | 'id' | 'ids';

export interface FieldMeta {
  readonly kind?: FieldKind;
  /** Words for the field, and what else a person should know. */
  readonly label?: string;
  readonly hint?: string | Message;
  readonly example?: string;
  /** The values of a choice, and words for them. */
  readonly values?: readonly string[];
  readonly valueLabels?: Readonly<Record<string, string>>;
  /** What a page offers for a field of another kind, where that is in the database. */
  readonly choices?: keyof typeof choices;
}

declare module 'zod' {
  interface GlobalMeta extends FieldMeta {}
}

/** The largest value of a 32-bit column. */
export const integerMax = 2_147_483_647;

const control = /\p{Cc}/u;

/** One line of text, trimmed. */
export const line = (charactersMax: number) =>
  z
    .string('must be given')
    .trim()
    .refine(hasVisibleCharacter, 'must not be blank')
    .max(charactersMax, 'must be at most {{max}} characters')
    .refine((text) => !control.test(text) && text.isWellFormed(), 'must be one line of plain text')
    .meta({ kind: 'line' });

/** An e-mail address, in lower case. */
export const email = () =>
  line(255)
    .toLowerCase()
    .regex(/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, 'must be an e-mail address')
    .meta({ kind: 'email', label: 'E-mail address', hint: 'The address that the person signs in with.' });

const passwordCharacters = { min: 12, max: 1000 };
export const passwordCharactersMin = passwordCharacters.min;

/** Characters are code points. */
export const password = () =>
  z
    .string('must be given')
    .refine((text) => [...text].length >= passwordCharacters.min && [...text].length <= passwordCharacters.max, {
      error: 'must be {{min}} to {{max}} characters',
      params: passwordCharacters,
    })
    .refine((text) => text.isWellFormed(), 'must be well-formed text')
    .meta({
      kind: 'password',
      label: 'Password',
      hint: { text: 'At least {{min}} characters.', params: passwordCharacters },
    });

export const wholeNumber = (min: number, max: number) =>
  z
    .int('must be a whole number')
    .min(min, 'must be at least {{min}}')
    .max(max, 'must be at most {{max}}')
    .meta({ kind: 'number' });

/** A calendar day from 1000 to 2999. */
export const day = () =>
  z
    .string('must be a day, YYYY-MM-DD')
    .refine((text) => /^[12]/.test(text) && isDay(text), 'must be a day, YYYY-MM-DD')
    .meta({ kind: 'day' });

export const flag = () => z.boolean('must be yes or no').meta({ kind: 'flag' });

export const choice = <const T extends readonly string[]>(values: T) =>
  z.enum(values, 'must be one of {{values}}').meta({ kind: 'choice', values });

/** Of at most 18 digits, like the ids in the pages' paths. */
const isId = (value: unknown): value is bigint | number =>
  typeof value === 'bigint' ? value > 0n && value < 10n ** 18n : Number.isSafeInteger(value) && Number(value) > 0;

export const id = () =>
  z.custom<bigint | number>(isId, 'must be an ID, a whole number from 1').transform(BigInt).meta({ kind: 'id' });

const idsMax = 200;
export const ids = () => {
  const message = 'must be IDs, whole numbers from 1';
  const id = z.int(message).min(1, message).max(integerMax, message);
  return z.array(id, message).max(idsMax, 'must have at most {{max}} items').meta({ kind: 'ids' });
};

export const companyId = () => id().meta({ label: 'Company', hint: 'ID of the company.' });

export const environmentLabels: Readonly<Record<Environment, string>> = {
  production: 'Production',
  sandbox: 'Sandbox',
};

export const environment = () => choice(environments).meta({ label: 'Environment', valueLabels: environmentLabels });

export const reasonCharactersMax = 1000;
export const reason = () =>
  line(reasonCharactersMax).meta({
    kind: 'text',
    label: 'Reason',
    hint: 'Recorded in the audit trail; a company sees what concerns it.',
  });

/** What a list is searched for; a blank text finds everything. */
export const searchText = () =>
  z
    .string('must be given')
    .trim()
    .max(255, 'must be at most {{max}} characters')
    .transform((text) => text || undefined)
    .meta({ label: 'Search' });

const orderLabels = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  changed: 'Latest changes first',
  title: 'By title',
  name: 'By name',
};

/** The order of a list; the first is usual. */
export const sort = <const T extends readonly [keyof typeof orderLabels, ...(keyof typeof orderLabels)[]]>(orders: T) =>
  choice(orders).default(orders[0]).meta({ label: 'Order', valueLabels: orderLabels });

/** Where the next page of a list without numbers begins. */
export const before = () => id().optional().meta({ label: 'Next page', hint: 'The `next` of the page before.' });

/** The page of a list, from 1. */
export const page = () => wholeNumber(1, 10_000_000).default(1).meta({ label: 'Page' });
