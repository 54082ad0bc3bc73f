import * as z from 'zod';
import type { Context } from '../../../context.ts';
import { isUniqueViolation } from '../../../database/database-errors.ts';
import type { Tx } from '../../../database/transaction.ts';
import { invalidField, rejection } from '../../../domain/errors.ts';
import { foldedText } from '../../../domain/folded-text.ts';
import { type ChangeContext, declare, declareList, type Subject } from '../../kit/declare.ts';
import { flag, id, integerMax, line, page, staffReason } from '../../kit/fields.ts';
import { listed, perPage } from '../../kit/paging.ts';
import { ifChanged, recorded } from '../../kit/recorded.ts';
import * as queries from '../reference-sql.ts';
import { mainAreaChoices } from './reference-choices.ts';

const by = ['operator', 'administrator'] as const;
const categoryId = id().meta({ label: 'Category', example: '303' });
const name = line(255).meta({ label: 'Name', example: 'Eletricistas' });

/** Adds a main area, or a category below one. Throws `invalid_input`, `unknown_category` for the parent, `category_exists` and `category_existed`. */
export const addCategory = declare({
  command: 'category add',
  title: 'Add a category',
  label: 'Add category',
  by,
  records: 'category.created',
  input: z.object({
    name,
    parent: id().optional().meta({ label: 'Main area', hint: 'A new main area has none.' }),
  }),
  choices: { parent: mainAreaChoices },
  done: 'Category {{category_id}} is added.',
  run: (ctx, { name, parent }) =>
    recorded(ctx, async (tx) => {
      await queries.lockCategories(tx);
      const parentId = parent === undefined ? null : Number(parent);
      if (parentId !== null) await assertMainArea(tx, parentId);
      const slug = await freeSlug(tx, name);
      const categoryId = await queries.insertCategory(tx, { name, slug, parentId });
      return {
        result: { categoryId, name },
        audit: { details: { category_id: categoryId, name, parent_id: parentId } },
      };
    }).catch((error: unknown) => {
      // A category keeps its slug when it is renamed.
      throw isUniqueViolation(error)
        ? rejection('category_existed', 'A category has had this name. Choose another one.', 'name')
        : error;
    }),
});

/** Changes the name of a category; its slug stays. Throws `invalid_input`, `unknown_category` and `category_exists`. */
export const renameCategory = declare({
  command: 'category rename',
  title: 'Rename a category',
  label: 'Rename',
  by,
  records: 'category.renamed',
  input: z.object({ categoryId, name }),
  subject: ofCategory,
  done: 'Category {{category_id}} is now called {{name}}.',
  run: (ctx, { categoryId, name }) => change(ctx, categoryId, { name }),
});

/** Moves a category to another main area. Its jobs stay in the category. Throws `unknown_category`, also if it is a main area. */
export const moveCategory = declare({
  command: 'category move',
  title: 'Move a category to another main area',
  label: 'Move',
  by,
  records: 'category.moved',
  input: z.object({ categoryId, parent: id().meta({ label: 'Main area', example: '3' }) }),
  choices: { parent: mainAreaChoices },
  subject: ofCategory,
  done: 'Category {{category_id}} is moved.',
  run: (ctx, { categoryId, parent }) => change(ctx, categoryId, { parentId: Number(parent) }),
});

/** Activates a category, so that it is listed again and accepts new jobs. Throws `unknown_category`. */
export const activateCategory = declare({
  command: 'category activate',
  title: 'Activate a category',
  label: 'Activate',
  by,
  records: 'category.activated',
  input: z.object({ categoryId }),
  subject: ofCategory,
  done: 'Category {{category_id}} is active.',
  run: (ctx, { categoryId }) => change(ctx, categoryId, { active: true }),
});

/** Deactivates a category. An inactive main area also hides its children, which keep their own state. Throws `unknown_category`. */
export const deactivateCategory = declare({
  command: 'category deactivate',
  title: 'Deactivate a category',
  label: 'Deactivate',
  by,
  records: 'category.deactivated',
  dangerous: 'The category and its children are no longer listed and accept no new jobs. Existing jobs keep them.',
  input: z.object({ categoryId, reason: staffReason().optional() }),
  subject: ofCategory,
  done: 'Category {{category_id}} is inactive.',
  run: (ctx, { categoryId }) => change(ctx, categoryId, { active: false }),
});

const change = (
  ctx: ChangeContext,
  categoryId: bigint,
  columns: { readonly name: string } | { readonly active: boolean } | { readonly parentId: number },
) =>
  recorded(ctx, async (tx) => {
    await queries.lockCategories(tx);
    const before = await categoryOf(tx, Number(categoryId));
    if ('parentId' in columns) {
      await assertMainArea(tx, columns.parentId);
      if (before.parentId === null)
        throw rejection('unknown_category', `Category ${before.id} is a main area.`, 'categoryId');
    }
    if ('name' in columns) await freeSlug(tx, columns.name, before.id);
    const after = { ...before, ...columns };
    await queries.updateCategory(tx, before.id, columns);
    const details = {
      category_id: before.id,
      ...('name' in columns && columns),
      ...('parentId' in columns && { parent_id: columns.parentId }),
    };
    return ifChanged(before, after, { result: after, audit: { details } });
  });

const slugOf = (name: string): string =>
  foldedText(name)
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-|-$/g, '');

const categoryExists = () => rejection('category_exists', 'There is a category of this name.', 'name');

/** Returns the slug of a name. Throws `invalid_input`, and `category_exists` if another category's name has it. */
async function freeSlug(tx: Tx, name: string, ownId?: number): Promise<string> {
  const slug = slugOf(name);
  if (slug === '') throw invalidField('name', 'must contain a letter from A to Z');
  const all = await queries.listCategoryNames(tx);
  if (all.some((other) => other.id !== ownId && slugOf(other.name) === slug)) throw categoryExists();
  return slug;
}

/** Throws `unknown_category`. */
async function categoryOf(tx: Tx, categoryId: number): Promise<queries.CategoryState> {
  const found = categoryId <= integerMax ? await queries.findCategory(tx, categoryId) : undefined;
  if (!found) throw rejection('unknown_category', `There is no category ${categoryId}.`, 'categoryId');
  return found;
}

async function assertMainArea(tx: Tx, categoryId: number): Promise<void> {
  if ((await categoryOf(tx, categoryId)).parentId !== null)
    throw rejection('unknown_category', `Category ${categoryId} is not a main area.`, 'parent');
}

async function ofCategory({ db }: Context, { categoryId }: { readonly categoryId: bigint }): Promise<Subject> {
  const values = await categoryOf(db, Number(categoryId));
  return { name: values.name, values: { ...values, parent: values.parentId } };
}

export const categories = declareList({
  command: 'category list',
  title: 'List categories, also inactive ones',
  by,
  input: z.object({
    parent: id().optional().meta({ label: 'Main area' }),
    active: flag().optional().meta({ label: 'Active' }),
    page: page(),
  }),
  items: 'categories',
  columns: { id: 'ID', name: 'Name', parentId: 'Main area', active: 'Active' },
  read: async (ctx, { parent, active, page }) => {
    if (parent !== undefined && parent > integerMax) return listed([], page, 0);
    const filter = { parentId: parent === undefined ? undefined : Number(parent), active };
    const { items, total } = await queries.searchCategories(ctx.db, filter, { page, perPage });
    return listed(items, page, total);
  },
});

/** Lists every main area with its children, including inactive ones. */
export const listMainAreas = declareList({
  command: 'category areas',
  title: 'List every main area with its categories',
  by,
  input: z.object({}),
  items: 'areas',
  columns: { id: 'ID', name: 'Name', active: 'Active', children: 'Categories' },
  read: async (ctx) => ({ items: await queries.listCategoryTree(ctx.db) }),
});
