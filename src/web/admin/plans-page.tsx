import { unlimited } from '../../domain/eligibility.ts';
import { plans as list } from '../../operations/plans/list-plans.ts';
import { setPlan } from '../../operations/plans/set-plan.ts';
import { Action } from '../components/operation-form.tsx';
import { listPage, readList } from '../list.tsx';
import type { AdminContext, PageAnswer } from '../page.ts';

const formPath = '/admin/plans/set';

/** All plans. */
export async function plans(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  return listPage(t('Plans'), await readList(ctx, list), {
    intro: <Action operation={setPlan} href={formPath} />,
    none: t('No plans yet.'),
    rowName: 'name',
    cells: { id: null, limit: ({ limit }) => (limit === unlimited ? t('Unlimited') : limit) },
    actions: ({ id, name }) => <Action operation={setPlan} href={`${formPath}?plan=${id}`} row={[t('Change'), name]} />,
  });
}
