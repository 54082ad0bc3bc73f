import { domainToASCII } from 'node:url';
import type { ErrorObject } from 'ajv';
import { isDay } from '../domain/dates.ts';
import type { NameOf } from '../domain/errors.ts';
import { absentMessage, atItem, type FieldError, listHint, rulesOf } from '../domain/field-rules.ts';
import { isSameName, nearest } from '../domain/nearest.ts';
import { type Operation, wholeBody, wholeQuery } from './document.ts';
import { tools } from './tools.ts';

/** Turns an ajv error, with its value and schema, into the caller's name of the field and a message that says what to send. */
export function fieldErrorOf(error: ErrorObject, operation: Operation, nameOf: NameOf): FieldError {
  const steps = error.instancePath.split('/').slice(1).map(unescapePointer);
  const child = error.params.missingProperty ?? error.params.additionalProperty;
  if (child !== undefined) steps.push(child);
  const [route, name = '', ...inside] = steps;
  const field = fieldName(steps, operation, nameOf);
  if (inside.length > 0) return [field, placed(inside, message(error))];
  const isInBody = route === 'requestBody';
  if (error.keyword === 'additionalProperties') return [field, unknownField(name, isInBody, operation, nameOf)];
  const absent = isInBody ? absentMessage(name, error.data) : undefined;
  if (absent !== undefined) return [field, absent];
  return [field, message(error) + (isInBody ? listHint(name, nameOf) : '')];
}

/** A message about a part of a field's value: `city must ...`, `item 2 level must ...`. */
export const placed = (steps: readonly string[], message: string): string =>
  steps.reduceRight(
    (said, step) => (/^\d+$/.test(step) ? atItem(Number(step), said) : `${excerpt(step)} ${said}`),
    message,
  );

/** The field of an ajv path: education_details for `/requestBody/education_details/3`, Idempotency-Key for `/header/idempotency-key`. */
export function fieldName(
  [route, name]: readonly string[],
  { parameters }: Pick<Operation, 'parameters'>,
  nameOf: NameOf,
): string {
  if (name === undefined) return nameOf(route === 'query' ? wholeQuery : wholeBody);
  const written = route === 'header' ? parameters.find((p) => p.name.toLowerCase() === name)?.name : undefined;
  return excerpt(written === undefined ? name : nameOf(written));
}

const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

const nameLengthMax = 100;
export const excerpt = (text: string): string =>
  text.length > nameLengthMax ? `${text.slice(0, nameLengthMax)}…` : text;

const messages: Readonly<Record<string, (error: ErrorObject) => string>> = {
  required: requiredMessage,
  additionalProperties: ({ parentSchema }) =>
    `is not a known field; known are ${Object.keys(parentSchema?.properties ?? {}).join(', ')}`,
  type: typeMessage,
  enum: enumMessage,
  minLength: ({ params: { limit } }) => `must have at least ${limit} character${limit === 1 ? '' : 's'}`,
  maxLength: ({ params: { limit }, data }) => `must have at most ${limit} characters, not ${[...String(data)].length}`,
  minItems: ({ params: { limit } }) => `must have at least ${limit} item${limit === 1 ? '' : 's'}`,
  uniqueItems: ({ params: { i, j } }) =>
    `must have each item once: items ${Math.min(i, j) + 1} and ${Math.max(i, j) + 1} are the same`,
  multipleOf: ({ params: { multipleOf } }) => `must be a multiple of ${multipleOf}`,
  minProperties: ({ params: { limit } }) => `must have at least ${limit} field`,
  minimum: ({ params: { limit } }) => `must be at least ${limit}`,
  maximum: ({ params: { limit } }) => `must be at most ${limit}`,
  pattern: ({ instancePath, params: { pattern } }) => patternMessages[instancePath] ?? `must match ${pattern}`,
  format: ({ params: { format }, data }) => formatMessages[format]?.(String(data)) ?? `must be a valid ${format}`,
};

const patternMessages: Readonly<Record<string, string>> = {
  '/header/if-match':
    'must be the ETag of the job with its double quotes, such as "48213/2026-11-20T14:02:09.077Z/active/Vaga", or *; or leave it out',
  '/requestBody/contact_phone': 'must contain a digit, such as +351 210 000 000',
  '/header/idempotency-key': 'must be 1 to 128 letters, digits and the characters . _ : -; a new UUID will do',
};

/** The first fault of an e-mail address. */
const emailFaults: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/^\s*mailto:/i, () => 'without mailto:'],
  [/@[^@]*[\s,;][^@]*@/, () => 'one address, not several'],
  [/[<>]/, () => 'without a name and angle brackets'],
  [/[\r\n]/, () => 'without a line end'],
  [/\s/, () => 'without a space'],
  [/[^\0-\x7f].*@/, () => 'with letters of ASCII only before the @'],
  [
    /@.*[^\0-\x7f]/,
    (text) => `with its domain as ${domainToASCII(text.slice(text.lastIndexOf('@') + 1)) || 'xn--...'}`,
  ],
];

function emailMessage(text: string): string {
  const [, fault] = emailFaults.find(([pattern]) => pattern.test(text)) ?? [];
  return `must be an email address, such as name@example.com${fault ? `: ${fault(text)}` : ''}`;
}

const formatMessages: Readonly<Record<string, (text: string) => string>> = {
  uri: () => 'must be an address with its scheme, such as https://example.com/jobs',
  date: (text) => `must be a date that exists, written YYYY-MM-DD, such as ${dayIn(text) ?? '2030-12-31'}`,
  email: emailMessage,
  'date-time': (text) =>
    `must be a date-time with its offset, such as 2026-11-20T09:00:00Z${/ \d\d:\d\d$/.test(text) ? '; in a URL, + is written %2B' : ''}`,
};

const message = (error: ErrorObject): string => messages[error.keyword]?.(error) ?? error.message ?? 'is not valid';

const uuid = '7d2f6c1e-90b4-4c52-8f0e-2f6a1b6f3c11';

function requiredMessage({ params, parentSchema, instancePath }: ErrorObject): string {
  const { enum: values, pattern } = parentSchema?.properties?.[params.missingProperty] ?? {};
  if (values) return `is required: ${listed(values)}`;
  const isKey = instancePath === '/header' && pattern && new RegExp(pattern).test(uuid);
  return isKey ? 'is required; a new UUID will do' : 'is required';
}

function enumMessage({ params: { allowedValues }, data, instancePath }: ErrorObject): string {
  const values: unknown[] = allowedValues;
  const [meant] = typeof data === 'string' ? nearest(data, values.map(String)) : [];
  if (meant !== undefined) return `must be ${listed(values)}; did you mean ${meant}?`;
  return `must be ${listed(values)}${instancePath.startsWith('/query/') ? '; leave it out for all' : ''}`;
}

const listed = (values: readonly unknown[]): string => `one of ${values.map(String).join(', ')}`;

function typeMessage({ params, data, instancePath }: ErrorObject): string {
  const types = String(params.type).split(',');
  const hint = corrected(types, data);
  // Every parameter of a query is a string over REST.
  const sent = instancePath.startsWith('/query/') && hint === '' ? '' : `, not ${typeOf(data)}`;
  return `must be of type ${types.join(' or ')}${sent}${hint}`;
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** A text short enough to repeat in a message. */
const echoed = /^\P{C}{1,60}$/u;

/** The list that a text means: its JSON, or one item. */
function listIn(text: string): unknown[] {
  if (!echoed.test(text)) return ['…'];
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [text];
  } catch {
    return [text];
  }
}

/** The value to send instead of a string that means the same. */
function corrected(types: readonly string[], value: unknown): string {
  if (typeof value !== 'string') return '';
  if (types.includes('array')) return `: ${JSON.stringify(listIn(value))}`;
  if (types.includes('boolean') && /^(true|false)$/.test(value)) return `: ${value}`;
  if (types.includes('integer') && /^\d{1,15}$/.test(value)) return `: ${Number(value)}`;
  if (!types.includes('number')) return '';
  return /^\d{1,12}(\.\d{1,9})?$/.test(value) ? `: ${Number(value)}` : ', such as 1250.5';
}

/** The day that a text in another format means, unless day and month could be swapped. */
function dayIn(text: string): string | undefined {
  const [, first = '', second = '', year] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(text) ?? [];
  const [month, day] = Number(first) > 12 ? [second, first] : [first, second];
  const isClear = Number(first) > 12 || Number(second) > 12 || first === second;
  const written = year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text.slice(0, 10);
  if (!isClear && year) return undefined;
  return isDay(written) ? written : undefined;
}

/** Says where an unknown name belongs, or which field the caller probably meant. */
function unknownField(name: string, isInBody: boolean, operation: Operation, nameOf: NameOf): string {
  const hint = isInBody ? hintInside(name, operation, nameOf) : hintOutside(name, operation, nameOf);
  return hint === undefined ? 'is not a known field' : `is not a known field; ${hint}`;
}

function hintInside(name: string, operation: Operation, nameOf: NameOf): string | undefined {
  if (operation.serviceFields.includes(name)) return 'leave it out: the service sets it';
  const outer = parameterNames(operation).map(nameOf);
  const misplaced = outer.find((known) => isSameName(known, name));
  return misplaced ? `send ${misplaced} outside ${nameOf(wholeBody)}` : didYouMean(nearestFields(name, operation));
}

function hintOutside(name: string, operation: Operation, nameOf: NameOf): string | undefined {
  const place = `inside ${nameOf(wholeBody)}`;
  if (operation.bodyFields.includes(name)) return `send it ${place}`;
  const known = [...parameterNames(operation), ...(operation.hasBody ? [wholeBody] : [])].map(nameOf);
  // A header sent as a query parameter.
  if (known.includes(name)) return undefined;
  return didYouMean(nearest(name, known)) ?? didYouMean(nearestFields(name, operation), `, ${place}`);
}

/** Leaves out headers that are no tool argument, such as If-None-Match. */
function parameterNames({ operationId, parameters }: Operation): string[] {
  const places = Object.values(tools.find((tool) => tool.operationId === operationId)?.arguments ?? {});
  return parameters
    .filter((parameter) => parameter.in !== 'header' || places.includes(`header:${parameter.name}`))
    .map((parameter) => parameter.name);
}

/** Finds them by their labels too: `region` is district_id. */
function nearestFields(name: string, { bodyFields }: Operation): string[] {
  const named = new Map(bodyFields.map((field) => [rulesOf.get(field)?.label ?? field, field]));
  const found = nearest(name, [...bodyFields, ...named.keys()]);
  return [...new Set(found.map((word) => named.get(word) ?? word))];
}

const suggestionsMax = 2;

const didYouMean = (names: readonly string[], place = ''): string | undefined =>
  names.length === 0 ? undefined : `did you mean ${names.slice(0, suggestionsMax).join(' or ')}${place}?`;
