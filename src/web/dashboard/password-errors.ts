import type { CompanyPerson } from '../../gate/person.ts';
import type { PageContext } from '../page.ts';
import type { FieldErrors } from '../parts/field.tsx';

const messages = {
  wrong: 'This is not your password.',
  throttled: 'Too many wrong passwords: wait 15 minutes.',
} as const;

/** What is wrong with the `password` that a form asks for again; undefined where it is right. */
export async function passwordErrors({
  form,
  checkPassword,
}: PageContext<CompanyPerson>): Promise<FieldErrors | undefined> {
  const outcome = await checkPassword(form.text('password'));
  return outcome === 'right' ? undefined : { password: messages[outcome] };
}
