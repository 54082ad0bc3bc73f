import { unlimited } from '../../domain/eligibility.ts';
import { listPlans } from '../../operations/plans/list-plans.ts';
import { setPlan } from '../../operations/plans/set-plan.ts';
import { Field, SelectField } from '../components/field.tsx';
import { FilterForm, FormErrors, PostForm } from '../components/form.tsx';
import { byName, SearchFields, searched, searchIn } from '../components/list-search.tsx';
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
    limit: form.wholeNumber('limit'),
    apiEligible: form.text('eligible') === 'yes',
  };
  const { result, errors } = await tryOperation(ctx, () => setPlan(ctx, input), {
    name: 'name',
    limit: 'limit',
  });
  if (errors) return plansPage(ctx, await listPlans(ctx), form.values(), errors);
  return redirect('/admin/plans', ctx.texts.plans.saved(result.name));
}

const valuesOf = ({ name, postingLimit, apiEligible }: Plan): FieldValues => ({
  name,
  limit: String(postingLimit),
  eligible: apiEligible ? 'yes' : 'no',
});

/** Unlimited is the highest limit. */
const rankOf = ({ postingLimit }: Plan): number =>
  postingLimit === unlimited ? Number.MAX_SAFE_INTEGER : postingLimit;

function plansPage(ctx: AdminContext, all: readonly Plan[], values: FieldValues, errors: FieldErrors): PageAnswer {
  const { plans: texts, words, lists } = ctx.texts;
  const { columns } = texts;
  const search = searchIn(ctx.query, 'plans');
  const found = searched(all, search, ({ name }) => name, {
    name: byName(ctx.texts, ({ name }) => name),
    limit: (one, other) => rankOf(one) - rankOf(other),
  });
  return page(
    texts.title,
    <>
      <h1>{texts.title}</h1>
      <FilterForm action="/admin/plans" values={search.values}>
        <SearchFields list="plans" />
      </FilterForm>
      {found.length === 0 && <p>{lists.noneFound}</p>}
      <Table
        label={texts.title}
        rows={found}
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
