import { createAdministrator } from '../../operations/people/create-account.ts';
import { administrators as list } from '../../operations/people/list-users.ts';
import { Action } from '../components/operation-form.tsx';
import { listPage, readList } from '../list.tsx';
import type { AdminContext, PageAnswer } from '../page.ts';

export async function administrators(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  return listPage(t('Administrators'), await readList(ctx, list), {
    intro: <Action operation={createAdministrator} href="/admin/administrators/create" />,
    none: t('No accounts yet.'),
    rowName: 'email',
    cells: { administratorId: null },
  });
}
