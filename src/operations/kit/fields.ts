import * as z from 'zod';
import type { Actor } from '../../domain/actor.ts';
import { instantsOf, isDay, isMinute, minuteMs, type RequestTime } from '../../domain/dates.ts';
import { unlimited } from '../../domain/eligibility.ts';
import { type Environment, environments } from '../../domain/environment.ts';
import { invalidField, invalidFields } from '../../domain/errors.ts';
import {
  charactersIn,
  type Fields,
  fitted,
  hasManyMarks,
  hasVisibleCharacter,
  marksMessage,
  type Oversized,
  type Shape,
} from '../../domain/field-rules.ts';
import { isJsonObject } from '../../domain/json-object.ts';
import type { Message } from '../../domain/message.ts';
import { addressLengthMax, personAddress } from '../../domain/person-address.ts';
import { holdsSecret, secretMessage } from '../../domain/token.ts';
import { typedNumber, Unclear } from '../../domain/typed-number.ts';
import { searchedId } from './clauses-sql.ts';

// The input of people's operations: the kinds of fields in forms and commands, and the check of the input. A message completes a sentence
// that begins with the field, as in "The name must be given.", and is its own translation key.

type FieldKind =
  | 'line'
  | 'email'
  | 'password'
  | 'number'
  | 'limit'
  | 'day'
  | 'minute'
  | 'choice'
  | 'flag'
  | 'text'
  | 'id'
  | 'ids'
  | 'version'
  | 'json';

interface FieldMeta {
  readonly kind?: FieldKind;
  /** Forms and a command's help show the label and the hint. */
  readonly label?: string;
  readonly hint?: string | Message;
  /** The hint that a company's own people see instead of `hint`. */
  readonly ownHint?: string;
  readonly example?: string;
  /** The name of the value in a command's help. */
  readonly placeholder?: string;
  /** The values of a choice, and their labels. */
  readonly values?: readonly string[];
  readonly valueLabels?: Readonly<Record<string, string>>;
  /** The kind of actor that must fill in this field. Others may leave it out. */
  readonly requiredOf?: Actor['kind'];
}

declare module 'zod' {
  interface GlobalMeta extends FieldMeta {}
}

/** The largest value of a 32-bit column. */
export const integerMax = 2_147_483_647;

const isOneLine = (text: string): boolean => !/\p{Cc}/u.test(text) && text.isWellFormed();

/** One line of text, trimmed. */
export const line = (charactersMax: number) => lineOf(z.string('must be given'), charactersMax);

const lineOf = (text: z.ZodString, charactersMax: number) =>
  text
    .trim()
    .max(charactersMax, { error: 'must be at most {{max}} characters', abort: true })
    .refine(hasVisibleCharacter, 'must not be blank')
    .refine(isOneLine, 'must be one line of plain text')
    .refine((text) => !hasManyMarks(text), { error: marksMessage.text, params: marksMessage.params })
    .meta({ kind: 'line' });

/** The name of a new company, with single spaces, as pages show it: who erases a company types its name. */
export const newCompanyName = () =>
  line(255)
    .overwrite((text) => text.replace(/\s+/g, ' '))
    .meta({ label: 'Name', example: 'Oficina Exemplo' });

const emailFormat = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/** An e-mail address, in lower case. */
export const email = () =>
  line(addressLengthMax)
    .toLowerCase()
    .regex(emailFormat, 'must be an e-mail address')
    .meta({ kind: 'email', label: 'E-mail address', hint: 'The address that the person signs in with.' });

/**
 * The address of a new account. It must be ASCII, because other scripts have letters that look the same. Addresses of older accounts may
 * contain other characters.
 */
export const newEmail = () =>
  email()
    .overwrite(personAddress)
    .regex(/^[\x21-\x7e]+$/, 'must have only ASCII characters; write another domain as xn--')
    .regex(emailFormat, 'must be an e-mail address');

const passwordCharacters = { min: 12, max: 1000 };
const isWithin = (count: number, { min, max }: typeof passwordCharacters): boolean => count >= min && count <= max;
export const passwordCharactersMin = passwordCharacters.min;

/** The limits count code points. */
export const password = () =>
  z
    .string('must be given')
    .refine((text) => isWithin(charactersIn(text), passwordCharacters), {
      error: 'must be {{min}} to {{max}} characters',
      params: passwordCharacters,
      abort: true,
    })
    .refine(isOneLine, 'must be one line of plain text')
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

/** Matches the text for no limit. A page sends the number and then the checkbox: `,unlimited`. */
const noLimit = /^,?unlimited$/;
/** Matches a checked box, also beside a number: `30,unlimited`. */
export const checkedNoLimit = /(^|,)unlimited$/;

function typedLimit(text: string): number | Unclear {
  if (noLimit.test(text)) return unlimited;
  if (checkedNoLimit.test(text)) return new Unclear('must be a number or unlimited, not both');
  const number = typedNumber(text, 0);
  // Stored, it would mean no limit.
  return number === unlimited ? new Unclear('must not be negative') : number;
}

/** A number, or no limit: -1 for programs, `unlimited` as a text. */
export const limit = () =>
  z
    .int('must be a whole number')
    .min(unlimited, 'must not be negative')
    .max(integerMax, 'must be at most {{max}}')
    .meta({ kind: 'limit', placeholder: 'number|unlimited', example: '30' });

/** A calendar day from 1000 to 2999. */
export const day = () =>
  z
    .string('must be a day, YYYY-MM-DD')
    .refine((text) => /^[12]/.test(text) && isDay(text), 'must be a day, YYYY-MM-DD')
    .meta({ kind: 'day' });

const zoneHint = "In the service's time zone, or with Z or an offset. Of a time that the clocks show twice,";

export const minute = () =>
  z
    .string('must be a minute, YYYY-MM-DDTHH:MM')
    .trim()
    .refine(isMinute, 'must be a minute, YYYY-MM-DDTHH:MM')
    .meta({ kind: 'minute', hint: `${zoneHint} the later one counts.` });

/** The first and last minute of a list's filter. */
export const minutes = (labels = { from: 'From', to: 'To' }) => {
  const hint = `${zoneHint} both are included.`;
  return {
    from: minute().optional().meta({ label: labels.from, hint }),
    to: minute().optional().meta({ label: labels.to, hint }),
  };
};

/** Returns the instants that a typed minute means: two if the clocks show it twice. Throws `invalid_input` for a minute that the clocks skip. */
export function instantsIn({ timeZone }: RequestTime, field: string, minute: string | undefined): Date[] {
  const found = minute === undefined ? [] : instantsOf(timeZone, minute);
  if (minute === undefined || found.length > 0) return found;
  throw invalidField(field, 'must be a time that the clocks show; they skip this one');
}

/**
 * The time span from the minute `from` to the minute `to`; `until` is exclusive. Throws `invalid_input` for a minute that the clocks skip,
 * or if `to` is before `from`.
 */
export function spanOf(time: RequestTime, from?: string, to?: string) {
  const [since, last] = [instantsIn(time, 'from', from)[0], instantsIn(time, 'to', to).at(-1)];
  if (since && last && last < since) throw invalidField('to', 'must not be before the beginning');
  return { since, until: last && new Date(last.getTime() + minuteMs) };
}

export const flag = () => z.boolean('must be yes or no').meta({ kind: 'flag' });

export const choice = <const T extends readonly string[]>(values: T) =>
  z
    .enum(values, {
      error: ({ input }) => (input === undefined || input === '' ? 'must be given' : 'must be one of {{values}}'),
    })
    .meta({ kind: 'choice', values });

/** An id of at most 18 digits, like the ids in the pages' paths. */
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

/** An API request body, which the operation checks against the contract. A page has a control for each field; a command reads a file. */
export const json = () =>
  z.custom<Fields>(isJsonObject, 'must be a JSON object').meta({ kind: 'json', label: 'File', placeholder: 'path' });

/** The version that the person has read. A page sends it in a hidden field. */
export const version = () =>
  line(100)
    .optional()
    .meta({ kind: 'version', label: 'Version', hint: 'The one that was read; without it, the current one.' });

export const companyId = () => id().meta({ label: 'Company' });

/** A company's ID, or words of its name, from which `companyNamed` finds the ID. */
export const companyIdOrName = () =>
  z
    .preprocess(
      (given) => (isId(given) ? String(given) : given),
      line(255).transform((text) => searchedId(text) ?? text),
    )
    .meta({ kind: 'line', label: 'Company', placeholder: 'id|name', hint: 'Words of its name, or its ID.' });

export const environmentLabels: Readonly<Record<Environment, string>> = {
  production: 'Production',
  sandbox: 'Sandbox',
};

export const environment = () => choice(environments).meta({ label: 'Environment', valueLabels: environmentLabels });

const onOneLine = (text: string): string =>
  text
    .split(/[\r\n]+/)
    .map((part) => part.trim())
    .filter(Boolean)
    .join(' ');

export const reasonCharactersMax = 1000;
/** A text area also takes line breaks; each becomes a space, as in a field of one line. */
export const reason = () =>
  lineOf(z.string('must be given').overwrite(onOneLine), reasonCharactersMax).meta({
    kind: 'text',
    label: 'Reason',
    hint: 'Kept in the audit trail. The company concerned sees it under Activity.',
    ownHint: 'Your colleagues see it under Activity.',
  });

/** The reason of a change that no company sees, because it concerns none, or none remains. */
export const staffReason = () => reason().meta({ hint: 'Kept in the audit trail.' });

/** A word in capital letters, typed to confirm a change that cannot be undone. Required of a company's people only. */
export const confirmation = (word: string) =>
  z
    .string('must be given')
    .trim()
    .refine((text) => text === word, { error: 'Type {{word}} in capital letters.', params: { word } })
    .optional()
    .meta({ requiredOf: 'user' });

/** In characters. */
export const searchTextMax = 255;

/** The text of a search. A blank text finds everything. */
export const searchText = () =>
  z
    .string('must be given')
    .trim()
    .max(searchTextMax, 'must be at most {{max}} characters')
    .transform((text) => text || undefined)
    .meta({ label: 'Search' });

const orderLabels = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  changed: 'Latest changes first',
  title: 'By title',
  name: 'By name',
};

/** The order of a list. The first one is the default. */
export const sort = <const T extends readonly [keyof typeof orderLabels, ...(keyof typeof orderLabels)[]]>(orders: T) =>
  choice(orders).default(orders[0]).meta({ label: 'Order', valueLabels: orderLabels });

/** The character that separates the cells of a CSV file. */
export const separator = () =>
  choice(['comma', 'semicolon'])
    .default('comma')
    .meta({ label: 'Separator', hint: 'Excel needs semicolons where numbers have a decimal comma, as in Portuguese.' });

/** The cursor of a page, for a list whose pages have no numbers. */
export const before = () => id().optional().meta({ label: 'Next page', hint: 'The `next` of the page before.' });

/** The page of a list, from 1. */
export const page = () => wholeNumber(1, 10_000_000).default(1).meta({ label: 'Page' });

type Known = 'kind' | 'label' | 'values' | 'valueLabels';

export interface Field extends Omit<FieldMeta, 'hint' | Known>, Required<Pick<FieldMeta, Known>> {
  readonly name: string;
  readonly hint: Message;
  readonly isRequired: boolean;
  /** The default value. */
  readonly initial: unknown;
  readonly schema: z.ZodType;
}

/** The fields of an input in their order, for forms and commands. */
export const fieldsOf = ({ shape }: z.ZodObject<Record<string, z.ZodType>>): Field[] =>
  Object.entries(shape).map(([name, schema]) => {
    const { hint = '', ...meta } = metaOf(schema);
    const { success, data: initial } = schema.safeParse(undefined);
    const known = { kind: 'line', label: name, values: [], valueLabels: {}, ...meta } as const;
    return {
      ...known,
      name,
      hint: typeof hint === 'string' ? { text: hint } : hint,
      isRequired: !success,
      initial,
      schema,
    };
  });

/** The metadata of a field. An optional field, or one with a default, inherits the metadata of its inner schema. */
export function metaOf(schema: z.core.$ZodType): z.GlobalMeta {
  const inner = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? metaOf(schema.unwrap()) : {};
  return { ...inner, ...z.globalRegistry.get(schema) };
}

const numberOf = (text: string): number => (/^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN);

const conversions: Readonly<Partial<Record<FieldKind, (text: string) => unknown>>> = {
  number: (text) => typedNumber(text, 0),
  limit: typedLimit,
  id: (text) => (/^\d{1,19}$/.test(text) ? BigInt(text) : text),
  ids: (text) => (text.trim() === '' ? [] : text.split(',').map((part) => numberOf(part.trim()))),
};

/** Converts typed text to the type that the field's schema expects. Never throws: `checkInput` refuses unsuitable text. */
export const fromText = ({ kind }: Pick<Field, 'kind'>, text: string): unknown => conversions[kind]?.(text) ?? text;

/** Returns the checked input. Throws `invalid_input` with the first message of each wrong field. */
export function checkInput<Input extends z.ZodObject>(input: Input, given: unknown): z.output<Input> {
  const oversized: Oversized[] = [];
  const sized = fitted(given, shapeOf(input), oversized);
  const checked = input.safeParse(sized);
  const secret = secretsIn(sized, checked.error?.issues);
  if (checked.success && oversized.length + secret.length === 0) return checked.data;
  const fields: Record<string, Message> = Object.fromEntries(secret.map((name) => [name, { text: secretMessage }]));
  for (const { path, max } of oversized)
    fields[path.join('.')] = { text: 'must have at most {{max}} items', params: { max } };
  for (const [name, value] of Object.entries(sized ?? {})) if (value instanceof Unclear) fields[name] = value.message;
  for (const issue of checked.error?.issues ?? []) fields[String(issue.path[0] ?? '')] ??= issueMessage(issue);
  throw invalidFields(Object.entries(fields));
}

/** The fields whose text contains a secret. Skips texts that are too long, and JSON fields, in which the contract's rule finds secrets. */
function secretsIn(given: unknown, issues: readonly z.core.$ZodIssue[] = []): string[] {
  const tooLong = new Set(issues.filter(({ code }) => code === 'too_big').map(({ path }) => path[0]));
  return Object.entries(given ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' && !tooLong.has(name) && holdsSecret(value) ? [name] : [],
  );
}

const shapes = new WeakMap<z.ZodObject, Shape>();

function shapeOf(input: z.ZodObject): Shape {
  // `fitted` would measure a text before it is trimmed. The schema measures the trimmed text, before it applies its other rules.
  const override = ({ jsonSchema }: { jsonSchema: { maxLength?: number } }) => void delete jsonSchema.maxLength;
  const shape =
    shapes.get(input) ?? (z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', override }) as Shape);
  shapes.set(input, shape);
  return shape;
}

/** The message of a schema's issue, with the values of its placeholders, such as the exceeded limit. */
export function issueMessage(issue: z.core.$ZodIssue): Message {
  const { message: text } = issue;
  if (issue.code === 'too_small') return { text, params: { min: issue.minimum } };
  if (issue.code === 'too_big') return { text, params: { max: issue.maximum } };
  if (issue.code === 'invalid_value') return { text, params: { values: issue.values.join(', ') } };
  return issue.code === 'custom' && issue.params ? { text, params: issue.params } : { text };
}
