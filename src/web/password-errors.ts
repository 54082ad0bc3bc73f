import type { PageContext, Person } from './page.ts';
import type { FieldErrors } from './parts/field.tsx';

const messages = {
  wrong: 'This is not your password.',
  throttled: 'Too many wrong passwords: wait 15 minutes.',
} as const;

/** What is wrong with the current password in a form's field; undefined where it is right. */
export async function passwordErrors(
  { form, checkPassword }: PageContext<Person>,
  field: string,
): Promise<FieldErrors | undefined> {
  const outcome = await checkPassword(form.text(field));
  return outcome === 'right' ? undefined : { [field]: messages[outcome] };
}
