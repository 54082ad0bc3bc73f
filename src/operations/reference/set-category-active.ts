import * as store from '../../queries/reference.ts';
import { type CategoryTree, listCategoryTree } from '../../queries/reference.ts';
import { integerMax } from '../check-input.ts';
import { ActionError } from '../errors.ts';
import { type ActionContext, recorded } from '../recorded.ts';

export interface CategoryChange {
  readonly categoryId: number;
  readonly active: boolean;
}

/**
 * An inactive category is listed no more and takes no new jobs; an inactive main area hides its children with it, which keep
 * their own state. Jobs that are filed there stay. Refuses with `unknown_category`.
 */
export function setCategoryActive(
  ctx: ActionContext,
  { categoryId, active }: CategoryChange,
): Promise<{ name: string }> {
  return recorded(ctx, async (tx) => {
    const known = categoryId <= integerMax ? await store.updateCategory(tx, categoryId, active) : undefined;
    if (!known) throw new ActionError('unknown_category', `There is no category ${categoryId}.`, 'categoryId');
    const action = active ? 'category.activated' : 'category.deactivated';
    const audit = { action, details: { category_id: categoryId } } as const;
    return { result: { name: known.name }, audit: known.changed ? audit : null };
  });
}

/** For administrators: every main area with its children, inactive ones too. */
export const listAllCategories = (ctx: ActionContext): Promise<CategoryTree[]> => listCategoryTree(ctx.db);
