import { createAdministrator } from '../../operations/people/create-account.ts';
import { administrators as listAdministrators } from '../../operations/people/list-users.ts';
import { Action } from '../components/operation-form.tsx';
import { Paged, pageIn } from '../components/pager.tsx';
import { Table } from '../components/table.tsx';
import { Instant } from '../components/text.tsx';
import { type AdminContext, type PageAnswer, page } from '../page.ts';

export async function administrators(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  const found = await listAdministrators(ctx, { page: pageIn(ctx.query) });
  return page(
    t('Administrators'),
    <>
      <h1>{t('Administrators')}</h1>
      <Paged list={found} none={t('No accounts yet.')} query={{}}>
        <Table
          label={t('Administrators')}
          rows={found.items}
          rowHead={t('E-mail address')}
          columns={[
            [t('E-mail address'), ({ email }) => email],
            [t('Created'), ({ createdAt }) => <Instant at={createdAt} />],
          ]}
        />
      </Paged>
      <Action operation={createAdministrator} href="/admin/administrators/create" />
    </>,
  );
}
