import type { Context } from '../../context.ts';
import { rejection } from '../../domain/errors.ts';
import { type CategoryTree, listCategoryTree, updateCategory } from '../../queries/reference.ts';
import { integerMax } from '../check-input.ts';
import { recorded } from '../recorded.ts';

interface CategoryChange {
  readonly categoryId: number;
  readonly active: boolean;
}

/**
 * Activates or deactivates a category. An inactive one is not listed and takes no new jobs; existing jobs keep it. An inactive main area
 * also hides its children, which keep their own state. Throws `unknown_category`.
 */
export function setCategoryActive(ctx: Context, { categoryId, active }: CategoryChange): Promise<{ name: string }> {
  return recorded(ctx, async (tx) => {
    const known = categoryId <= integerMax ? await updateCategory(tx, categoryId, active) : undefined;
    if (!known) throw rejection('unknown_category', `There is no category ${categoryId}.`, 'categoryId');
    const action = active ? 'category.activated' : 'category.deactivated';
    const audit = { action, details: { category_id: categoryId } } as const;
    return { result: { name: known.name }, audit: known.changed ? audit : null };
  });
}

/** Lists every main area with its children for administrators, including inactive ones. */
export const listAllCategories = (ctx: Context): Promise<CategoryTree[]> => listCategoryTree(ctx.db);
