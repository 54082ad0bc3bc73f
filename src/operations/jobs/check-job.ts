import type { Context } from '../../context.ts';
import { policy } from '../../domain/environment.ts';
import { ApiError, forbidden } from '../../domain/errors.ts';
import { asInput } from '../../domain/job.ts';
import {
  crossFieldErrors,
  type FieldError,
  type JobFields,
  referenceIdMax,
  suppliedFieldErrors,
} from '../../domain/job-rules.ts';
import { findJob } from '../../queries/jobs.ts';
import { districtExists, isPostableCategory, mayPublishIn } from '../../queries/reference.ts';

/** The supplied fields as they may be stored, or every reason why not. */
export type Checked<F> =
  | { readonly kind: 'valid'; readonly fields: F }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

/**
 * Judges supplied fields by all rules that the schema cannot say, and sanitizes the body.
 * `whole` is the job as it would then be: the same fields on create, the merged job on update.
 * Throws 503 where the sanitizer has no room and nothing else is wrong.
 */
export async function checkJob<F extends JobFields>(ctx: Context, fields: F, whole: JobFields): Promise<Checked<F>> {
  const errors = [...suppliedFieldErrors(fields, ctx.today), ...crossFieldErrors(whole, fields)];
  const body = await sanitizeBody(ctx, fields, errors.length > 0);
  if (typeof body !== 'string' && body) errors.push(...body);
  if (errors.length > 0) return { kind: 'invalid', errors };
  return { kind: 'valid', fields: body === undefined ? fields : { ...fields, body } };
}

async function sanitizeBody(
  ctx: Context,
  { body }: JobFields,
  refused: boolean,
): Promise<string | FieldError[] | undefined> {
  if (typeof body !== 'string') return undefined;
  try {
    return await ctx.bodies.run(ctx.caller.tenant.companyId, () => ctx.sanitizer.sanitize(body));
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 422 && !refused)) throw error;
    return error.status === 422
      ? Object.entries(error.details).flatMap(([field, messages]) =>
          [messages].flat().map((message): FieldError => [field, String(message)]),
        )
      : undefined;
  }
}

/** Section 2.2: the category is an active child of an active area, and the district exists. Looks only at supplied integers. */
export async function referenceErrors(ctx: Context, fields: JobFields): Promise<FieldError[]> {
  const { category_id: category, district_id: district } = fields;
  const errors: FieldError[] = [];
  if (isReference(category) && !(await isPostableCategory(ctx.db, category)))
    errors.push([
      'category_id',
      'must be an active category with a parent_id whose parent is active; see GET /categories',
    ]);
  if (isReference(district) && !(await districtExists(ctx.db, district)))
    errors.push(['district_id', 'must be a district; see GET /regions']);
  return errors;
}

/** Other values have been judged by the schema or by the rules on single fields. */
const isReference = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= referenceIdMax;

/** Refuses with 403 `permission` where the company may not publish in a district. The sandbox does not check. */
export async function assertDistrictAllowed(ctx: Context, districtId: number | null | undefined): Promise<void> {
  const { companyId, environment } = ctx.caller.tenant;
  if (!policy[environment].checksDistricts || typeof districtId !== 'number') return;
  if (await mayPublishIn(ctx.db, companyId, districtId)) return;
  throw forbidden('permission', 'This company may not publish in that district.', { field: 'district_id' });
}

/** The fields of the company's job with this id, as a caller would have sent them; undefined where the id names none. */
export async function storedFields(ctx: Context, id: unknown): Promise<JobFields | undefined> {
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined;
  const job = await findJob(ctx.db, ctx.caller.tenant, BigInt(id));
  return job && asInput(job);
}

/** Everything that is wrong with a body which breaks the schema too, so that one answer lists it all. */
export async function furtherErrors(ctx: Context, fields: JobFields, whole: JobFields): Promise<FieldError[]> {
  const checked = await checkJob(ctx, fields, whole);
  return [...(checked.kind === 'invalid' ? checked.errors : []), ...(await referenceErrors(ctx, fields))];
}
