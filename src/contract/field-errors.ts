import type { ErrorObject } from 'ajv';
import type { FieldError } from '../domain/job-rules.ts';

/** The field name for errors of the body as a whole; no field of the contract has this name. */
export const wholeBody = 'request_body';

/** Translates a name of the contract into the caller's name for it. */
type NameOf = (name: string) => string;

/** Turns an ajv error into the caller's name of the field and a message that says what to send. */
export function fieldErrorOf(error: ErrorObject, parameters: readonly { name: string }[], nameOf: NameOf): FieldError {
  return [fieldName(error, parameters, nameOf), message(error)];
}

/** `/requestBody/education_details/3` is education_details[3], `/header/idempotency-key` is Idempotency-Key. */
function fieldName(
  { instancePath, params }: ErrorObject,
  parameters: readonly { name: string }[],
  nameOf: NameOf,
): string {
  const steps = instancePath.split('/').slice(1).map(unescapePointer);
  const child = params.missingProperty ?? params.additionalProperty;
  if (child !== undefined) steps.push(child);
  const [route, name, ...rest] = steps;
  if (name === undefined || route === undefined) return nameOf(wholeBody);
  const written = route === 'header' ? parameters.find((p) => p.name.toLowerCase() === name)?.name : undefined;
  return (
    (written === undefined ? name : nameOf(written)) +
    rest.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('')
  );
}

const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

const messages: Readonly<Record<string, (params: ErrorObject['params']) => string>> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a known field',
  type: ({ type }) => `must be of type ${String(type).replace(',', ' or ')}`,
  enum: ({ allowedValues }) => `must be one of ${allowedValues.map((value: unknown) => String(value)).join(', ')}`,
  minLength: ({ limit }) => `must have at least ${limit} character${limit === 1 ? '' : 's'}`,
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  maxItems: ({ limit }) => `must have at most ${limit} items`,
  minProperties: ({ limit }) => `must have at least ${limit} field`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  pattern: ({ pattern }) => {
    const start = /^\^([\w:/]+)$/.exec(pattern)?.[1];
    return start ? `must begin with ${start}` : `must match ${pattern}`;
  },
  format: ({ format }) => formatMessages[format] ?? `must be a valid ${format}`,
};

const formatMessages: Readonly<Record<string, string>> = {
  date: 'must be a date that exists, written YYYY-MM-DD',
  email: 'must be an email address',
};

const message = ({ keyword, params, message: fallback }: ErrorObject): string =>
  messages[keyword]?.(params) ?? fallback ?? 'is not valid';
