import type { ApiContext } from '../../../context.ts';
import type { Caller } from '../../../domain/actor.ts';
import { ApiError, invalid } from '../../../domain/errors.ts';
import {
  changesTo,
  crossFieldErrors,
  type FieldRules,
  type Fields,
  htmlLimitsOf,
  newRow,
  type Rules,
  referenceIdMax,
  storedValues,
  suppliedFieldErrors,
  withList,
} from '../../../domain/field-rules.ts';
import { isJsonObject } from '../../../domain/json-object.ts';
import { type FieldError, type Message, withAdvice } from '../../../domain/message.ts';
import { referenceLists } from '../../../domain/reference-lists.ts';
import { holdsSecret, secretMessage } from '../../../domain/token.ts';
import { findReferenceRefusals } from './references-sql.ts';

// Checks stored fields by the rules that the contract declares in extensions, because a JSON schema cannot express them.

export interface FieldsContext extends Pick<ApiContext, 'db' | 'sanitizer' | 'today'> {
  readonly actor: { readonly tenant: Pick<Caller['tenant'], 'companyId'> };
}

interface FieldsCheck {
  /** The row before the supplied fields are written, as a caller would send it. Defaults to a new row. If unknown, skips rules between fields. */
  readonly stored?: Fields | 'unknown' | undefined;
  /** The errors that are known already. */
  readonly known?: readonly FieldError[] | undefined;
  /** Whether the statement that writes the fields checks the references too: then they are read only to name all errors. */
  readonly writeChecksReferences?: boolean;
}

/**
 * Returns the supplied fields as they are stored: HTML is sanitized, and decimals are rounded. Throws 422 with the errors in `known` and those
 * of all other fields. Throws 503 if the sanitizer is busy and there are no errors.
 */
export async function checkFields(
  ctx: FieldsContext,
  rules: Rules,
  fields: Fields,
  { stored = newRow(rules), known = [], writeChecksReferences = false }: FieldsCheck,
): Promise<Fields> {
  const whole = stored === 'unknown' ? {} : { ...stored, ...fields };
  const errors = [...suppliedFieldErrors(rules, fields, ctx.today), ...crossFieldErrors(rules, whole, fields)];
  const sanitized: Record<string, string> = {};
  for (const [field, rule] of rules) {
    const html = rule.kind === 'html' ? fields[field] : undefined;
    if (typeof html !== 'string' || errors.some(([refused]) => refused === field)) continue;
    const outcome = await sanitize(ctx, [field, rule], html, errors.length + known.length > 0);
    if (typeof outcome !== 'string') errors.push(...outcome);
    // Earlier checks missed this secret, because the HTML as sent had something between its pieces.
    else if (holdsSecret(outcome)) errors.push([field, { text: secretMessage }]);
    else sanitized[field] = outcome;
  }
  if (!writeChecksReferences || errors.length + known.length > 0)
    errors.push(...(await referenceErrors(ctx, rules, fields)));
  if (errors.length + known.length === 0) return storedValues(rules, { ...fields, ...sanitized });
  const reported = fieldsOf(known);
  throw invalid([...known, ...errors.filter(([field]) => !reported.has(field))]);
}

async function sanitize(
  { sanitizer, actor }: FieldsContext,
  [field, rule]: readonly [string, FieldRules],
  html: string,
  hasErrors: boolean,
): Promise<string | readonly FieldError[]> {
  try {
    return await sanitizer.sanitize(actor.tenant.companyId, html, field, htmlLimitsOf(rule));
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 422 && !hasErrors)) throw error;
    return error.faults;
  }
}

type Referring = readonly [field: string, rules: Pick<FieldRules, 'references'>];

/** Words the refusals that are about a field's list. */
export function referenceFaults([field, { references }]: Referring, refusals: readonly string[]): FieldError[] {
  if (references === undefined) return [];
  return Object.entries<Message>(referenceLists[references].refusals).flatMap(([refusal, message]): FieldError[] =>
    refusals.includes(refusal) ? [[field, withList(references, message)]] : [],
  );
}

const isReferenceId = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= referenceIdMax;

/** Returns the errors of the fields that refer to reference data. Skips values that cannot be ids, which other rules refuse. */
async function referenceErrors({ db, actor }: FieldsContext, rules: Rules, fields: Fields): Promise<FieldError[]> {
  const referring = [...rules].flatMap(([field, { references }]) => {
    const id = fields[field];
    return references && isReferenceId(id) ? [{ field, references, id }] : [];
  });
  if (referring.length === 0) return [];
  const refusals = await findReferenceRefusals(
    db,
    actor.tenant,
    referring.map(({ references, id }) => [references, id]),
  );
  return referring.flatMap(({ field, references }, at) => referenceFaults([field, { references }], refusals[at] ?? []));
}

const fieldsOf = (errors: readonly FieldError[]): ReadonlySet<string> => new Set(errors.map(([field]) => field));

/** The sanitizer removes most of a word processor's HTML, but does not read HTML over the limit, so the message cannot say how much. */
const advice = '; leave out styles, comments and attributes, which count too, or shorten the text';

/** If a field's HTML as sent is over the limit, adds `advice` to the message about its length. */
function advised(rules: Rules, [field, message, ...at]: FieldError, fields: Fields): FieldError {
  const { kind, maxLength = 0 } = rules.get(field) ?? {};
  const html = kind === 'html' ? fields[field] : undefined;
  const isLong = typeof html === 'string' && html.length > maxLength;
  return [field, isLong ? withAdvice(message, { advice }) : message, ...at];
}

export type Check = (supplied: Fields, stored: Fields | 'unknown', known: readonly FieldError[]) => Promise<unknown>;

/**
 * Throws 422 for a body that breaks the contract. It has the errors in `known`, and those that `check` finds in all other fields.
 * `stored` is as in FieldsCheck.
 */
export async function refuseFields(
  rules: Rules,
  body: unknown,
  known: readonly FieldError[],
  stored: Fields | 'unknown',
  check: Check,
): Promise<never> {
  if (!isJsonObject(body)) throw invalid(known);
  const reported = fieldsOf(known);
  const accepted = (fields: Fields): Fields =>
    Object.fromEntries(
      [...rules.keys()].flatMap((field) =>
        Object.hasOwn(fields, field) && !reported.has(field) ? [[field, fields[field]]] : [],
      ),
    );
  const supplied = accepted(body);
  const explained = known.map((error) => advised(rules, error, body));
  await check(supplied, stored === 'unknown' ? stored : accepted(stored), explained);
  throw invalid(explained);
}

/**
 * Throws 422 for supplied fields of an update that break the contract, with the errors that `check` finds in the others. Ignores a field that
 * equals its value in `stored`, which holds the stored fields as a caller would send them: that value may be older than the rule.
 */
export async function refuseChanged(
  rules: Rules,
  stored: Fields,
  fields: Fields,
  known: readonly FieldError[],
  check: Check,
): Promise<void> {
  const changed = changesTo(stored, fields);
  const isStored = (field: string) =>
    rules.has(field) && Object.hasOwn(fields, field) && !Object.hasOwn(changed, field);
  const errors = known.filter(([field]) => !isStored(field));
  if (errors.length > 0) await refuseFields(rules, changed, errors, stored, check);
}
