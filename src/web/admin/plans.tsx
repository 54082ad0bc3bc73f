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
  return plansPage(all, chosen ? valuesOf(chosen) : {}, {});
}

export async function savePlan(ctx: AdminContext): Promise<PageAnswer> {
  const { form } = ctx;
  const input = {
    name: form.text('name'),
    postingLimit: form.wholeNumber('limit'),
    apiEligible: form.text('eligible') === 'yes',
  };
  const { result, errors } = await tryOperation(() => setPlan(ctx, input), { name: 'name', postingLimit: 'limit' });
  if (errors) return plansPage(await listPlans(ctx), form.values(), errors);
  return redirect('/admin/plans', `The plan ${result.name} is saved. Its subscribers have it from now on.`);
}

const valuesOf = ({ name, postingLimit, apiEligible }: Plan): FieldValues => ({
  name,
  limit: String(postingLimit),
  eligible: apiEligible ? 'yes' : 'no',
});

const plansPage = (all: readonly Plan[], values: FieldValues, errors: FieldErrors): PageAnswer =>
  page(
    'Plans',
    <>
      <h1>Plans</h1>
      <Table
        label="Plans"
        rows={all}
        rowHead="Plan"
        columns={[
          ['Plan', ({ name }) => name],
          ['Jobs per month', ({ postingLimit }) => (postingLimit === unlimited ? 'Unlimited' : postingLimit)],
          ['Includes production', ({ apiEligible }) => (apiEligible ? 'Yes' : 'No')],
          ['Actions', (plan) => <ChangeLink {...plan} />],
        ]}
      />
      <article class="narrow">
        <h2>Add or change a plan</h2>
        <FormErrors errors={errors} />
        <PostForm action="/admin/plans" values={values} errors={errors}>
          <Field
            name="name"
            label="Name"
            hint="The name of an existing plan changes that plan. Any other name adds a plan."
            required
            maxLength={100}
          />
          <Field
            name="limit"
            label="Jobs per month"
            hint={`${unlimited} means unlimited.`}
            type="number"
            min={unlimited}
            required
          />
          <SelectField
            name="eligible"
            label="Includes production"
            options={[
              ['no', 'No'],
              ['yes', 'Yes'],
            ]}
          />
          <button type="submit">Save plan</button>
        </PostForm>
      </article>
    </>,
    errors,
  );

const ChangeLink = ({ id, name }: Plan) => (
  <div class="actions">
    <a href={`/admin/plans?plan=${id}#name`}>{`Change ${name}`}</a>
  </div>
);
