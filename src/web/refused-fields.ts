import { ActionError } from '../operations/errors.ts';
import type { FieldErrors } from './parts/field.tsx';

/** Names of an action's input, and of the fields of a form that they were typed into. */
export type FieldNames = Readonly<Record<string, string>>;

/**
 * What an action refused, by the field of the form; '' is the form as a whole. Throws what is no refusal, and a refusal of something
 * that is not in the form: an id of the path that leads nowhere.
 */
export function refusedFields(error: unknown, names: FieldNames = {}): FieldErrors {
  if (!(error instanceof ActionError)) throw error;
  const name = error.field === undefined ? '' : names[error.field];
  if (name === undefined) throw error;
  return { [name]: error.message };
}
