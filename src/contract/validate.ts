import { setImmediate } from 'node:timers/promises';
import { Ajv, type ErrorObject } from 'ajv';
import formats from 'ajv-formats';
import { OpenAPIValidator } from 'openapi-backend/validation.js';
import { instantOf, isDay } from '../domain/dates.ts';
import type { NameOf } from '../domain/errors.ts';
import { type FieldError, fitted, type Oversized, rulesOf } from '../domain/field-rules.ts';
import { document, operationOf, operations, wholeBody } from './document.ts';
import { fieldErrorOf, fieldName, placed } from './field-errors.ts';
import type { PlainRequest } from './types.ts';

const validator = new OpenAPIValidator({
  definition: document,
  lazyCompileValidators: true,
  ajvOpts: { allErrors: true, strict: false, verbose: true, multipleOfPrecision: 9 },
  // openapi-backend would coerce parameters (`1e1` would become a page), so the adapters convert them.
  customizeAjv: (_, options) =>
    formats
      .default(new Ajv({ ...options, coerceTypes: false }))
      .addFormat('date', { validate: (text: string) => isDay(text) && text >= '0001' })
      .addFormat('date-time', { validate: (text: string) => !Number.isNaN(instantOf(text)) }),
});

/** Compiles the validators of all operations between other work, so that neither the start nor a first request waits for it. */
export async function compileValidators(): Promise<void> {
  for (const operationId of operations.keys()) {
    await setImmediate();
    validator.getRequestValidatorsForOperation(operationId);
  }
}

/** Returns all violations of the contract in a request, in the caller's names. Without any, the request is the operation's Input. */
export function contractErrors(request: PlainRequest, nameOf: NameOf): FieldError[] {
  const { operationId, path, query, body, bodyError } = request;
  const operation = operationOf(operationId);
  const { hasBody } = operation;
  const header = lowerCaseNames(request.header);
  const subject = { path, query, header, ...(hasBody && body !== undefined ? { requestBody: body } : {}) };
  const oversized: Oversized[] = [];
  const sized = fitted(subject, operation.shape, oversized);
  const errors: ErrorObject[] = [];
  for (const validate of validator.getRequestValidatorsForOperation(operationId) ?? []) {
    if (!validate(sized)) errors.push(...(validate.errors ?? []).filter((error) => !isSaidBetter(error)));
  }
  const fieldErrors = [
    ...oversized.map(
      (place): FieldError => [
        fieldName(place.path, operation, nameOf),
        placed(place.path.slice(2), sizeMessage(place)),
      ],
    ),
    ...errors.map((error) => fieldErrorOf(error, operation, nameOf)),
  ];
  if (!hasBody || bodyError === undefined) return fieldErrors;
  const whole = nameOf(wholeBody);
  return [[whole, bodyError], ...fieldErrors.filter(([field]) => field !== whole)];
}

/**
 * src/domain checks https addresses and visible text more strictly, with better messages. Type, minimum and maximum say more than int32.
 */
function isSaidBetter({ keyword, instancePath, data, parentSchema }: ErrorObject): boolean {
  const { https, visible } = rulesOf.get(instancePath.replace('/requestBody/', '')) ?? {};
  if (keyword === 'pattern') return https === true || visible === true;
  if (keyword !== 'format') return false;
  const { minimum, maximum } = parentSchema ?? {};
  return https === true || (typeof data === 'number' && (!Number.isInteger(data) || data < minimum || data > maximum));
}

const sizeMessage = ({ count, max }: Oversized): string =>
  max === undefined
    ? `must have known names only; ${count} are unknown`
    : `must have at most ${max} items, not ${count}`;

const lowerCaseNames = (header: PlainRequest['header']): Record<string, unknown> =>
  Object.fromEntries(Object.entries(header).map(([name, value]) => [name.toLowerCase(), value]));
