import { setImmediate } from 'node:timers/promises';
import { Ajv, type ErrorObject, type SchemaValidateFunction } from 'ajv';
import { OpenAPIValidator } from 'openapi-backend/validation.js';
import type { Day } from '../domain/dates.ts';
import {
  fitted,
  hasVisibleCharacter,
  isNullKey,
  type Oversized,
  type Shape,
  tooManyCharacters,
  wellFormednessError,
} from '../domain/field-rules.ts';
import { httpsAddressErrors } from '../domain/https-address.ts';
import { pointerTo, stepsIn } from '../domain/json-pointer.ts';
import type { FieldError, Message } from '../domain/message.ts';
import { simulationErrors } from '../domain/simulation.ts';
import { holdsSecret, secretMessage } from '../domain/token.ts';
import { document, operationOf, operations, wholeBody } from './document.ts';
import { errorAt, fieldErrorOf } from './field-errors.ts';
import { withFormats } from './formats.ts';
import type { PlainRequest } from './types.ts';

/** Defines an extension for the schemas of texts. Of a text that is not well-formed it says only that. */
function textRule(keyword: string, errorsOf: (text: string, schema: Schema) => readonly Message[]) {
  const validate: SchemaValidateFunction = (isOn: boolean, text: string, parentSchema: Schema = {}) => {
    const malformed = wellFormednessError(text);
    const found = !isOn ? [] : malformed ? [malformed] : errorsOf(text, parentSchema);
    validate.errors = found.map((said) => ({ keyword, params: { said }, parentSchema }));
    return found.length === 0;
  };
  return { keyword, type: 'string', errors: 'full', validate } as const;
}

type Schema = Readonly<Record<string, unknown>>;

const invisible: readonly Message[] = [{ text: 'must contain a visible character' }];

const validator = new OpenAPIValidator({
  definition: document,
  lazyCompileValidators: true,
  // `npm run generate` has checked openapi.yaml. Checking it again took a fifth of a start, to compile JSON Schema's own schema.
  ajvOpts: { allErrors: true, strict: false, verbose: true, multipleOfPrecision: 9, validateSchema: false },
  // The adapters convert parameters. openapi-backend would coerce them more freely: `1e1` would become page 10.
  customizeAjv: (_, options) =>
    withFormats(new Ajv({ ...options, coerceTypes: false }))
      .addKeyword(textRule('x-https', httpsAddressErrors))
      // `minLength` already refuses an empty text.
      .addKeyword(
        textRule('x-visible', (text, { minLength }) =>
          (text === '' && minLength) || hasVisibleCharacter(text) ? [] : invisible,
        ),
      ),
});

/** Compiles the validators of all operations, so that no request waits for it. Other work can run between two operations. */
export async function compileValidators(): Promise<void> {
  for (const operationId of operations.keys()) {
    await setImmediate();
    validator.getRequestValidatorsForOperation(operationId);
  }
}

/** Returns all violations of the contract in a request. If there are none, the request is a valid Input of its operation. */
export function contractErrors(request: PlainRequest, today: Day = ''): FieldError[] {
  const { operationId, path, query, body, bodyError, unknownNames, simulation, errors: known = [] } = request;
  const operation = operationOf(operationId);
  const { hasBody } = operation;
  const header = lowerCaseNames(request.header);
  const subject = { path, query, header, ...(hasBody && body !== undefined ? { requestBody: body } : {}) };
  const oversized: Oversized[] = unknownNames ? [{ path: ['query'], unit: 'names', count: unknownNames }] : [];
  const sized = fitted(subject, operation.shape, oversized);
  const errors: ErrorObject[] = [];
  // `fitted` has emptied the values that were too long, and removed unknown names. What ajv says about that is left out.
  const fittedUnits = new Map(oversized.map(({ path: place, unit }) => [pointerTo(place), unit]));
  const isOfFitted = ({ instancePath, keyword }: ErrorObject): boolean =>
    fittedUnits.has(instancePath) && (fittedUnits.get(instancePath) !== 'names' || keyword === 'minProperties');
  for (const validate of validator.getRequestValidatorsForOperation(operationId) ?? []) {
    if (!validate(sized)) errors.push(...withoutVague((validate.errors ?? []).filter((error) => !isOfFitted(error))));
  }
  const secrets = secretsIn(sized, operation.shape, errors);
  const told = new Set([...errors.map(({ instancePath }) => instancePath), ...secrets.map(pointerTo)]);
  const fieldErrors = [
    ...known,
    ...oversized.map((place) => errorAt(place.path, operation, sizeMessage(place))),
    ...secrets.map((path) => errorAt(path, operation, { text: secretMessage })),
    ...eachOnce(
      errors
        .filter((error) => !secrets.some((path) => isWithin(stepsOf(error), path)))
        .map((error) => fieldErrorOf(error, operation, today)),
    ),
    ...(isNullKey(header['idempotency-key']) ? [['Idempotency-Key', nullKey] satisfies FieldError] : []),
    ...simulationErrors(simulation),
    ...unreadableIn(sized, operation.shape)
      .filter(([path]) => !told.has(pointerTo(path)))
      .map(([path, message]) => errorAt(path, operation, message)),
  ];
  if (!hasBody || bodyError === undefined) return fieldErrors;
  return [[wholeBody, { text: bodyError }], ...fieldErrors.filter(([field]) => field !== wholeBody)];
}

/** Several keywords may refuse a value of which the message says the same, such as an empty text. */
export const eachOnce = (errors: readonly FieldError[]): FieldError[] => [
  ...new Map(errors.map((error) => [JSON.stringify(error), error])).values(),
];

const vague = new Set(['pattern', 'format']);
const clear = new Set(['x-https', 'x-visible', 'type', 'minimum', 'maximum']);

/** Leaves out a pattern or format of which an extension, type or bound says more, because it refuses the same value. */
function withoutVague(errors: readonly ErrorObject[]): ErrorObject[] {
  // x-visible leaves an empty text to minLength.
  const isClear = ({ keyword, parentSchema }: ErrorObject): boolean =>
    clear.has(keyword) || (keyword === 'minLength' && parentSchema?.['x-visible'] === true);
  const places = new Set(errors.filter(isClear).map(({ instancePath }) => instancePath));
  return errors.filter(({ keyword, instancePath }) => !(vague.has(keyword) && places.has(instancePath)));
}

type Path = readonly string[];

const stepsOf = ({ instancePath }: ErrorObject): string[] => stepsIn(instancePath);

const isWithin = (path: Path, outer: Path): boolean => outer.every((step, at) => step === path[at]);

/** Returns the paths of texts that contain a secret, and of objects with an unknown name that contains one. */
function secretsIn(sized: unknown, shape: Shape, errors: readonly ErrorObject[]): Path[] {
  const found = errors.filter(({ params }) => holdsSecret(params.additionalProperty ?? '')).map(stepsOf);
  eachValue(sized, shape, [], (value, path) => {
    if (typeof value === 'string' && holdsSecret(value)) found.push([...path]);
  });
  return found;
}

const unsafeInteger: Message = {
  text: 'must be from {{min}} to {{max}}',
  params: { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER },
};

/** Finds values that must not reach an operation: texts that a database cannot store, and integers that JSON has rounded. */
function unreadableIn(sized: unknown, shape: Shape): [path: Path, message: Message][] {
  const found: [path: Path, message: Message][] = [];
  eachValue(sized, shape, [], (value, path, { type }) => {
    const isUnsafe = type === 'integer' && Number.isInteger(value) && !Number.isSafeInteger(value);
    const message = isUnsafe ? unsafeInteger : typeof value === 'string' ? wellFormednessError(value) : undefined;
    if (message !== undefined) found.push([[...path], message]);
  });
  return found;
}

/**
 * Visits every text and number at a place that the schema describes, even if the schema wants another type there. `path` is reused: it is
 * valid only while `visit` runs.
 */
function eachValue(
  value: unknown,
  shape: Shape,
  path: string[],
  visit: (value: string | number, path: Path, shape: Shape) => void,
): void {
  const enter = (name: string, inner: unknown, schema: Shape): void => {
    path.push(name);
    eachValue(inner, schema, path, visit);
    path.pop();
  };
  const { properties, items } = shape;
  if (typeof value === 'string' || typeof value === 'number') visit(value, path, shape);
  else if (Array.isArray(value)) {
    if (items) for (const [index, item] of value.entries()) enter(String(index), item, items);
  } else if (typeof value === 'object' && value !== null && properties)
    for (const [name, inner] of Object.entries(value)) {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (schema) enter(name, inner, schema);
    }
}

export const nullKey: Message = { text: 'is a word for no value: send an id of your own, or a new UUID' };

function sizeMessage({ unit, count, max = 0 }: Oversized): Message {
  if (unit === 'names')
    return { text: 'must have known names only', advice: '; {{count}} are unknown', params: { count } };
  if (unit === 'characters') return tooManyCharacters(max, count);
  return { text: 'must have at most {{max}} items, not {{size}}', params: { max, size: count } };
}

const lowerCaseNames = (header: PlainRequest['header']): Record<string, unknown> =>
  Object.fromEntries(Object.entries(header).map(([name, value]) => [name.toLowerCase(), value]));
