import * as reference from '../../operations/reference/change-category.ts';
import { Badge } from '../components/badges.tsx';
import { FilterForm, PostForm } from '../components/form.tsx';
import {
  byName,
  isMatch,
  type ListSearch,
  SearchFields,
  type Sort,
  searched,
  searchIn,
} from '../components/list-search.tsx';
import { Table } from '../components/table.tsx';
import { VisuallyHidden } from '../components/text.tsx';
import { type AdminContext, type PageAnswer, page, redirect } from '../page.ts';
import { idIn } from '../params.ts';
import { type Texts, useTexts } from '../texts/texts.ts';

type MainCategory = Awaited<ReturnType<typeof reference.listAllCategories>>[number];
type Category = MainCategory['children'][number];

/** Every main category with its subcategories, which can be activated and deactivated. */
export async function categories(ctx: AdminContext): Promise<PageAnswer> {
  const search = searchIn(ctx.query, 'categories');
  const mainCategories = found(await reference.listAllCategories(ctx), search, ctx.texts);
  const { categories: texts, lists } = ctx.texts;
  return page(
    texts.title,
    <>
      <h1>{texts.title}</h1>
      <p>{texts.introduction}</p>
      <FilterForm action="/admin/categories" values={search.values}>
        <SearchFields list="categories" />
      </FilterForm>
      {mainCategories.length === 0 && <p>{lists.noneFound}</p>}
      {mainCategories.map((main) => (
        <details key={main.id} open={search.text !== undefined}>
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

const nameOf = ({ name }: { readonly name: string }): string => name;

/** Main categories that match, with all of their subcategories, and others with a subcategory that matches, with those. */
function found(
  all: readonly MainCategory[],
  { text, sort }: ListSearch<Sort<'categories'>>,
  texts: Texts,
): MainCategory[] {
  const orders = { name: byName(texts, nameOf) };
  const isFound = ({ name }: MainCategory): boolean => text === undefined || isMatch(name, text);
  const mainCategories = all
    .map((main) => {
      const inside = { text: isFound(main) ? undefined : text, sort };
      return { ...main, children: searched(main.children, inside, nameOf, orders) };
    })
    .filter((main) => main.children.length > 0 || isFound(main));
  return searched(mainCategories, { text: undefined, sort }, nameOf, orders);
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
  const change = active ? reference.activateCategory : reference.deactivateCategory;
  const { name } = await change(ctx, { categoryId: idIn(ctx.params, 'category') });
  const { activated, deactivated } = ctx.texts.categories;
  return redirect('/admin/categories', active ? activated(name) : deactivated(name));
}
