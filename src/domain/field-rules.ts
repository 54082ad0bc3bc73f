import { jobFields } from '../../generated/job-fields.ts';
import type { Day } from './dates.ts';
import type { NameOf } from './errors.ts';
import { httpsAddressErrors } from './https-address.ts';

/** A field by the caller's name for it, and what is wrong with its value. */
export type FieldError = readonly [field: string, message: string];

/** A job body that may still break the schema: each rule checks only values of its own type. */
export type JobFields = Readonly<Record<string, unknown>>;

/** A job field's rules beyond its schema, from the extensions in openapi.yaml. */
export interface FieldRules {
  readonly kind: 'text' | 'html' | 'enum' | 'integer' | 'decimal' | 'boolean' | 'date' | 'list' | 'object';
  readonly label: string;
  readonly required: boolean;
  readonly nullable: boolean;
  /** The values of an enum, or of the items of a list. */
  readonly values?: readonly unknown[];
  /** Code points. */
  readonly maxLength?: number;
  readonly default?: boolean;
  readonly visible?: boolean;
  readonly future?: boolean;
  readonly https?: boolean;
  /** In UTF-8. */
  readonly maxBytes?: number;
  readonly decimals?: number;
  readonly references?: 'categories' | 'districts';
  /** The value of another field that makes this one required. */
  readonly requiredWhen?: Readonly<Record<string, unknown>>;
  /** An integer beyond 32 bits. */
  readonly long?: boolean;
  /** This field must not be below that one. */
  readonly atLeast?: string;
}

/** The writable fields of a job by their names, in the order of the contract. */
export const rulesOf: ReadonlyMap<string, FieldRules> = new Map(Object.entries(jobFields));

const lists: Readonly<Record<string, string>> = { categories: 'GET /categories', districts: 'GET /regions' };

/** `; see GET /regions` for a field that holds an id of reference data. */
export function listHint(field: string, nameOf: NameOf): string {
  const list = lists[rulesOf.get(field)?.references ?? ''];
  return list === undefined ? '' : `; see ${nameOf(list)}`;
}

/** Fields with HTML, which is sanitized. */
export const htmlFields: readonly string[] = [...rulesOf].flatMap(([field, { kind }]) =>
  kind === 'html' ? [field] : [],
);

export interface HtmlSize {
  /** Code points. */
  readonly characters: number;
  /** In UTF-8. */
  readonly bytes: number;
}

/** The limits of a field's HTML. A character has at most four bytes. */
export function htmlLimitsOf(field: string): HtmlSize {
  const { maxLength = 0, maxBytes = 4 * maxLength } = rulesOf.get(field) ?? {};
  return { characters: maxLength, bytes: maxBytes };
}

/** Checks the rules on single fields that a schema cannot express; `today` in the service's time zone. */
export const suppliedFieldErrors = (fields: JobFields, today: Day, nameOf: NameOf): FieldError[] =>
  [...rulesOf].flatMap(([field, rules]) => {
    const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
    const absent = absentMessage(field, value);
    if (absent !== undefined) return [[field, absent]];
    const messages = [...wellFormednessErrors(value), ...valueErrors(rules, value, today, listHint(field, nameOf))];
    return messages.map((message): FieldError => [field, message]);
  });

const nullWords: readonly unknown[] = ['null', 'None', 'undefined'];

/** What to send instead of an empty text or a word such as "null" (also as the only item of a list), if the field may be null. */
export function absentMessage(field: string, value: unknown): string | undefined {
  const rules = rulesOf.get(field);
  if (rules?.nullable !== true) return undefined;
  if (value === '') return 'is empty: leave it out, or send null';
  const [item = value] = Array.isArray(value) && value.length === 1 ? value : [];
  if (!nullWords.includes(item) || rules.values?.includes(String(item))) return undefined;
  return 'is the word null: send null, or leave it out';
}

function valueErrors(rules: FieldRules, value: unknown, today: Day, hint: string): string[] {
  if (typeof value === 'string') return textErrors(rules, value, today);
  if (typeof value !== 'number' || !Number.isFinite(value)) return [];
  const { decimals, references } = rules;
  if (decimals !== undefined && hasFurtherDecimals(value, decimals))
    return [`must have at most ${countWords[decimals] ?? decimals} decimal places, such as 1250.5`];
  return references !== undefined && value > referenceIdMax ? [`is no known id${hint}`] : [];
}

/** Ignores a difference below a millionth of the last decimal, or below the spacing of doubles: 0.1 + 0.2 is 0.30. */
const hasFurtherDecimals = (value: number, decimals: number): boolean =>
  Math.abs(value - Number(value.toFixed(decimals))) > 10 ** -(decimals + 6) + Math.abs(value) * Number.EPSILON;

/** A field's value as its column stores it: decimals are rounded. */
export function storedValue(field: string, value: unknown): unknown {
  const decimals = rulesOf.get(field)?.decimals;
  return decimals === undefined || typeof value !== 'number' ? value : Number(value.toFixed(decimals));
}

const countWords = ['no', 'one', 'two', 'three', 'four'];

/** The largest id of reference data. */
export const referenceIdMax = 2_147_483_647;

function textErrors({ visible, maxBytes, future, https }: FieldRules, text: string, today: Day): string[] {
  const isHidden = visible && text !== '' && !hasVisibleCharacter(text);
  const bytes = maxBytes === undefined ? 0 : Buffer.byteLength(text);
  const isPast = future && /^\d{4}-\d{2}-\d{2}$/.test(text) && text <= today;
  return [
    ...(isHidden ? ['must contain a visible character'] : []),
    ...(maxBytes !== undefined && bytes > maxBytes ? [`must be at most ${maxBytes} bytes in UTF-8, not ${bytes}`] : []),
    ...(isPast ? [`must be after today, ${today}; null means open-ended`] : []),
    ...(https && wellFormednessErrors(text).length === 0 ? httpsAddressErrors(text) : []),
  ];
}

/** Checks the rules between fields on the whole job. Messages name one of the fields in `supplied`, those of the request. */
export function crossFieldErrors(job: JobFields, supplied: JobFields): FieldError[] {
  return [...rulesOf].flatMap(([field, { requiredWhen, atLeast }]) => [
    ...(requiredWhen ? requiredErrors(job, field, requiredWhen) : []),
    ...(atLeast ? orderErrors(job, supplied, field, atLeast) : []),
  ]);
}

function requiredErrors(job: JobFields, field: string, when: Readonly<Record<string, unknown>>): FieldError[] {
  const value = job[field];
  const isGiven = typeof value === 'string' ? hasVisibleCharacter(value) : value !== undefined && value !== null;
  if (isGiven) return [];
  return Object.entries(when)
    .filter(([other, needed]) => job[other] === needed)
    .map(([other, needed]) => [field, `is required when ${other} is ${needed}`]);
}

function orderErrors(job: JobFields, supplied: JobFields, field: string, lower: string): FieldError[] {
  const [min, max] = [storedValue(lower, job[lower]), storedValue(field, job[field])];
  const areNumbers = typeof min === 'number' && typeof max === 'number';
  // Days, as YYYY-MM-DD.
  const areDays = typeof min === 'string' && typeof max === 'string';
  if (!(areNumbers || areDays) || max >= min) return [];
  const isLowerSupplied = Object.hasOwn(supplied, lower) && !Object.hasOwn(supplied, field);
  return isLowerSupplied
    ? [[lower, `must be at most ${field}, which is ${max}`]]
    : [[field, `must be at least ${lower}, which is ${min}`]];
}

function wellFormednessErrors(value: unknown): string[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => wellFormednessErrors(item).map((message) => atItem(index, message)));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) =>
      wellFormednessErrors(inner).map((said) => `${name} ${said}`),
    );
  if (typeof value !== 'string') return [];
  if (value.includes('\0')) return ['must not contain the character NUL'];
  return value.isWellFormed() ? [] : ['must not contain a lone surrogate (half of a UTF-16 pair)'];
}

/** A message about one element of a list, by its number from 1. */
export const atItem = (index: number, message: string): string => `item ${index + 1} ${message}`;

/** Whether a text has a visible character. White space, controls, zero-width characters and the blank Braille pattern are not visible. */
export const hasVisibleCharacter = (text: string): boolean =>
  /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Z}\u2800]/u.test(text);

/** The keywords of a JSON schema that bound the size of its values. */
export interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly maxItems?: number;
}

/** A place that exceeds its schema: `count` items where `max` are allowed, or unknown names. */
export interface Oversized {
  readonly path: readonly string[];
  readonly count: number;
  readonly max?: number;
}

/** Up to this many unknown names get their own message. */
const unknownNamesMax = 20;

/**
 * Returns the value without its excess: a list past `maxItems` becomes empty, and an object with more than 20 unknown names keeps only the
 * known ones. Adds each such place to `found`. So the cost of later checks is bounded by the schema.
 */
export function fitted(value: unknown, shape: Shape, found: Oversized[], path: readonly string[] = []): unknown {
  const { properties, items, maxItems } = shape;
  const before = found.length;
  if (Array.isArray(value)) {
    if (maxItems !== undefined && value.length > maxItems) {
      found.push({ path, count: value.length, max: maxItems });
      return [];
    }
    if (!items?.properties && !items?.items) return value;
    const inner = value.map((item, index) => fitted(item, items, found, [...path, String(index)]));
    return found.length === before ? value : inner;
  }
  if (typeof value !== 'object' || value === null || !properties) return value;
  const names = Object.keys(value);
  const known = names.filter((name) => Object.hasOwn(properties, name));
  const count = names.length - known.length;
  if (count > unknownNamesMax) found.push({ path, count });
  const inner = known.map((name): [string, unknown] => [
    name,
    fitted((value as Record<string, unknown>)[name], properties[name] ?? {}, found, [...path, name]),
  ]);
  if (found.length === before) return value;
  return { ...(count > unknownNamesMax ? {} : value), ...Object.fromEntries(inner) };
}
