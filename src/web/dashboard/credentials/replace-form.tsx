import { credentialDaysMax } from '../../../operations/credentials/issue-credential.ts';
import type { ListedCredential } from '../../../operations/credentials/list-credentials.ts';
import type { Form } from '../../form.ts';
import { accessNames, maskedSecret } from '../../parts/credential.ts';
import { Field, type FieldErrors, FormErrors, PasswordField, SelectField } from '../../parts/field.tsx';
import { PostForm } from '../../parts/post-form.tsx';
import { Instant } from '../../parts/when.tsx';

/** As typed. */
export interface ReplaceInput {
  readonly overlap: string;
  readonly days: string;
}

/** In hours. */
const overlaps = [
  ['0', 'None: it ends now'],
  ['1', '1 hour'],
  ['24', '1 day'],
  ['168', '7 days'],
  ['336', '14 days'],
  ['720', '30 days'],
] as const;

export const emptyReplaceForm: ReplaceInput = { overlap: '24', days: String(credentialDaysMax) };

export const readReplaceForm = (form: Form): ReplaceInput => ({
  overlap: form.text('overlap'),
  days: form.text('days'),
});

interface Props {
  readonly old: ListedCredential;
  readonly typed: ReplaceInput;
  readonly errors: FieldErrors;
  /** Lets the form be sent once. */
  readonly formToken: string;
}

export function ReplaceForm({ old, typed, errors, formToken }: Props) {
  const { id, label, environment, access, expiresAt } = old;
  const days = { type: 'number', min: 1, max: credentialDaysMax, required: true } as const;
  return (
    <article class="narrow">
      <h1>{`Replace ${label}`}</h1>
      <p>
        A new credential of the same kind ({environment}, {accessNames[access].toLowerCase()}) takes the place of{' '}
        <code>{maskedSecret(old)}</code>, which expires <Instant at={expiresAt} />. While both work, both count towards
        the five.
      </p>
      <FormErrors errors={errors} />
      <PostForm action={`/dashboard/credentials/${id}/replace`}>
        <input type="hidden" name="once" value={formToken} />
        <SelectField
          name="overlap"
          label="How long the old one still works"
          hint="Long enough to put the new one everywhere."
          value={typed.overlap}
          options={overlaps}
          errors={errors}
        />
        <Field name="days" label="Days until the new one expires" value={typed.days} errors={errors} {...days} />
        <PasswordField name="password" label="Your password, once more" errors={errors} />
        <button type="submit">Replace</button>
      </PostForm>
      <a href="/dashboard/credentials">Keep the old one, back to the credentials</a>
    </article>
  );
}
