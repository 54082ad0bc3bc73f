import { listAllCategories, setCategoryActive } from '../../operations/reference/set-category-active.ts';
import { Badge } from '../components/badges.tsx';
import { Field } from '../components/field.tsx';
import { FilterForm, PostForm } from '../components/form.tsx';
import { isMatch, searchIn } from '../components/list-search.tsx';
import { Table } from '../components/table.tsx';
import { VisuallyHidden } from '../components/text.tsx';
import { type AdminContext, type PageAnswer, page, redirect } from '../page.ts';
import { idIn } from '../params.ts';
import { useTexts } from '../texts/texts.ts';

type MainCategory = Awaited<ReturnType<typeof listAllCategories>>[number];
type Category = MainCategory['children'][number];

/** Every main category with its subcategories, which can be activated and deactivated. */
export async function categories(ctx: AdminContext): Promise<PageAnswer> {
  const text = searchIn(ctx.query);
  const all = await listAllCategories(ctx);
  const mainCategories = text === undefined ? all : matching(all, text);
  const { categories: texts, lists } = ctx.texts;
  return page(
    texts.title,
    <>
      <h1>{texts.title}</h1>
      <p>{texts.introduction}</p>
      <FilterForm action="/admin/categories" values={{ text: text ?? '' }}>
        <Field name="text" label={lists.search} type="search" />
      </FilterForm>
      {mainCategories.length === 0 && <p>{lists.noneFound}</p>}
      {mainCategories.map((main) => (
        <details key={main.id} open={text !== undefined}>
          <summary>
            {texts.summary(main.name, main.children.length)}
            {!main.active && <State active={false} />}
          </summary>
          <Table
            label={main.name}
            rows={[{ ...main, name: texts.main(main.name) }, ...main.children]}
            rowHead={texts.columns.category}
            columns={[
              [texts.columns.category, ({ name }) => name],
              [texts.columns.state, ({ active }) => <State active={active} />],
              [texts.columns.actions, (category) => <Switch {...category} />],
            ]}
          />
        </details>
      ))}
    </>,
  );
}

/** Main categories with a subcategory that contains the text, ignoring case and accents, and those subcategories. */
function matching(all: readonly MainCategory[], text: string): MainCategory[] {
  const found = all.map((main) => ({
    ...main,
    children: isMatch(main.name, text) ? main.children : main.children.filter(({ name }) => isMatch(name, text)),
  }));
  return found.filter(({ name, children }) => children.length > 0 || isMatch(name, text));
}

function State({ active }: Pick<Category, 'active'>) {
  const { categories: texts } = useTexts();
  return active ? <Badge tone="good" text={texts.active} /> : <Badge tone="quiet" text={texts.inactive} />;
}

function Switch({ id, name, active }: Category) {
  const { categories: texts } = useTexts();
  return (
    <PostForm action={`/admin/categories/${id}/${active ? 'deactivate' : 'activate'}`}>
      <button type="submit" class="secondary small">
        {active ? texts.deactivate : texts.activate} <VisuallyHidden>{name}</VisuallyHidden>
      </button>
    </PostForm>
  );
}

export const activateCategory = (ctx: AdminContext): Promise<PageAnswer> => setActive(ctx, true);
export const deactivateCategory = (ctx: AdminContext): Promise<PageAnswer> => setActive(ctx, false);

async function setActive(ctx: AdminContext, active: boolean): Promise<PageAnswer> {
  const { name } = await setCategoryActive(ctx, { categoryId: Number(idIn(ctx.params, 'category')), active });
  const { activated, deactivated } = ctx.texts.categories;
  return redirect('/admin/categories', active ? activated(name) : deactivated(name));
}
