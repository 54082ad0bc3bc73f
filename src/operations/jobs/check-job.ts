import type { ApiContext } from '../../context.ts';
import { policy } from '../../domain/environment.ts';
import { ApiError, forbidden, invalid } from '../../domain/errors.ts';
import {
  crossFieldErrors,
  type FieldError,
  htmlFields,
  type JobFields,
  listHint,
  referenceIdMax,
  suppliedFieldErrors,
} from '../../domain/job-rules.ts';
import { categoryKind, districtExists, mayPublishIn } from '../../queries/reference.ts';

/** The supplied fields as they may be stored, or every reason why not. */
type Checked<F> =
  | { readonly kind: 'valid'; readonly fields: F }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

/**
 * Checks the supplied fields against the rules that the schema cannot express, and sanitizes those with HTML.
 * `whole` is the resulting job: on create the same fields, on update the merged job.
 * Throws 503 if the sanitizer is busy and the fields are otherwise valid.
 */
export async function checkJob<F extends JobFields>(ctx: ApiContext, fields: F, whole: JobFields): Promise<Checked<F>> {
  const errors = [...suppliedFieldErrors(fields, ctx.today), ...crossFieldErrors(whole, fields)];
  const sanitized: Record<string, string> = {};
  for (const field of htmlFields) {
    const html = fields[field];
    if (typeof html !== 'string' || errors.some(([refused]) => refused === field)) continue;
    const outcome = await sanitize(ctx, field, html, errors.length > 0);
    if (typeof outcome === 'string') sanitized[field] = outcome;
    else errors.push(...outcome);
  }
  return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'valid', fields: { ...fields, ...sanitized } };
}

async function sanitize(
  ctx: ApiContext,
  field: string,
  html: string,
  hasErrors: boolean,
): Promise<string | readonly FieldError[]> {
  try {
    const { companyId } = ctx.actor.tenant;
    return await ctx.bodies.run(companyId, ctx.lifetime, () => ctx.sanitizer.sanitize(html, field));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 422)
      return Object.entries(error.details).flatMap(([name, messages]) =>
        [messages].flat().map((message): FieldError => [name, String(message)]),
      );
    if (hasErrors) return [];
    throw error;
  }
}

const categoryMessages = {
  area: 'is a main area; send the id of one of its children, which have it as parent_id',
  none: 'must be the id of an active category with a parent_id',
} as const;

/** Section 2.2: the category is an active child of an active area, and the district exists. Checks only supplied integers. */
export async function referenceErrors(ctx: ApiContext, fields: JobFields): Promise<FieldError[]> {
  const { category_id: category, district_id: district } = fields;
  const errors: FieldError[] = [];
  const kind = isReference(category) ? await categoryKind(ctx.db, category) : 'postable';
  if (kind !== 'postable') errors.push(['category_id', categoryMessages[kind] + listHint('category_id')]);
  if (isReference(district) && !(await districtExists(ctx.db, district)))
    errors.push(['district_id', `must be the id of a region${listHint('district_id')}`]);
  return errors;
}

/** The schema or the rules on single fields refuse other values. */
const isReference = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= referenceIdMax;

/** Throws 403 `permission` if the company may not publish in a district. The sandbox does not check. */
export async function assertDistrictAllowed(ctx: ApiContext, districtId: number | null | undefined): Promise<void> {
  const { companyId, environment } = ctx.actor.tenant;
  if (!policy[environment].checksDistricts || typeof districtId !== 'number') return;
  if (await mayPublishIn(ctx.db, companyId, districtId)) return;
  throw forbidden('permission', 'This company may not publish in that district.', { field: 'district_id' });
}

/**
 * Throws 422 for a body that breaks the contract, with what else is wrong with it.
 * Fields in `known` are not checked further, and neither are rules between fields that involve one of them.
 * `readStored` reads the job to be changed, as a caller would send it; undefined if there is none.
 */
export async function refuseJob(
  ctx: ApiContext,
  body: unknown,
  known: readonly FieldError[],
  readStored: () => Promise<JobFields | undefined>,
): Promise<never> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid(known);
  const reported = new Set(known.map(([field]) => field.replace(/\[.*/, '')));
  const accepted = (fields: object): JobFields =>
    Object.fromEntries(Object.entries(fields).filter(([field]) => !reported.has(field)));
  const stored = await readStored();
  const fields = accepted(body);
  const checked = await checkJob(ctx, fields, stored ? accepted({ ...stored, ...body }) : {});
  const errors = [...(checked.kind === 'invalid' ? checked.errors : []), ...(await referenceErrors(ctx, fields))];
  throw invalid([...known, ...errors.filter(([field]) => !reported.has(field))]);
}
