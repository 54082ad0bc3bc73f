import type { Day } from './dates.ts';
import { httpsAddressErrors } from './https-address.ts';

/** A field as the caller wrote it and what is wrong with it. */
export type FieldError = readonly [field: string, message: string];

/** A job body that may still break the schema: each rule looks only at values of the type that it is about. */
export type JobFields = Readonly<Record<string, unknown>>;

/** UTF-8 bytes (section 2.1 of the requirements); a schema cannot say it. */
export const bodyBytesMax = 65_535;
/** Code points, the contract's maxLength of `body`: it holds for the sanitized result too. */
export const bodyCharactersMax = 30_000;
/** Elements of a sanitized body: each costs the sanitizer up to 80 microseconds. */
export const bodyElementsMax = 2500;

const fieldRules: ReadonlyArray<(fields: JobFields, today: Day) => FieldError[]> = [
  wellFormedText,
  visibleText,
  bodyBytes,
  wholeCents,
  futureDate,
  externalUrl,
  knownId,
];

/** Every rule on single fields that a schema cannot say; `today` in the service's time zone. */
export const suppliedFieldErrors = (fields: JobFields, today: Day): FieldError[] =>
  fieldRules.flatMap((rule) => rule(fields, today));

const contactFields = [
  ['email', 'contact_email'],
  ['phone', 'contact_phone'],
  ['external', 'external_application_url'],
] as const;

/** Rules between fields, on the whole job; `supplied` are the fields of this request, so that the message names one of them. */
export function crossFieldErrors(job: JobFields, supplied: JobFields): FieldError[] {
  const errors: FieldError[] = [];
  for (const [method, field] of contactFields) {
    const value = job[field];
    const given = typeof value === 'string' && hasVisibleCharacter(value);
    if (job.application_method === method && !given)
      errors.push([field, `is required when application_method is ${method}`]);
  }
  const { salary_min: min, salary_max: max } = job;
  if (typeof min === 'number' && typeof max === 'number' && max < min) {
    const onlyMin = Object.hasOwn(supplied, 'salary_min') && !Object.hasOwn(supplied, 'salary_max');
    errors.push(
      onlyMin
        ? ['salary_min', `must be at most salary_max, which is ${max}`]
        : ['salary_max', `must be at least salary_min, which is ${min}`],
    );
  }
  return errors;
}

function wellFormedText(fields: JobFields): FieldError[] {
  return Object.entries(fields).flatMap(([field, value]): FieldError[] => {
    if (typeof value === 'string') return textErrors(field, value);
    if (!Array.isArray(value)) return [];
    return value.flatMap((item, index) => (typeof item === 'string' ? textErrors(`${field}[${index}]`, item) : []));
  });
}

function textErrors(field: string, text: string): FieldError[] {
  if (text.includes('\0')) return [[field, 'must not contain the character NUL']];
  return text.isWellFormed() ? [] : [[field, 'must not contain a lone surrogate (half of a UTF-16 pair)']];
}

/** `body` is judged by the sanitizer, which knows what is left of its HTML. */
function visibleText(fields: JobFields): FieldError[] {
  return ['title', 'contact_instructions'].flatMap((field): FieldError[] => {
    const value = fields[field];
    return typeof value === 'string' && value !== '' && !hasVisibleCharacter(value)
      ? [[field, 'must contain a visible character']]
      : [];
  });
}

/** Whether a reader sees anything: white space, controls, zero-width characters and the blank Braille pattern do not count. */
export const hasVisibleCharacter = (text: string): boolean =>
  /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Z}\u2800]/u.test(text);

function bodyBytes({ body }: JobFields): FieldError[] {
  return typeof body === 'string' && Buffer.byteLength(body) > bodyBytesMax
    ? [['body', `must be at most ${bodyBytesMax} bytes in UTF-8`]]
    : [];
}

/** Money is kept in cents: a third decimal would be changed silently. */
function wholeCents(fields: JobFields): FieldError[] {
  return ['salary_min', 'salary_max'].flatMap((field): FieldError[] => {
    const value = fields[field];
    return typeof value === 'number' && Number.isFinite(value) && Number(value.toFixed(2)) !== value
      ? [[field, 'must have at most two decimal places']]
      : [];
  });
}

function futureDate({ valid_until: day }: JobFields, today: Day): FieldError[] {
  const isDay = typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day);
  return isDay && day <= today ? [['valid_until', `must be after today, ${today}`]] : [];
}

/** Text that is not well-formed has been refused by its own rule. */
function externalUrl({ external_application_url: text }: JobFields): FieldError[] {
  if (typeof text !== 'string' || textErrors('', text).length > 0) return [];
  return httpsAddressErrors(text).map((message) => ['external_application_url', message]);
}

/** The greatest id that a category or district can have. */
export const referenceIdMax = 2_147_483_647;

function knownId(fields: JobFields): FieldError[] {
  return ['category_id', 'district_id'].flatMap((field): FieldError[] => {
    const value = fields[field];
    return typeof value === 'number' && value > referenceIdMax ? [[field, 'is no known id']] : [];
  });
}
