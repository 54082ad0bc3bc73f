import { unlimited } from '../../domain/eligibility.ts';
import { listPlans } from '../../operations/plans/list-plans.ts';
import { setPlan } from '../../operations/plans/set-plan.ts';
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
  const { form, t } = ctx;
  const input = {
    name: form.text('name'),
    limit: form.wholeNumber('limit'),
    apiEligible: form.text('eligible') === 'yes',
  };
  const { result, errors } = await tryOperation(ctx, () => setPlan(ctx, input), {
    name: 'name',
    limit: 'limit',
  });
  if (errors) return plansPage(ctx, await listPlans(ctx), form.values(), errors);
  return redirect(
    '/admin/plans',
    t('The plan {{name}} is saved. Its subscribers have it from now on.', { name: result.name }),
  );
}

const valuesOf = ({ name, postingLimit, apiEligible }: Plan): FieldValues => ({
  name,
  limit: String(postingLimit),
  eligible: apiEligible ? 'yes' : 'no',
});

function plansPage(ctx: AdminContext, all: readonly Plan[], values: FieldValues, errors: FieldErrors): PageAnswer {
  const { t } = ctx;
  return page(
    t('Plans'),
    <>
      <h1>{t('Plans')}</h1>
      <Table
        label={t('Plans')}
        rows={all}
        rowHead={t('Plan')}
        columns={[
          [t('Plan'), ({ name }) => name],
          [t('Jobs per month'), ({ postingLimit }) => (postingLimit === unlimited ? t('Unlimited') : postingLimit)],
          [t('Includes production'), ({ apiEligible }) => (apiEligible ? t('Yes') : t('No'))],
          [
            t('Actions'),
            ({ id, name }) => (
              <div class="actions">
                <a href={`/admin/plans?plan=${id}#name`}>{t('Change {{name}}', { name })}</a>
              </div>
            ),
          ],
        ]}
      />
      <article class="narrow">
        <h2>{t('Add or change a plan')}</h2>
        <FormErrors errors={errors} />
        <PostForm action="/admin/plans" values={values} errors={errors}>
          <Field
            name="name"
            label={t('Name')}
            hint={t('The name of an existing plan changes that plan. Any other name adds a plan.')}
            required
            maxLength={100}
          />
          <Field
            name="limit"
            label={t('Jobs per month')}
            hint={t('{{value}} means unlimited.', { value: unlimited })}
            type="number"
            min={unlimited}
            required
          />
          <SelectField
            name="eligible"
            label={t('Includes production')}
            options={[
              ['no', t('No')],
              ['yes', t('Yes')],
            ]}
          />
          <button type="submit">{t('Save plan')}</button>
        </PostForm>
      </article>
    </>,
    errors,
  );
}
