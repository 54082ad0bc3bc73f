import type { Access } from '../../../domain/actor.ts';
import type { Environment } from '../../../domain/environment.ts';
import { credentialDaysMax } from '../../../operations/credentials/issue-credential.ts';
import type { Form } from '../../form.ts';
import { accessNames } from '../../parts/credential.ts';
import { Field, type FieldErrors, FormErrors, PasswordField, SelectField } from '../../parts/field.tsx';
import { PostForm } from '../../parts/post-form.tsx';

/** As typed. */
export interface IssueInput {
  readonly label: string;
  readonly access: Access | undefined;
  readonly environment: Environment | undefined;
  readonly days: string;
}

export const emptyIssueForm: IssueInput = {
  label: '',
  access: 'read',
  environment: 'sandbox',
  days: String(credentialDaysMax),
};

export const readIssueForm = (form: Form): IssueInput => ({
  label: form.text('label'),
  access: form.oneOf('access', ['read', 'write'] as const),
  environment: form.oneOf('environment', ['sandbox', 'production'] as const),
  days: form.text('days'),
});

interface Props {
  readonly typed: IssueInput;
  readonly errors: FieldErrors;
  /** Lets the form be sent once. */
  readonly formToken: string;
}

export function IssueForm({ typed, errors, formToken }: Props) {
  const days = { type: 'number', min: 1, max: credentialDaysMax, required: true } as const;
  return (
    <article class="narrow">
      <h1>Issue a credential</h1>
      <FormErrors errors={errors} />
      <PostForm action="/dashboard/credentials/issue">
        <input type="hidden" name="once" value={formToken} />
        <Field
          name="label"
          label="Label"
          hint="What will use it, such as: website"
          required
          maxLength={100}
          value={typed.label}
          errors={errors}
        />
        <SelectField
          name="environment"
          label="Environment"
          hint="A production credential works once production is open to the company."
          value={typed.environment ?? ''}
          options={[
            ['sandbox', 'Sandbox'],
            ['production', 'Production'],
          ]}
          errors={errors}
        />
        <SelectField
          name="access"
          label="Access"
          value={typed.access ?? ''}
          options={Object.entries(accessNames)}
          errors={errors}
        />
        <Field name="days" label="Days until it expires" value={typed.days} errors={errors} {...days} />
        <PasswordField name="password" label="Your password, once more" errors={errors} />
        <button type="submit">Issue</button>
      </PostForm>
    </article>
  );
}
