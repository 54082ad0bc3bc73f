import * as reference from '../../operations/reference/change-category.ts';
import { Badge } from '../components/badges.tsx';
import { FilterForm } from '../components/form.tsx';
import {
  byName,
  isMatch,
  type ListSearch,
  SearchFields,
  type Sort,
  searched,
  searchIn,
} from '../components/list-search.tsx';
import { Action } from '../components/operation-form.tsx';
import { Table } from '../components/table.tsx';
import { type AdminContext, type PageAnswer, page } from '../page.ts';
import { type Translate, useT } from '../texts/t.ts';

const path = '/admin/categories';

type MainCategory = Awaited<ReturnType<typeof reference.listAllCategories>>[number];
type Category = MainCategory['children'][number];

/** Every main category with its subcategories, with what changes it. */
export async function categories(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  const search = searchIn(ctx.query, 'categories');
  const mainCategories = found(await reference.listAllCategories(ctx), search, t);
  return page(
    t('Categories'),
    <>
      <h1>{t('Categories')}</h1>
      <p>
        {t(
          'An inactive category is not listed and takes no new jobs. Existing jobs keep it. Deactivating a main category also hides its subcategories.',
        )}
      </p>
      <FilterForm action={path} values={search.values}>
        <SearchFields list="categories" />
      </FilterForm>
      <Action operation={reference.addCategory} href={`${path}/add`} />
      {mainCategories.length === 0 && <p>{t('Nothing found. Change the search.')}</p>}
      {mainCategories.map((main) => (
        <details key={main.id} open={search.text !== undefined}>
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
                ({ id, name, active }) => (
                  <div class="actions">
                    <Action operation={reference.renameCategory} href={`${path}/${id}/rename`} of={name} />
                    {active ? (
                      <Action operation={reference.deactivateCategory} href={`${path}/${id}/deactivate`} of={name} />
                    ) : (
                      <Action operation={reference.activateCategory} href={`${path}/${id}/activate`} of={name} />
                    )}
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

const nameOf = ({ name }: { readonly name: string }): string => name;

/** Main categories that match, with all of their subcategories, and others with a subcategory that matches, with those. */
function found(
  all: readonly MainCategory[],
  { text, sort }: ListSearch<Sort<'categories'>>,
  t: Translate,
): MainCategory[] {
  const orders = { name: byName(t, nameOf) };
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
  const t = useT();
  return active ? <Badge tone="good" text={t('Active')} /> : <Badge tone="quiet" text={t('Inactive')} />;
}
