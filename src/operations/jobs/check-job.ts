import { ApiError, forbidden, invalid } from '../../domain/errors.ts';
import {
  crossFieldErrors,
  htmlFields,
  type JobFields,
  referenceIdMax,
  rulesOf,
  suppliedFieldErrors,
  withList,
} from '../../domain/field-rules.ts';
import { type FieldError, type Message, withAdvice } from '../../domain/message.ts';
import { holdsSecret, secretMessage } from '../../domain/token.ts';
import { findPlaceRefusals, type Refusal } from './change-job-sql.ts';
import type { JobContext } from './job.ts';

/**
 * Returns the supplied fields in the form to store, with sanitized HTML. `whole` is the resulting job: on create the same fields, on update
 * the merged job. Throws 422 with every fault, and 503 if the sanitizer is busy and the fields are otherwise valid. Does not report fields
 * in `known` again.
 */
export async function checkJob<F extends JobFields>(
  ctx: JobContext,
  fields: F,
  whole: JobFields,
  known: readonly FieldError[] = [],
): Promise<F> {
  const errors = [...suppliedFieldErrors(fields, ctx.today), ...crossFieldErrors(whole, fields)];
  const sanitized: Record<string, string> = {};
  for (const field of htmlFields) {
    const html = fields[field];
    if (typeof html !== 'string' || errors.some(([refused]) => refused === field)) continue;
    const outcome = await sanitize(ctx, field, html, errors.length + known.length > 0);
    if (typeof outcome !== 'string') errors.push(...outcome);
    // Sent with character references.
    else if (holdsSecret(outcome)) errors.push([field, { text: secretMessage }]);
    else sanitized[field] = outcome;
  }
  if (errors.length + known.length === 0) return { ...fields, ...sanitized };
  const { category_id: category, district_id: district } = fields;
  const refusals = await findPlaceRefusals(ctx.db, ctx.actor.tenant, referenceId(category), referenceId(district));
  const reported = fieldsOf(known);
  throw invalid([...known, ...[...errors, ...placeErrors(refusals)].filter(([field]) => !reported.has(field))]);
}

async function sanitize(
  { sanitizer, actor }: JobContext,
  field: string,
  html: string,
  hasErrors: boolean,
): Promise<string | readonly FieldError[]> {
  try {
    return await sanitizer.sanitize(actor.tenant.companyId, html, field);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 422 && !hasErrors)) throw error;
    return error.faults;
  }
}

/** Other values are refused by the schema or the rules on single fields. */
const referenceId = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= referenceIdMax ? value : null;

/** Section 2.2: the category is an active child of an active area, and the district exists. */
const placeMessages: { readonly [R in Refusal]?: readonly [field: string, message: Message] } = {
  category: ['category_id', { text: 'must be the id of an active category with a parent_id' }],
  area: [
    'category_id',
    { text: 'is a main area', advice: '; send the id of one of its children, which have it as parent_id' },
  ],
  district: ['district_id', { text: 'must be the id of a region' }],
};

const placeErrors = (refusals: readonly Refusal[]): FieldError[] =>
  refusals.flatMap((refusal): FieldError[] => {
    const [field, message] = placeMessages[refusal] ?? [];
    return field && message ? [[field, withList(rulesOf.get(field)?.references, message)]] : [];
  });

/** Throws why the database refused a job's category or district: 422, or 403 `permission` if the company may not publish there. */
export function assertPlace(refusals: readonly Refusal[]): void {
  const errors = placeErrors(refusals);
  if (errors.length > 0) throw invalid(errors);
  if (refusals.includes('elsewhere'))
    throw forbidden('permission', 'This company may not publish in that district.', { field: 'district_id' });
}

const fieldsOf = (errors: readonly FieldError[]): ReadonlySet<string> => new Set(errors.map(([field]) => field));

/** Most of a word processor's HTML is not kept. What is beyond the limit is not read, so nobody knows how much. */
const advice = '; leave out styles, comments and attributes, which count too, or shorten the text';

/** Adds advice to the message about HTML that is too long as sent. */
const advised = ([field, message, ...at]: FieldError, fields: JobFields): FieldError => {
  const html = htmlFields.includes(field) ? fields[field] : undefined;
  const isLong = typeof html === 'string' && html.length > (rulesOf.get(field)?.maxLength ?? 0);
  return [field, isLong ? withAdvice(message, { advice }) : message, ...at];
};

/**
 * Throws 422 for a body that breaks the contract, with all its other faults. Skips fields in `known`, and rules between fields that involve
 * one of them. `readStored` reads the job to change, in the form that a caller would send; undefined if there is none.
 */
export async function refuseJob(
  ctx: JobContext,
  body: unknown,
  known: readonly FieldError[],
  readStored: () => Promise<JobFields | undefined>,
): Promise<never> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid(known);
  const reported = fieldsOf(known);
  const accepted = (fields: JobFields): JobFields =>
    Object.fromEntries(
      [...rulesOf.keys()].flatMap((field) =>
        Object.hasOwn(fields, field) && !reported.has(field) ? [[field, fields[field]]] : [],
      ),
    );
  const supplied = accepted(body as JobFields);
  const stored = await readStored();
  const explained = known.map((error) => advised(error, body as JobFields));
  await checkJob(ctx, supplied, stored ? { ...accepted(stored), ...supplied } : {}, explained);
  throw invalid(explained);
}
