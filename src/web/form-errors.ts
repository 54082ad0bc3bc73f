import { ApiError } from '../domain/errors.ts';
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
  if (!(error instanceof ApiError)) throw error;
  const { field } = error.details;
  const name = typeof field === 'string' ? names[field] : undefined;
  if (name !== undefined) return { [name]: error.message };
  if (field === undefined && (error.status === 409 || error.status === 422)) return { '': error.message };
  throw error;
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
