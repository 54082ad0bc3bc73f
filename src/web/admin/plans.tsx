import { unlimited } from '../../domain/eligibility.ts';
import { listPlans } from '../../operations/plans/list-plans.ts';
import { setPlan } from '../../operations/plans/set-plan.ts';
import { FilterForm } from '../components/form.tsx';
import { byName, SearchFields, searched, searchIn } from '../components/list-search.tsx';
import { Action } from '../components/operation-form.tsx';
import { Table } from '../components/table.tsx';
import { type AdminContext, type PageAnswer, page } from '../page.ts';

const formPath = '/admin/plans/set';

type Plan = Awaited<ReturnType<typeof listPlans>>[number];

/** Unlimited is the highest limit. */
const rankOf = ({ postingLimit }: Plan): number =>
  postingLimit === unlimited ? Number.MAX_SAFE_INTEGER : postingLimit;

/** All plans, or those that are searched for. */
export async function plans(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  const search = searchIn(ctx.query, 'plans');
  const found = searched(await listPlans(ctx), search, ({ name }) => name, {
    name: byName(t, ({ name }) => name),
    limit: (one, other) => rankOf(one) - rankOf(other),
  });
  return page(
    t('Plans'),
    <>
      <h1>{t('Plans')}</h1>
      <FilterForm action="/admin/plans" values={search.values}>
        <SearchFields list="plans" />
      </FilterForm>
      {found.length === 0 && <p>{t('Nothing found. Change the search.')}</p>}
      <Table
        label={t('Plans')}
        rows={found}
        rowHead={t('Plan')}
        columns={[
          [t('Plan'), ({ name }) => name],
          [t('Jobs per month'), ({ postingLimit }) => (postingLimit === unlimited ? t('Unlimited') : postingLimit)],
          [t('Includes production'), ({ apiEligible }) => (apiEligible ? t('Yes') : t('No'))],
          [
            t('Actions'),
            ({ id, name }) => (
              <div class="actions">
                <Action operation={setPlan} href={`${formPath}?plan=${id}`} of={name} />
              </div>
            ),
          ],
        ]}
      />
      <Action operation={setPlan} href={formPath} />
    </>,
  );
}
