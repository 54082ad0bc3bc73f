import { ActionError } from '../operations/errors.ts';
import type { FieldErrors } from './form.ts';
import type { PageContext, Person } from './page.ts';

/** Form fields by the names of the operation's input. */
export type FieldNames = Readonly<Record<string, string>>;

type Outcome<T> =
  | { readonly result: T; readonly errors?: never }
  | { readonly errors: FieldErrors; readonly result?: never };

/** Runs an operation. A refusal becomes an error of the form; every other failure is thrown. */
export async function tryOperation<T>(operation: () => Promise<T>, names: FieldNames = {}): Promise<Outcome<T>> {
  try {
    return { result: await operation() };
  } catch (error) {
    return { errors: fieldErrors(error, names) };
  }
}

/** Rethrows a refusal of an input that is no field of the form, such as an id in the path. */
function fieldErrors(error: unknown, names: FieldNames): FieldErrors {
  if (!(error instanceof ActionError)) throw error;
  const name = error.field === undefined ? '' : names[error.field];
  if (name === undefined) throw error;
  return { [name]: error.message };
}

const passwordMessages = {
  wrong: 'This is not your password.',
  throttled: 'Too many wrong passwords. Wait 15 minutes.',
} as const;

/** Checks the person's password in a form field; undefined if it is right. */
export async function passwordErrors(
  { form, checkPassword }: PageContext<Person>,
  field: string,
): Promise<FieldErrors | undefined> {
  const outcome = await checkPassword(form.text(field));
  return outcome === 'right' ? undefined : { [field]: passwordMessages[outcome] };
}
