import { ApiError, forbidden, invalid } from '../../domain/errors.ts';
import {
  crossFieldErrors,
  type FieldError,
  htmlFields,
  type JobFields,
  listHint,
  referenceIdMax,
  rulesOf,
  suppliedFieldErrors,
} from '../../domain/field-rules.ts';
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
  const errors = [...suppliedFieldErrors(fields, ctx.today, ctx.nameOf), ...crossFieldErrors(whole, fields)];
  const sanitized: Record<string, string> = {};
  for (const field of htmlFields) {
    const html = fields[field];
    if (typeof html !== 'string' || errors.some(([refused]) => refused === field)) continue;
    const outcome = await sanitize(ctx, field, html, errors.length > 0);
    if (typeof outcome === 'string') sanitized[field] = outcome;
    else errors.push(...outcome);
  }
  if (errors.length + known.length === 0) return { ...fields, ...sanitized };
  const { category_id: category, district_id: district } = fields;
  const refusals = await findPlaceRefusals(ctx.db, ctx.actor.tenant, referenceId(category), referenceId(district));
  const reported = fieldsOf(known);
  throw invalid([...known, ...[...errors, ...placeErrors(ctx, refusals)].filter(([field]) => !reported.has(field))]);
}

async function sanitize(
  { sanitizer }: JobContext,
  field: string,
  html: string,
  hasErrors: boolean,
): Promise<string | readonly FieldError[]> {
  try {
    return await sanitizer.sanitize(html, field);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 422 && !hasErrors)) throw error;
    if (error.status !== 422) return [];
    return Object.entries(error.details).flatMap(([name, messages]) =>
      [messages].flat().map((message): FieldError => [name, String(message)]),
    );
  }
}

/** Other values are refused by the schema or the rules on single fields. */
const referenceId = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= referenceIdMax ? value : null;

/** Section 2.2: the category is an active child of an active area, and the district exists. */
const placeMessages: { readonly [R in Refusal]?: FieldError } = {
  category: ['category_id', 'must be the id of an active category with a parent_id'],
  area: ['category_id', 'is a main area; send the id of one of its children, which have it as parent_id'],
  district: ['district_id', 'must be the id of a region'],
};

const placeErrors = ({ nameOf }: JobContext, refusals: readonly Refusal[]): FieldError[] =>
  refusals.flatMap((refusal): FieldError[] => {
    const [field, message] = placeMessages[refusal] ?? [];
    return field && message ? [[field, message + listHint(field, nameOf)]] : [];
  });

/** Throws why the database refused a job's category or district: 422, or 403 `permission` if the company may not publish there. */
export function assertPlace(ctx: JobContext, refusals: readonly Refusal[]): void {
  const errors = placeErrors(ctx, refusals);
  if (errors.length > 0) throw invalid(errors);
  if (refusals.includes('elsewhere'))
    throw forbidden('permission', 'This company may not publish in that district.', { field: 'district_id' });
}

const fieldsOf = (errors: readonly FieldError[]): ReadonlySet<string> => new Set(errors.map(([field]) => field));

/** Adds to the message about HTML that is too long how much of it counts: most of a word processor's HTML is not kept. */
async function explainLengths(
  { sanitizer }: JobContext,
  fields: JobFields,
  known: readonly FieldError[],
): Promise<readonly FieldError[]> {
  const explained = known.map(async ([field, message]): Promise<FieldError> => {
    const html = htmlFields.includes(field) ? fields[field] : undefined;
    const { maxLength = 0 } = rulesOf.get(field) ?? {};
    const isLong = typeof html === 'string' && html.length > maxLength;
    return [field, message + (isLong ? await sanitizer.explainLength(html, field).catch(() => '') : '')];
  });
  return Promise.all(explained);
}

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
  const explained = await explainLengths(ctx, body as JobFields, known);
  await checkJob(ctx, supplied, stored ? { ...accepted(stored), ...supplied } : {}, explained);
  throw invalid(explained);
}
