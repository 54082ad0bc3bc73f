import { listAllCategories, setCategoryActive } from '../../../operations/reference/set-category-active.ts';
import { type PageAnswer, page, redirect } from '../../page.ts';
import { idIn } from '../../params.ts';
import { Badge } from '../../parts/badge.tsx';
import { PostForm } from '../../parts/post-form.tsx';
import { Table, TableRow } from '../../parts/table.tsx';
import { VisuallyHidden } from '../../parts/visually-hidden.tsx';
import type { AdminContext } from '../context.ts';

type Area = Awaited<ReturnType<typeof listAllCategories>>[number];
type Category = Area['children'][number];

/** Every main area with its children, and the acts that list them or hide them. */
export async function categories(ctx: AdminContext): Promise<PageAnswer> {
  const areas = await listAllCategories(ctx);
  return page(
    'Categories',
    <>
      <h1>Categories</h1>
      <p>
        An inactive category is listed no more and takes no new jobs; those filed there stay. An inactive main area
        hides its children with it.
      </p>
      {areas.map((area) => (
        <details key={area.id}>
          <summary>
            {`${area.name} (${area.children.length}) `}
            {!area.active && <Badge tone="quiet" text="Inactive" />}
          </summary>
          <Table label={area.name} heads={['Category', 'State', 'Change']}>
            <Line category={area} note=" (the main area)" />
            {area.children.map((child) => (
              <Line key={child.id} category={child} note="" />
            ))}
          </Table>
        </details>
      ))}
    </>,
  );
}

const Line = ({ category: { id, name, active }, note }: { readonly category: Category; readonly note: string }) => (
  <TableRow>
    <th scope="row">{`${name}${note}`}</th>
    <td>{active ? <Badge tone="good" text="Active" /> : <Badge tone="quiet" text="Inactive" />}</td>
    <td>
      <PostForm action={`/admin/categories/${id}/${active ? 'deactivate' : 'activate'}`}>
        <button type="submit" class="secondary small">
          {active ? 'Deactivate' : 'Activate'} <VisuallyHidden>{name}</VisuallyHidden>
        </button>
      </PostForm>
    </td>
  </TableRow>
);

export const activate = (ctx: AdminContext): Promise<PageAnswer> => setActive(ctx, true);
export const deactivate = (ctx: AdminContext): Promise<PageAnswer> => setActive(ctx, false);

async function setActive(ctx: AdminContext, active: boolean): Promise<PageAnswer> {
  const { name } = await setCategoryActive(ctx, { categoryId: Number(idIn(ctx.params, 'category')), active });
  return redirect('/admin/categories', `${name} is ${active ? 'active' : 'inactive'} now.`);
}
