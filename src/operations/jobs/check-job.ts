import { forbidden, invalid } from '../../domain/errors.ts';
import type { Fields } from '../../domain/field-rules.ts';
import type { FieldError } from '../../domain/message.ts';
import { fieldsOf, judgeFields, referenceErrors, referenceFaults, refuseFields } from '../kit/api/check-fields.ts';
import type { Refusal } from './change-job-sql.ts';
import { type JobContext, jobRules } from './job.ts';

/**
 * Returns the supplied fields in the form to store, with sanitized HTML. `whole` is the resulting job: on create the supplied fields, on
 * update the merged job. Throws 422 with the errors in `known` and those of all other fields. Throws 503 if the sanitizer is busy and there
 * are no errors.
 */
export async function checkJob<F extends Fields>(
  ctx: JobContext,
  fields: F,
  whole: Fields,
  known: readonly FieldError[] = [],
): Promise<F> {
  const { fields: kept, errors } = await judgeFields(ctx, jobRules, fields, whole, known);
  if (errors.length + known.length === 0) return kept;
  const reported = fieldsOf(known);
  const all = [...errors, ...(await referenceErrors(ctx, jobRules, fields))];
  throw invalid([...known, ...all.filter(([field]) => !reported.has(field))]);
}

/** If the database refused the category or district, throws 422, or 403 `permission` for a district where the company may not publish. */
export function assertPlace(refusals: readonly Refusal[]): void {
  const errors = [...jobRules].flatMap((rule) => referenceFaults(rule, refusals));
  if (errors.length > 0) throw invalid(errors);
  if (refusals.includes('elsewhere'))
    throw forbidden('permission', 'This company may not publish in that district.', { field: 'district_id' });
}

/** Throws 422 for a body that breaks the contract, with all its errors; see refuseFields. */
export const refuseJob = (
  ctx: JobContext,
  body: unknown,
  known: readonly FieldError[],
  readStored: () => Promise<Fields | undefined>,
): Promise<never> => refuseFields(jobRules, body, known, readStored, (...given) => checkJob(ctx, ...given));
