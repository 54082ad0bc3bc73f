import * as reference from '../../operations/reference/people/change-category.ts';
import { Table } from '../components/data-table.tsx';
import { Action } from '../components/operation-form.tsx';
import { Badge } from '../components/text.tsx';
import { type AdminContext, type PageAnswer, page, useT } from '../page.ts';

const path = '/admin/categories';

/** Every main category with its subcategories, and links to change them. */
export async function categories(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  const { items: mainCategories } = await reference.listMainAreas(ctx, {});
  return page(
    t('Categories'),
    <>
      <h1>{t('Categories')}</h1>
      <p>
        {t(
          'An inactive category is not listed and accepts no new jobs. Existing jobs keep it. Deactivating a main category also hides its subcategories.',
        )}
      </p>
      <Action operation={reference.addCategory} href={`${path}/add`} />
      {mainCategories.map((main) => (
        <details key={main.id}>
          <summary>
            {t('{{name}} ({{children}}) ', { name: main.name, children: main.children.length })}
            {!main.active && <State active={false} />}
          </summary>
          <Table
            label={main.name}
            rows={[{ ...main, name: t('{{name}} (main category)', { name: main.name }) }, ...main.children]}
            rowHead={t('Category')}
            columns={[
              [t('Category'), ({ name }) => name],
              [t('State'), ({ active }) => <State active={active} />],
              [
                t('Actions'),
                ({ id, name, parentId, active }) => (
                  <div class="actions">
                    <Action operation={reference.renameCategory} href={`${path}/${id}/rename`} row={name} />
                    {parentId !== null && (
                      <Action operation={reference.moveCategory} href={`${path}/${id}/move`} row={name} />
                    )}
                    <Action
                      operation={active ? reference.deactivateCategory : reference.activateCategory}
                      href={`${path}/${id}/${active ? 'deactivate' : 'activate'}`}
                      row={name}
                    />
                  </div>
                ),
              ],
            ]}
          />
        </details>
      ))}
    </>,
  );
}

function State({ active }: { readonly active: boolean }) {
  const t = useT();
  return active ? <Badge tone="good" text={t('Active')} /> : <Badge tone="quiet" text={t('Inactive')} />;
}
