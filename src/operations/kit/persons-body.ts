import { type Operation, wholeBody } from '../../contract/document.ts';
import type { Day } from '../../domain/dates.ts';
import { ApiError, invalidFields } from '../../domain/errors.ts';
import type { Fields, Rules } from '../../domain/field-rules.ts';
import type { FieldError } from '../../domain/message.ts';

// A person sends the body of an operation of the API in a form or a file. It is checked as the API does.

/** What breaks the contract in a body. People send no parameters, so what is wrong with these does not concern them. */
export async function bodyErrors(
  { operationId, parameters }: Operation,
  rules: Rules,
  body: Fields,
  today: Day,
): Promise<FieldError[]> {
  // Loading this module takes a fifth of a second, and few commands need it.
  const { contractErrors } = await import('../../contract/validate.ts');
  const names = new Set(parameters.map(({ name }) => name));
  const errors = contractErrors({ operationId, path: {}, query: {}, header: {}, body }, today);
  return errors.filter(([field]) => rules.has(field) || !names.has(field));
}

/** Names the field of an error of the API as the form does: `job.title` for the noun job, and `whole` for the whole body. */
export const inFormName = ([field, ...fault]: FieldError, noun: string, whole: string): FieldError => [
  field === wholeBody ? whole : `${noun}.${field}`,
  ...fault,
];

/** Names the fields in an error of the API as the form does. */
export function inFormNames(error: unknown, noun: string, whole: string): unknown {
  if (!(error instanceof ApiError)) return error;
  const { code, said, details, faults } = error;
  const refused = code === 'permission' && details.field ? [[String(details.field), said] as const] : faults;
  if (refused.length === 0) return error;
  return invalidFields(refused.map((fault) => inFormName(fault, noun, whole)));
}
