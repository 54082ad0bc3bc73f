import { createAdministrator } from '../../operations/people/create-account.ts';
import { administrators as list } from '../../operations/people/list-users.ts';
import { Action } from '../components/operation-form.tsx';
import { List, readList } from '../list.tsx';
import { type AdminContext, type PageAnswer, page } from '../page.ts';

export async function administrators(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  const read = await readList(ctx, list);
  return page(
    t('Administrators'),
    <>
      <h1>{t('Administrators')}</h1>
      <Action operation={createAdministrator} href="/admin/administrators/create" />
      <List
        label={t('Administrators')}
        read={read}
        none={t('No accounts yet.')}
        rowName="email"
        cells={{ administratorId: null }}
      />
    </>,
  );
}
