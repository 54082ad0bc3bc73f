import { unlimited } from '../../domain/eligibility.ts';
import { listPlans, setPlan } from '../../operations/plans/set-plan.ts';
import { Field, SelectField } from '../components/field.tsx';
import { FormErrors, PostForm } from '../components/form.tsx';
import { Table } from '../components/table.tsx';
import type { FieldErrors, FieldValues } from '../form.ts';
import { tryOperation } from '../form.ts';
import { type AdminContext, type PageAnswer, page, redirect } from '../page.ts';

type Plan = Awaited<ReturnType<typeof listPlans>>[number];

/** All plans, and a form that creates a plan or changes the one in the query. */
export async function plans(ctx: AdminContext): Promise<PageAnswer> {
  const all = await listPlans(ctx);
  const chosen = all.find(({ id }) => String(id) === ctx.query.get('plan'));
  return plansPage(ctx, all, chosen ? valuesOf(chosen) : {}, {});
}

export async function savePlan(ctx: AdminContext): Promise<PageAnswer> {
  const { form } = ctx;
  const input = {
    name: form.text('name'),
    postingLimit: form.wholeNumber('limit'),
    apiEligible: form.text('eligible') === 'yes',
  };
  const { result, errors } = await tryOperation(ctx, () => setPlan(ctx, input), {
    name: 'name',
    postingLimit: 'limit',
  });
  if (errors) return plansPage(ctx, await listPlans(ctx), form.values(), errors);
  return redirect('/admin/plans', ctx.texts.plans.saved(result.name));
}

const valuesOf = ({ name, postingLimit, apiEligible }: Plan): FieldValues => ({
  name,
  limit: String(postingLimit),
  eligible: apiEligible ? 'yes' : 'no',
});

function plansPage(
  { texts: { plans: texts, words } }: AdminContext,
  all: readonly Plan[],
  values: FieldValues,
  errors: FieldErrors,
): PageAnswer {
  const { columns } = texts;
  return page(
    texts.title,
    <>
      <h1>{texts.title}</h1>
      <Table
        label={texts.title}
        rows={all}
        rowHead={columns.plan}
        columns={[
          [columns.plan, ({ name }) => name],
          [columns.limit, ({ postingLimit }) => (postingLimit === unlimited ? words.unlimited : postingLimit)],
          [columns.production, ({ apiEligible }) => (apiEligible ? words.yes : words.no)],
          [
            columns.actions,
            ({ id, name }) => (
              <div class="actions">
                <a href={`/admin/plans?plan=${id}#name`}>{texts.change(name)}</a>
              </div>
            ),
          ],
        ]}
      />
      <article class="narrow">
        <h2>{texts.heading}</h2>
        <FormErrors errors={errors} />
        <PostForm action="/admin/plans" values={values} errors={errors}>
          <Field name="name" label={texts.name} hint={texts.nameHint} required maxLength={100} />
          <Field
            name="limit"
            label={columns.limit}
            hint={words.unlimitedHint(unlimited)}
            type="number"
            min={unlimited}
            required
          />
          <SelectField
            name="eligible"
            label={columns.production}
            options={[
              ['no', words.no],
              ['yes', words.yes],
            ]}
          />
          <button type="submit">{texts.save}</button>
        </PostForm>
      </article>
    </>,
    errors,
  );
}
