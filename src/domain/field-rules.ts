import { storedFields, storedNouns } from '../../generated/stored-fields.ts';
import type { Day } from './dates.ts';
import { type FieldError, type Message, withAdvice } from './message.ts';
import { type ReferenceList, referenceLists } from './reference-lists.ts';

/** A body that may break the schema. Each rule therefore checks only values of the type that it is about. */
export type Fields = Readonly<Record<string, unknown>>;

/** What code needs to know about a field: parts of its schema, and the extensions in openapi.yaml. */
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
  readonly future?: boolean;
  /** In UTF-8. */
  readonly maxBytes?: number;
  readonly decimals?: number;
  readonly references?: ReferenceList;
  /** The value of another field that makes this one required. */
  readonly requiredWhen?: Readonly<Record<string, unknown>>;
  /** Whether the integer may exceed 32 bits. */
  readonly long?: boolean;
  /** The name of a field that this field must not be below. */
  readonly atLeast?: string;
}

/** The rules of a table's fields by their names, in the order of the contract. */
export type Rules = ReadonlyMap<string, FieldRules>;

const none: Rules = new Map();

/** The rules of every table, by the table's name. */
const allRules: ReadonlyMap<string, Rules> = new Map(
  Object.entries(storedFields).map(([table, fields]) => [table, new Map<string, FieldRules>(Object.entries(fields))]),
);

/** Returns the rules of a table's fields. Empty without a table. */
export const rulesOf = (table: keyof typeof storedFields | (string & {}) | undefined): Rules =>
  allRules.get(table ?? '') ?? none;

/** Returns the label of a field of the resource that the contract calls `noun`. */
export const labelOf = (noun: string, field: string): string | undefined =>
  rulesOf(Object.entries(storedNouns).find(([, name]) => name === noun)?.[0]).get(field)?.label;

/** If a field refers to reference data, adds to its message the operation that lists the ids. Otherwise returns the message unchanged. */
export const withList = (references: ReferenceList | undefined, message: Message): Message =>
  references === undefined
    ? message
    : withAdvice(message, { advice: '; see {{list}}', names: { list: referenceLists[references].operation } });

/** Returns the fields with HTML, which is sanitized. */
export const htmlFieldsOf = (rules: Rules): string[] =>
  [...rules].flatMap(([field, { kind }]) => (kind === 'html' ? [field] : []));

export interface HtmlSize {
  /** Code points. */
  readonly characters: number;
  /** In UTF-8. */
  readonly bytes: number;
}

/** The limits of a field's HTML. A character has at most four bytes. */
export function htmlLimitsOf({
  maxLength = 0,
  maxBytes = 4 * maxLength,
}: Pick<FieldRules, 'maxLength' | 'maxBytes'>): HtmlSize {
  return { characters: maxLength, bytes: maxBytes };
}

const ofHtml = [...allRules.values()].flatMap((rules) => htmlFieldsOf(rules).map((field) => rules.get(field) ?? {}));

/** The largest limits of any field with HTML. */
export const htmlMax: HtmlSize = {
  characters: Math.max(...ofHtml.map((rules) => htmlLimitsOf(rules).characters)),
  bytes: Math.max(...ofHtml.map((rules) => htmlLimitsOf(rules).bytes)),
};

/** Checks the rules on single fields that a schema cannot express. `today` is the day in the service's time zone. */
export const suppliedFieldErrors = (all: Rules, fields: Fields, today: Day): FieldError[] =>
  [...all].flatMap(([field, rules]) => {
    const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
    const absent = absentMessage(rules, value);
    if (absent !== undefined) return [[field, absent]];
    return valueErrors(rules, value, today).map((message): FieldError => [field, withList(rules.references, message)]);
  });

const nullWords: readonly unknown[] = ['null', 'None', 'undefined'];

/** Whether an idempotency key is some programming language's word for no value: all jobs of a faulty client would share that key. */
export const isNullKey = (key: unknown): boolean => /^(null|none|undefined|nil|nan)$/i.test(String(key ?? ''));

/** Says what to send instead of '' or a word such as "null" (also as the only item of a list), if the field may be null. */
export function absentMessage(rules: Pick<FieldRules, 'nullable' | 'values'>, value: unknown): Message | undefined {
  if (!rules.nullable) return undefined;
  if (value === '') return { text: 'is empty', advice: ': leave it out, or send null' };
  const [item = value] = Array.isArray(value) && value.length === 1 ? value : [];
  if (!nullWords.includes(item) || rules.values?.includes(String(item))) return undefined;
  return { text: 'is the word null', advice: ': send null, or leave it out' };
}

function valueErrors(rules: FieldRules, value: unknown, today: Day): Message[] {
  if (typeof value === 'string') return textErrors(rules, value, today);
  if (typeof value !== 'number' || !Number.isFinite(value)) return [];
  const { decimals, references } = rules;
  if (decimals !== undefined && hasFurtherDecimals(value, decimals)) return [placesMessage(decimals)];
  return references !== undefined && value > referenceIdMax ? [{ text: 'is no known id' }] : [];
}

const countWords: Readonly<Record<number, string>> = { 2: 'two', 3: 'three', 4: 'four' };

function placesMessage(decimals: number): Message {
  if (decimals === 0) return { text: 'must be a whole number' };
  const advice = ', such as 1250.5';
  if (decimals === 1) return { text: 'must have at most one decimal place', advice };
  const places = countWords[decimals] ?? decimals;
  return { text: 'must have at most {{places}} decimal places', advice, params: { places } };
}

/** Ignores a difference below a millionth of the last decimal, or below the spacing of doubles: 0.1 + 0.2 passes as 0.30. */
const hasFurtherDecimals = (value: number, decimals: number): boolean =>
  Math.abs(value - Number(value.toFixed(decimals))) > 10 ** -(decimals + 6) + Math.abs(value) * Number.EPSILON;

/** A field's value as its column stores it: decimals are rounded. */
export function storedValue({ decimals }: Pick<FieldRules, 'decimals'> = {}, value: unknown): unknown {
  return decimals === undefined || typeof value !== 'number' ? value : Number(value.toFixed(decimals));
}

/** The largest id of reference data. */
export const referenceIdMax = 2_147_483_647;

/** Whether two JSON values are equal; -0 equals 0, as in a database. Follows both only as deep as they have the same names. */
function areEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const [parts, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  if (Array.isArray(one) !== Array.isArray(other) || parts.size !== others.size) return false;
  return [...parts].every(([name, part]) => others.has(name) && areEqual(part, others.get(name)));
}

/** Returns the fields whose values differ from those in `stored`, which holds values as a caller would send them. */
export const changesTo = <F extends Fields>(stored: Fields, fields: F): Partial<F> =>
  Object.fromEntries(Object.entries(fields).filter(([field, value]) => !areEqual(value, stored[field]))) as Partial<F>;

/** A row's fields as a caller would send them: decimals, which are returned as text, become numbers. */
export function asSent(rules: Rules, row: object): Fields {
  const returned = new Map<string, unknown>(Object.entries(row));
  return Object.fromEntries(
    [...rules].map(([name, { kind }]) => {
      const value = returned.get(name);
      return [name, kind === 'decimal' && value !== null ? Number(value) : value];
    }),
  );
}

/** Returns the supplied fields that differ from the row's. */
export const changesOf = (rules: Rules, row: object, fields: Fields): Fields => changesTo(asSent(rules, row), fields);

/** The fields' values as their columns store them. */
export const storedValues = (rules: Rules, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, storedValue(rules.get(field), value)]));

function textErrors({ maxBytes, future, nullable }: FieldRules, text: string, today: Day): Message[] {
  const size = maxBytes === undefined ? 0 : Buffer.byteLength(text);
  const isPast = future && /^\d{4}-\d{2}-\d{2}$/.test(text) && text <= today;
  return [
    ...(maxBytes !== undefined && size > maxBytes ? [tooManyBytes(maxBytes, size)] : []),
    ...(isPast
      ? [{ text: 'must be after today', advice: `, {{today}}${nullable ? ', or null' : ''}`, params: { today } }]
      : []),
  ];
}

export const tooManyBytes = (max: number, size: number): Message => ({
  text: 'must be at most {{max}} bytes in UTF-8, not {{size}}',
  params: { max, size },
});

export const tooManyCharacters = (max: number, size: number): Message => ({
  text: 'must have at most {{max}} characters, not {{size}}',
  params: { max, size },
});

/** The fields of a new row before any is sent: their defaults, or null. */
export const newRow = (rules: Rules): Fields =>
  Object.fromEntries([...rules].map(([field, rule]) => [field, rule.default ?? null]));

/** Checks the rules between the fields of `whole`. If the request supplied only the lower of two fields, the message is about that one. */
export function crossFieldErrors(rules: Rules, whole: Fields, supplied: Fields): FieldError[] {
  return [...rules].flatMap(([field, { requiredWhen, atLeast }]) => [
    ...(requiredWhen ? requiredErrors(whole, field, requiredWhen) : []),
    ...(atLeast ? orderErrors(rules, whole, supplied, [field, atLeast]) : []),
  ]);
}

function requiredErrors(whole: Fields, field: string, when: Readonly<Record<string, unknown>>): FieldError[] {
  const value = whole[field];
  const isGiven = typeof value === 'string' ? hasVisibleCharacter(value) : value !== undefined && value !== null;
  if (isGiven) return [];
  return Object.entries(when)
    .filter(([other, needed]) => whole[other] === needed)
    .map(([other, needed]) => [
      field,
      { text: 'is required when {{field}} is {{value}}', names: { field: other, value: String(needed) } },
    ]);
}

function orderErrors(
  rules: Rules,
  whole: Fields,
  supplied: Fields,
  [field, lower]: readonly [string, string],
): FieldError[] {
  const [min, max] = [lower, field].map((name) => storedValue(rules.get(name), whole[name]));
  const areNumbers = typeof min === 'number' && typeof max === 'number';
  // These texts are days, written YYYY-MM-DD.
  const areDays = typeof min === 'string' && typeof max === 'string';
  if (!(areNumbers || areDays) || max >= min) return [];
  const isLowerSupplied = Object.hasOwn(supplied, lower) && !Object.hasOwn(supplied, field);
  return isLowerSupplied
    ? [[lower, { text: 'must be at most {{field}}, which is {{value}}', names: { field }, params: { value: max } }]]
    : [
        [
          field,
          { text: 'must be at least {{field}}, which is {{value}}', names: { field: lower }, params: { value: min } },
        ],
      ];
}

/** The most combining marks in a row, as in the Stream-Safe Text Format (UAX #15). A browser takes seconds to show thousands of them. */
const marksMax = 30;
/** Format characters, such as a zero-width joiner, do not end a row of marks. */
const markRows = /[\p{M}\p{Cf}]+/gu;

export const marksMessage = {
  text: 'must have at most {{max}} combining marks, such as accents, in a row',
  params: { max: marksMax },
} as const satisfies Message;

export const hasManyMarks = (text: string): boolean =>
  (text.match(markRows) ?? []).some((row) => row.length > marksMax && (row.match(/\p{M}/gu) ?? []).length > marksMax);

/** Why a text cannot be stored, or cannot be shown. Undefined if it can. */
export function wellFormednessError(text: string): Message | undefined {
  if (text.includes('\0')) return { text: 'must not contain the character NUL' };
  if (!text.isWellFormed()) return { text: 'must not contain a lone surrogate', advice: ' (half of a UTF-16 pair)' };
  return hasManyMarks(text) ? marksMessage : undefined;
}

/** Controls, zero-width characters and the blank Braille pattern. */
const invisibleOnes = String.raw`\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800`;
const invisible = new RegExp(`[${invisibleOnes}]`, 'gu');
const visible = new RegExp(`[^\\s\\p{Z}${invisibleOnes}]`, 'u');

/** Returns a text as it looks: without invisible characters, in compatibility forms, and with single spaces. */
export const visibleText = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(invisible, '').normalize('NFKC').replace(/\s+/g, ' ').trim();

/** Whether a text has a visible character. White space is not visible. */
export const hasVisibleCharacter = (text: string): boolean => visible.test(text);

/** The keywords of a JSON schema that describe the structure of values and bound their size. */
export interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly maxItems?: number;
  /** Code points. */
  readonly maxLength?: number;
}

/** A place that exceeds its schema: `count` items or characters where `max` are allowed, or `count` unknown names. */
export interface Oversized {
  readonly path: readonly string[];
  readonly unit: 'items' | 'characters' | 'names';
  readonly count: number;
  readonly max?: number;
}

/** Each unknown name gets its own message, unless an object has more than this many. */
export const unknownNamesMax = 20;

/** Counts a text's code points without building an array of them. */
export function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Counts code points only if `length` cannot decide: a code point is one or two units of UTF-16. */
const isLonger = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || charactersIn(text) > max);

/**
 * Returns the value without its excess: a list past `maxItems` and a text past `maxLength` become empty, and an object with more than 20
 * unknown names keeps only the known ones. Adds each such place to `found`. This lets the schema bound the cost of later checks.
 */
export function fitted(value: unknown, shape: Shape, found: Oversized[], path: readonly string[] = []): unknown {
  const { properties, items, maxItems, maxLength } = shape;
  if (typeof value === 'string') {
    if (maxLength === undefined || !isLonger(value, maxLength)) return value;
    found.push({ path, unit: 'characters', count: charactersIn(value), max: maxLength });
    return '';
  }
  if (typeof value !== 'object' || value === null) return value;
  const before = found.length;
  if (Array.isArray(value)) {
    if (maxItems !== undefined && value.length > maxItems) {
      found.push({ path, unit: 'items', count: value.length, max: maxItems });
      return [];
    }
    if (items === undefined) return value;
    const inner = value.map((item, index) => fitted(item, items, found, [...path, String(index)]));
    return found.length === before ? value : inner;
  }
  if (!properties) return value;
  const given = value as Readonly<Record<string, unknown>>;
  const known = Object.entries(properties).filter(([name]) => Object.hasOwn(given, name));
  const count = Object.keys(given).length - known.length;
  if (count > unknownNamesMax) found.push({ path, unit: 'names', count });
  const inner = known.map(([name, shape]) => [name, fitted(given[name], shape, found, [...path, name])] as const);
  if (found.length === before) return value;
  return { ...(count > unknownNamesMax ? {} : given), ...Object.fromEntries(inner) };
}
