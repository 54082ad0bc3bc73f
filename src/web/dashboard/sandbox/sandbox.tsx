import type { CompanyPerson } from '../../../auth/person.ts';
import { type SandboxUsage, showSandbox } from '../../../operations/sandbox/reset-sandbox.ts';
import { type PageAnswer, type PageContext, page } from '../../page.ts';
import { Field, type FieldErrors, FormErrors } from '../../parts/field.tsx';
import { PostForm } from '../../parts/post-form.tsx';

/** What the form of a reset asks a person to type. */
export const resetWord = 'RESET';

export const sandbox = (ctx: PageContext<CompanyPerson>): Promise<PageAnswer> => sandboxPage(ctx, '', {});

export async function sandboxPage(
  ctx: PageContext<CompanyPerson>,
  typed: string,
  errors: FieldErrors,
): Promise<PageAnswer> {
  const { company, isMain } = ctx.person;
  const usage = await showSandbox(ctx, { companyId: company.id });
  const content = (
    <>
      <h1>Sandbox</h1>
      <Usage {...usage} />
      {isMain ? (
        <ResetForm typed={typed} errors={errors} />
      ) : (
        <p>Only the main account of the company resets the sandbox.</p>
      )}
    </>
  );
  return page('Sandbox', content, Object.keys(errors).length > 0 ? 422 : 200);
}

function Usage({ used, capacity }: SandboxUsage) {
  return (
    <>
      <p id="usage">{`${used} of ${capacity} jobs used since the last reset, ${Math.max(capacity - used, 0)} left.`}</p>
      <progress value={used} max={capacity} aria-labelledby="usage" />
      {used >= capacity && <p class="alert">The sandbox is full: a new job is refused until a reset.</p>}
    </>
  );
}

function ResetForm({ typed, errors }: { readonly typed: string; readonly errors: FieldErrors }) {
  return (
    <article class="narrow">
      <h2>Reset</h2>
      <p>
        Deletes all jobs and idempotency keys of the sandbox and cannot be undone. Credentials stay, and production is
        not touched.
      </p>
      <FormErrors errors={errors} />
      <PostForm action="/dashboard/sandbox/reset">
        <Field name="word" label={`Type ${resetWord}`} autocomplete="off" required value={typed} errors={errors} />
        <button type="submit">Reset the sandbox</button>
      </PostForm>
    </article>
  );
}
