import { resetSandbox, type SandboxUsage, showSandbox } from '../../operations/sandbox/reset-sandbox.ts';
import { Field } from '../components/field.tsx';
import { FormErrors, PostForm } from '../components/form.tsx';
import type { FieldErrors } from '../form.ts';
import { type DashboardContext, type PageAnswer, page, redirect } from '../page.ts';
import { useTexts } from '../texts/texts.ts';

/** The confirmation that section 1 of the requirements asks for. */
const resetWord = 'RESET';

export async function sandbox(ctx: DashboardContext, errors: FieldErrors = {}): Promise<PageAnswer> {
  const { sandbox: texts, forms } = ctx.texts;
  const { company, isMain } = ctx.person;
  const usage = await showSandbox(ctx, { companyId: company.id });
  const content = (
    <>
      <h1>{texts.title}</h1>
      <Usage {...usage} />
      {isMain ? (
        <article class="narrow">
          <h2>{texts.reset}</h2>
          <p>{texts.resetExplanation}</p>
          <FormErrors errors={errors} />
          <PostForm action="/dashboard/sandbox/reset" values={ctx.form.values()} errors={errors}>
            <Field name="word" label={forms.type(resetWord)} autocomplete="off" required />
            <button type="submit">{texts.resetButton}</button>
          </PostForm>
        </article>
      ) : (
        <p>{texts.onlyMain}</p>
      )}
    </>
  );
  return page(texts.title, content, errors);
}

export async function reset(ctx: DashboardContext): Promise<PageAnswer> {
  const { sandbox: texts } = ctx.texts;
  if (ctx.form.text('word').trim() !== resetWord) return sandbox(ctx, { word: texts.wrongWord(resetWord) });
  const { jobs, keys } = await resetSandbox(ctx, { companyId: ctx.person.company.id });
  return redirect('/dashboard/sandbox', texts.done(jobs, keys));
}

function Usage({ used, capacity }: SandboxUsage) {
  const { sandbox: texts } = useTexts();
  return (
    <>
      <p id="usage">{texts.usage(used, capacity, Math.max(capacity - used, 0))}</p>
      <progress value={used} max={capacity} aria-labelledby="usage" />
      {used >= capacity && <p class="alert">{texts.full}</p>}
    </>
  );
}
