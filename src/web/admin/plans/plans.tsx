import { unlimited } from '../../../domain/eligibility.ts';
import { listPlans, setPlan } from '../../../operations/plans/set-plan.ts';
import { type PageAnswer, page, redirect } from '../../page.ts';
import { Field, type FieldErrors, FormErrors, SelectField } from '../../parts/field.tsx';
import { PostForm } from '../../parts/post-form.tsx';
import { Table, TableRow } from '../../parts/table.tsx';
import { refusedFields } from '../../refused-fields.ts';
import type { AdminContext } from '../context.ts';

type Plan = Awaited<ReturnType<typeof listPlans>>[number];

/** As typed. */
interface Typed {
  readonly name: string;
  readonly limit: string;
  readonly eligible: string;
}

/** All plans, and the form that makes a new one or changes the one that the query names. */
export async function plans(ctx: AdminContext): Promise<PageAnswer> {
  const all = await listPlans(ctx);
  const chosen = all.find(({ id }) => String(id) === ctx.query.get('plan'));
  return plansPage(all, chosen ? typedOf(chosen) : { name: '', limit: '', eligible: 'no' }, {});
}

export async function set(ctx: AdminContext): Promise<PageAnswer> {
  const { form } = ctx;
  const typed = { name: form.text('name'), limit: form.text('limit'), eligible: form.text('eligible') };
  try {
    const plan = await setPlan(ctx, {
      name: typed.name,
      postingLimit: form.wholeNumber('limit'),
      apiEligible: typed.eligible === 'yes',
    });
    return redirect('/admin/plans', `The plan ${plan.name} is set, for its subscribers at once.`);
  } catch (error) {
    return plansPage(await listPlans(ctx), typed, refusedFields(error, { name: 'name', postingLimit: 'limit' }));
  }
}

const typedOf = ({ name, postingLimit, apiEligible }: Plan): Typed => ({
  name,
  limit: String(postingLimit),
  eligible: apiEligible ? 'yes' : 'no',
});

const plansPage = (all: readonly Plan[], typed: Typed, errors: FieldErrors): PageAnswer =>
  page(
    'Plans',
    <>
      <h1>Plans</h1>
      <Table label="Plans" heads={['Plan', 'Jobs a month', 'Includes production', 'Change']}>
        {all.map(({ id, name, postingLimit, apiEligible }) => (
          <TableRow key={id}>
            <th scope="row">{name}</th>
            <td>{postingLimit === unlimited ? 'Unlimited' : postingLimit}</td>
            <td>{apiEligible ? 'Yes' : 'No'}</td>
            <td>
              <div class="acts">
                <a href={`/admin/plans?plan=${id}#name`}>{`Change ${name}`}</a>
              </div>
            </td>
          </TableRow>
        ))}
      </Table>
      <PlanForm typed={typed} errors={errors} />
    </>,
    Object.keys(errors).length > 0 ? 422 : 200,
  );

const PlanForm = ({ typed, errors }: { readonly typed: Typed; readonly errors: FieldErrors }) => (
  <article class="narrow">
    <h2>Set a plan</h2>
    <FormErrors errors={errors} />
    <PostForm action="/admin/plans">
      <Field
        name="name"
        label="Name"
        hint="The name of a plan that exists changes it; any other makes a new plan."
        required
        maxLength={100}
        value={typed.name}
        errors={errors}
      />
      <Field
        name="limit"
        label="Jobs a month"
        hint={`${unlimited} means unlimited.`}
        type="number"
        min={unlimited}
        required
        value={typed.limit}
        errors={errors}
      />
      <SelectField
        name="eligible"
        label="Includes production"
        value={typed.eligible}
        options={[
          ['no', 'No'],
          ['yes', 'Yes'],
        ]}
        errors={errors}
      />
      <button type="submit">Set the plan</button>
    </PostForm>
  </article>
);
