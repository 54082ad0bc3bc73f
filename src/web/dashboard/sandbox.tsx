import { resetSandbox, type SandboxUsage, showSandbox } from '../../operations/sandbox/reset-sandbox.ts';
import { Field } from '../components/field.tsx';
import { FormErrors, PostForm } from '../components/form.tsx';
import type { FieldErrors } from '../form.ts';
import { type DashboardContext, type PageAnswer, page, redirect } from '../page.ts';

/** The confirmation that section 1 of the requirements asks for. */
const resetWord = 'RESET';

export async function sandbox(ctx: DashboardContext, errors: FieldErrors = {}): Promise<PageAnswer> {
  const { company, isMain } = ctx.person;
  const usage = await showSandbox(ctx, { companyId: company.id });
  const content = (
    <>
      <h1>Sandbox</h1>
      <Usage {...usage} />
      {isMain ? (
        <article class="narrow">
          <h2>Reset</h2>
          <p>
            Deletes all jobs and idempotency keys in the sandbox. This cannot be undone. Credentials and production are
            not affected.
          </p>
          <FormErrors errors={errors} />
          <PostForm action="/dashboard/sandbox/reset" values={ctx.form.values()} errors={errors}>
            <Field name="word" label={`Type ${resetWord}`} autocomplete="off" required />
            <button type="submit">Reset the sandbox</button>
          </PostForm>
        </article>
      ) : (
        <p>Only the company's main account can reset the sandbox.</p>
      )}
    </>
  );
  return page('Sandbox', content, errors);
}

export async function reset(ctx: DashboardContext): Promise<PageAnswer> {
  if (ctx.form.text('word').trim() !== resetWord)
    return sandbox(ctx, { word: `Type ${resetWord} in capital letters to reset the sandbox.` });
  const { jobs, keys } = await resetSandbox(ctx, { companyId: ctx.person.company.id });
  return redirect('/dashboard/sandbox', `The sandbox was reset. Jobs deleted: ${jobs}, idempotency keys: ${keys}.`);
}

function Usage({ used, capacity }: SandboxUsage) {
  return (
    <>
      <p id="usage">{`${used} of ${capacity} jobs used since the last reset, ${Math.max(capacity - used, 0)} left.`}</p>
      <progress value={used} max={capacity} aria-labelledby="usage" />
      {used >= capacity && <p class="alert">The sandbox is full. New jobs are refused until you reset it.</p>}
    </>
  );
}
