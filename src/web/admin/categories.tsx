import * as reference from '../../operations/reference/change-category.ts';
import { Badge } from '../components/badges.tsx';
import { PostForm } from '../components/form.tsx';
import { Table } from '../components/table.tsx';
import { VisuallyHidden } from '../components/text.tsx';
import { type AdminContext, type PageAnswer, page, redirect } from '../page.ts';
import { idIn } from '../params.ts';
import { useT } from '../texts/t.ts';

type Category = Awaited<ReturnType<typeof reference.listAllCategories>>[number]['children'][number];

/** Every main category with its subcategories, which can be activated and deactivated. */
export async function categories(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  const mainCategories = await reference.listAllCategories(ctx);
  return page(
    t('Categories'),
    <>
      <h1>{t('Categories')}</h1>
      <p>
        {t(
          'An inactive category is not listed and takes no new jobs. Existing jobs keep it. Deactivating a main category also hides its subcategories.',
        )}
      </p>
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
              [t('Actions'), (category) => <Switch {...category} />],
            ]}
          />
        </details>
      ))}
    </>,
  );
}

function State({ active }: Pick<Category, 'active'>) {
  const t = useT();
  return active ? <Badge tone="good" text={t('Active')} /> : <Badge tone="quiet" text={t('Inactive')} />;
}

function Switch({ id, name, active }: Category) {
  const t = useT();
  return (
    <PostForm action={`/admin/categories/${id}/${active ? 'deactivate' : 'activate'}`}>
      <button type="submit" class="secondary small">
        {active ? t('Deactivate') : t('Activate')} <VisuallyHidden>{name}</VisuallyHidden>
      </button>
    </PostForm>
  );
}

export const activateCategory = (ctx: AdminContext): Promise<PageAnswer> => setActive(ctx, true);
export const deactivateCategory = (ctx: AdminContext): Promise<PageAnswer> => setActive(ctx, false);

async function setActive(ctx: AdminContext, active: boolean): Promise<PageAnswer> {
  const { t } = ctx;
  const change = active ? reference.activateCategory : reference.deactivateCategory;
  const { name } = await change(ctx, { categoryId: idIn(ctx.params, 'category') });
  return redirect(
    '/admin/categories',
    active ? t('{{name}} is now active.', { name }) : t('{{name}} is now inactive.', { name }),
  );
}
