import { forbidden, invalid } from '../../domain/errors.ts';
import { type Fields, referenceIdMax, withList } from '../../domain/field-rules.ts';
import type { FieldError, Message } from '../../domain/message.ts';
import { fieldsOf, judgeFields, refuseFields } from '../kit/api/check-fields.ts';
import { findPlaceRefusals, type Refusal } from './change-job-sql.ts';
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
  const { category_id: category, district_id: district } = fields;
  const refusals = await findPlaceRefusals(ctx.db, ctx.actor.tenant, referenceId(category), referenceId(district));
  const reported = fieldsOf(known);
  throw invalid([...known, ...[...errors, ...placeErrors(refusals)].filter(([field]) => !reported.has(field))]);
}

/** Returns null for a value that cannot be an id, because the schema or the rules on single fields refuse that value. */
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
    return field && message ? [[field, withList(jobRules.get(field)?.references, message)]] : [];
  });

/** If the database refused the category or district, throws 422, or 403 `permission` for a district where the company may not publish. */
export function assertPlace(refusals: readonly Refusal[]): void {
  const errors = placeErrors(refusals);
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
