import { unlimited } from '../../domain/eligibility.ts';
import { listPlans } from '../../operations/plans/list-plans.ts';
import { setPlan } from '../../operations/plans/set-plan.ts';
import { Action } from '../components/operation-form.tsx';
import { Table } from '../components/table.tsx';
import { type AdminContext, type PageAnswer, page } from '../page.ts';

const formPath = '/admin/plans/set';

/** All plans. */
export async function plans(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  const all = await listPlans(ctx);
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
