import { domainToASCII } from 'node:url';
import type { ErrorObject } from 'ajv';
import { type Day, isDay } from '../domain/dates.ts';
import { unknownField } from '../domain/errors.ts';
import { absentMessage, withList } from '../domain/field-rules.ts';
import { stepsIn } from '../domain/json-pointer.ts';
import { type FieldError, type Message, withAdvice } from '../domain/message.ts';
import { isSameName, nearest } from '../domain/nearest.ts';
import { withoutSecrets } from '../domain/token.ts';
import { type Operation, wholeBody, wholeQuery } from './document.ts';
import { tools } from './tools.ts';

/** Turns an ajv error, with its value and schema, into the field and a message that says what to send. */
export function fieldErrorOf(error: ErrorObject, operation: Operation, today: Day = ''): FieldError {
  const steps = stepsIn(error.instancePath);
  const child = error.params.missingProperty ?? error.params.additionalProperty;
  if (child !== undefined) steps.push(child);
  const [route, name = '', ...inside] = steps;
  const isInBody = route === 'requestBody';
  if (inside.length > 0) return errorAt(steps, operation, messageOf(error));
  if (error.keyword === 'additionalProperties')
    return errorAt(steps, operation, withAdvice({ text: unknownField }, hintFor(name, isInBody, operation)));
  const { parentSchema = {} } = error;
  const schema = child === undefined ? parentSchema : parentSchema.properties?.[child];
  const { nullable, enum: values = schema?.items?.enum, 'x-references': references } = schema ?? {};
  const absent = isInBody ? absentMessage({ nullable: nullable === true, values }, error.data) : undefined;
  if (absent === undefined && error.params.format === 'date' && schema?.['x-future'])
    return errorAt(steps, operation, dayMessage(String(error.data), today));
  return errorAt(steps, operation, absent ?? withList(references, messageOf(error)));
}

/** Returns the error of the field at an ajv path: education_details for `/requestBody/education_details/3`, Idempotency-Key for its header. */
export function errorAt(
  [route, name, ...at]: readonly string[],
  { parameters }: Operation,
  message: Message,
): FieldError {
  if (name === undefined) return [route === 'query' ? wholeQuery : wholeBody, message];
  const header = route === 'header' ? parameters.find((one) => one.name.toLowerCase() === name) : undefined;
  return [header?.name ?? excerpt(name), message, at.map(excerpt)];
}

const nameLengthMax = 100;
/** Shortens a client's own word and removes secrets from it, so that a message may repeat it. */
export const excerpt = (text: string): string =>
  withoutSecrets(text.length > nameLengthMax ? `${text.slice(0, nameLengthMax)}…` : text);

type Advice = Pick<Message, 'advice' | 'params' | 'names'>;

const messages: Readonly<Record<string, (error: ErrorObject) => Message>> = {
  required: ({ params, parentSchema, instancePath }) => {
    const { enum: values, pattern } = parentSchema?.properties?.[params.missingProperty] ?? {};
    const isKey = instancePath === '/header' && pattern && new RegExp(pattern).test(uuid);
    const text = 'is required';
    if (values) return { text, advice: ': one of {{values}}', params: { values: values.join(', ') } };
    return { text, advice: isKey ? '; a new UUID will do' : '' };
  },
  additionalProperties: ({ parentSchema }) => ({
    text: unknownField,
    advice: '; known are {{known}}',
    params: { known: Object.keys(parentSchema?.properties ?? {}).join(', ') },
  }),
  type: typeMessage,
  enum: enumMessage,
  minLength: atLeast('must have at least {{min}} character', 'must have at least {{min}} characters'),
  minItems: atLeast('must have at least {{min}} item', 'must have at least {{min}} items'),
  uniqueItems: ({ params: { i, j } }) => ({
    text: 'must have each item once',
    advice: ': items {{first}} and {{second}} are the same',
    params: { first: Math.min(i, j) + 1, second: Math.max(i, j) + 1 },
  }),
  multipleOf: ({ params: { multipleOf: step } }) => ({ text: 'must be a multiple of {{step}}', params: { step } }),
  minProperties: atLeast('must have at least {{min}} field', 'must have at least {{min}} fields'),
  minimum: ({ params: { limit } }) => ({ text: 'must be at least {{min}}', params: { min: limit } }),
  maximum: ({ params: { limit } }) => ({ text: 'must be at most {{max}}', params: { max: limit } }),
  pattern: ({ parentSchema, params }) => ({
    text: parentSchema?.['x-pattern-message'] ?? 'must match {{pattern}}',
    params,
  }),
  'x-https': ({ params }) => params.said,
  'x-visible': ({ params }) => params.said,
  format: ({ params, data }) =>
    formatMessages[params.format]?.(String(data)) ?? { text: 'must be a valid {{format}}', params },
};

/** Common faults of an e-mail address, each with what to write. A message names the first that is found. */
const emailFaults: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/^\s*mailto:/i, () => 'without mailto:'],
  [/@[^@\s,;]*[\s,;][^@]*@/, () => 'one address, not several'],
  [/[<>]/, () => 'without a name and angle brackets'],
  [/[\r\n]/, () => 'without a line end'],
  [/\s/, () => 'without a space'],
  [/^[\0-\x7f]*[^\0-\x7f].*@/s, () => 'with letters of ASCII only before the @'],
  [
    /^[^@]*@.*[^\0-\x7f]/s,
    (text) => `with its domain as ${domainToASCII(text.slice(text.lastIndexOf('@') + 1)) || 'xn--...'}`,
  ],
];

const formatMessages: Readonly<Record<string, (text: string) => Message>> = {
  uri: () => ({ text: 'must be an address with its scheme', advice: ', such as https://example.com/jobs' }),
  date: (text) => dayMessage(text),
  email: (text) => {
    const fault = emailFaults.find(([pattern]) => pattern.test(text))?.[1](text);
    const advice = `, such as name@example.com${fault === undefined ? '' : ': {{fault}}'}`;
    return { text: 'must be an email address', advice, params: { fault } };
  },
  time: () => ({ text: 'must be a time with its offset', advice: ', such as 09:00:00Z' }),
  uuid: () => ({ text: 'must be a UUID', advice: ', such as 3d0ca315-aff9-4fc2-be61-3b76b9a2d798' }),
  'date-time': (text) => ({
    text: 'must be a date-time with its offset',
    advice: `, such as 2026-11-20T09:00:00Z${instantFault(text)}`,
  }),
};

/** Explains two faults of a date-time: a + that a URL turned into a space, and missing seconds, which Java leaves out if they are 0. */
function instantFault(text: string): string {
  if (/ \d\d:\d\d$/.test(text)) return '; in a URL, + is written %2B';
  return /^[^T]{10}T\d\d:\d\d(Z|[+-]\d\d:\d\d)$/.test(text) ? ': with its seconds' : '';
}

/** Suggests the day that the text means if it is later than `after`, otherwise a day in 2030. */
function dayMessage(text: string, after: Day = ''): Message {
  const meant = dayIn(text);
  const day = meant && meant > after ? meant : '2030-12-31';
  return { text: 'must be a date that exists', advice: ', written YYYY-MM-DD, such as {{day}}', params: { day } };
}

const messageOf = (error: ErrorObject): Message =>
  messages[error.keyword]?.(error) ?? { text: error.message ?? 'is not valid' };

const uuid = '7d2f6c1e-90b4-4c52-8f0e-2f6a1b6f3c11';

function enumMessage({ params: { allowedValues }, data, instancePath }: ErrorObject): Message {
  const values: readonly string[] = allowedValues.map(String);
  const [meant] = typeof data === 'string' ? nearest(data, values) : [];
  // A parameter with one value is a switch, no filter.
  const left = values.length > 1 ? '; leave it out for all' : '; or leave it out';
  const forAll = instancePath.startsWith('/query/') ? left : '';
  return {
    text: 'must be one of {{values}}',
    advice: meant === undefined ? forAll : '; did you mean {{meant}}?',
    params: { values: values.join(', '), meant },
  };
}

function typeMessage({ params, data, instancePath }: ErrorObject): Message {
  const types = String(params.type).split(',');
  const right = corrected(types, data);
  const given = right === '' && types.includes('number') && typeof data === 'string' ? ', such as 1250.5' : '';
  return {
    // Pages say integer in other words.
    text: types.join() === 'integer' ? 'must be of type integer' : 'must be of type {{types}}',
    advice: typeAdvice(instancePath, data, right, given),
    params: { types: types.join(' or '), sent: typeOf(data), right },
  };
}

function typeAdvice(instancePath: string, data: unknown, right: string, given: string): string {
  const isInQuery = instancePath.startsWith('/query/');
  // Over REST, parameters are text, or several in a query. If the text itself would be right, it was sent as a JSON string over MCP.
  if (/^\/(query|header)\//.test(instancePath) && typeof data === 'string' && right !== data && !right.startsWith('['))
    return right === '' ? given : ', such as {{right}}';
  if (isInQuery && right === '') return Array.isArray(data) ? ', not several values' : '';
  return right === '' ? `, not {{sent}}${given}` : ', not {{sent}}: {{right}}';
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** A text short enough to repeat in a message. */
const echoed = /^\P{C}{1,60}$/u;

/** Returns the list that a text means: its JSON if that is a list, otherwise a list of the text. `…` replaces a text too long to repeat. */
function listIn(text: string): unknown[] {
  if (!echoed.test(text)) return ['…'];
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [text];
  } catch {
    return [text];
  }
}

/** Returns what to send instead of a string, as JSON: `true` for `"true"`. Returns '' if the string means no value of these types. */
function corrected(types: readonly string[], value: unknown): string {
  if (typeof value !== 'string') return '';
  if (types.includes('array')) return JSON.stringify(listIn(value));
  if (types.includes('boolean') && /^(true|false)$/.test(value)) return value;
  const isNumber =
    (types.includes('integer') && /^\d{1,15}$/.test(value)) ||
    (types.includes('number') && /^\d{1,12}(\.\d{1,9})?$/.test(value));
  return isNumber ? String(Number(value)) : '';
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

/** Where an unknown name belongs, or which field the caller probably meant. */
const hintFor = (name: string, isInBody: boolean, operation: Operation): Advice | undefined =>
  isInBody ? hintInside(name, operation) : hintOutside(name, operation);

const body = wholeBody;

function hintInside(name: string, operation: Operation): Advice | undefined {
  if (operation.serviceFields.includes(name)) return { advice: '; leave it out: the service sets it' };
  const misplaced = parameterNames(operation).find((known) => isSameName(known, name));
  return misplaced === undefined
    ? didYouMean(nearestFields(name, operation))
    : { advice: '; send {{misplaced}} outside {{body}}', names: { misplaced, body } };
}

function hintOutside(name: string, operation: Operation): Advice | undefined {
  if (operation.bodyFields.includes(name)) return { advice: '; send it inside {{body}}', names: { body } };
  const known = parameterNames(operation);
  // A known name is here only if a header was sent as a query parameter.
  if (known.includes(name)) return undefined;
  const words = new Map(known.map((one) => [one, one]));
  // A tool has its own word for the body.
  if (operation.hasBody) for (const word of [wholeBody, toolWordOfBody(operation)]) words.set(word, wholeBody);
  const meant = new Set(nearest(name, words.keys()).map((word) => words.get(word) ?? word));
  return didYouMean([...meant]) ?? didYouMean(nearestFields(name, operation), ', inside {{body}}');
}

const argumentsOf = ({ operationId }: Operation) =>
  Object.entries(tools.find((tool) => tool.operationId === operationId)?.arguments ?? {});

const toolWordOfBody = (operation: Operation): string =>
  argumentsOf(operation).find(([, place]) => place === 'body')?.[0] ?? wholeBody;

/** Leaves out headers that are no tool argument, such as If-None-Match. */
function parameterNames(operation: Operation): string[] {
  const places = argumentsOf(operation).map(([, place]) => place);
  return operation.parameters
    .filter((parameter) => parameter.in !== 'header' || places.includes(`header:${parameter.name}`))
    .map((parameter) => parameter.name);
}

/** Finds the fields nearest to a name, also by their labels: `region` finds district_id. */
function nearestFields(name: string, { bodyFields, rules }: Operation): string[] {
  const named = new Map(bodyFields.map((field) => [rules.get(field)?.label ?? field, field]));
  const found = nearest(name, [...bodyFields, ...named.keys()]);
  return [...new Set(found.map((word) => named.get(word) ?? word))];
}

const didYouMean = ([name, other]: readonly string[], place = ''): Advice | undefined =>
  name === undefined
    ? undefined
    : {
        advice: `; did you mean {{name}}${other === undefined ? '' : ' or {{other}}'}${place}?`,
        names: { name, ...(other !== undefined && { other }), body },
      };

function atLeast(one: string, more: string): (error: ErrorObject) => Message {
  return ({ params: { limit: min } }) => ({ text: min === 1 ? one : more, params: { min } });
}
