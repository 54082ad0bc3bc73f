import { forbidden, invalid } from '../../domain/errors.ts';
import type { Fields } from '../../domain/field-rules.ts';
import type { FieldError } from '../../domain/message.ts';
import { checkFields, referenceFaults, refuseFields } from '../kit/api/check-fields.ts';
import type { Refusal } from './change-job-sql.ts';
import { type JobContext, jobRules } from './job.ts';

/** Checks a job's fields by checkFields. The functions that write jobs check their references. */
export const checkJob = (
  ctx: JobContext,
  fields: Fields,
  stored?: Fields | 'unknown',
  known?: readonly FieldError[],
): Promise<Fields> => checkFields(ctx, jobRules, fields, { stored, known, writeChecksReferences: true });

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
  stored: Fields | 'unknown',
): Promise<never> => refuseFields(jobRules, body, known, stored, (...given) => checkJob(ctx, ...given));
