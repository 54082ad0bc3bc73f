import { unlimited } from '../../domain/eligibility.ts';
import { plans as list } from '../../operations/plans/list-plans.ts';
import { setPlan } from '../../operations/plans/set-plan.ts';
import { Action } from '../components/operation-form.tsx';
import { List, readList } from '../list.tsx';
import { type AdminContext, type PageAnswer, page } from '../page.ts';

const formPath = '/admin/plans/set';

/** All plans. */
export async function plans(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  const read = await readList(ctx, list);
  return page(
    t('Plans'),
    <>
      <h1>{t('Plans')}</h1>
      <Action operation={setPlan} href={formPath} />
      <List
        label={t('Plans')}
        read={read}
        none={t('No plans yet.')}
        rowName="name"
        cells={{ id: null, limit: ({ limit }) => (limit === unlimited ? t('Unlimited') : limit) }}
        actions={({ id, name }) => (
          <Action operation={setPlan} href={`${formPath}?plan=${id}`} row={[t('Change'), name]} />
        )}
      />
    </>,
  );
}
