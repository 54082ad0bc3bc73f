import { listAllCategories, setCategoryActive } from '../../operations/reference/set-category-active.ts';
import { Badge } from '../components/badges.tsx';
import { PostForm } from '../components/form.tsx';
import { Table } from '../components/table.tsx';
import { VisuallyHidden } from '../components/text.tsx';
import { type AdminContext, type PageAnswer, page, redirect } from '../page.ts';
import { idIn } from '../params.ts';

type Category = Awaited<ReturnType<typeof listAllCategories>>[number]['children'][number];

/** Every main category with its subcategories, which can be activated and deactivated. */
export async function categories(ctx: AdminContext): Promise<PageAnswer> {
  const mainCategories = await listAllCategories(ctx);
  return page(
    'Categories',
    <>
      <h1>Categories</h1>
      <p>
        An inactive category is not listed and takes no new jobs. Existing jobs keep it. Deactivating a main category
        also hides its subcategories.
      </p>
      {mainCategories.map((main) => (
        <details key={main.id}>
          <summary>
            {`${main.name} (${main.children.length}) `}
            {!main.active && <Badge {...inactiveBadge} />}
          </summary>
          <Table
            label={main.name}
            rows={[{ ...main, name: `${main.name} (main category)` }, ...main.children]}
            rowHead="Category"
            columns={[
              ['Category', ({ name }) => name],
              ['State', ({ active }) => <Badge {...(active ? activeBadge : inactiveBadge)} />],
              ['Actions', (category) => <Switch {...category} />],
            ]}
          />
        </details>
      ))}
    </>,
  );
}

const activeBadge = { tone: 'good', text: 'Active' } as const;
const inactiveBadge = { tone: 'quiet', text: 'Inactive' } as const;

const Switch = ({ id, name, active }: Category) => (
  <PostForm action={`/admin/categories/${id}/${active ? 'deactivate' : 'activate'}`}>
    <button type="submit" class="secondary small">
      {active ? 'Deactivate' : 'Activate'} <VisuallyHidden>{name}</VisuallyHidden>
    </button>
  </PostForm>
);

export const activateCategory = (ctx: AdminContext): Promise<PageAnswer> => setActive(ctx, true);
export const deactivateCategory = (ctx: AdminContext): Promise<PageAnswer> => setActive(ctx, false);

async function setActive(ctx: AdminContext, active: boolean): Promise<PageAnswer> {
  const { name } = await setCategoryActive(ctx, { categoryId: Number(idIn(ctx.params, 'category')), active });
  return redirect('/admin/categories', `${name} is now ${active ? 'active' : 'inactive'}.`);
}
