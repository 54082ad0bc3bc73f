import { type CategoryTree, listCategoryTree } from '../../queries/category-admin.ts';
import type { ActionContext } from '../recorded.ts';

/** For administrators: every main area with its children, inactive ones too. */
export const listCategories = (ctx: ActionContext): Promise<CategoryTree[]> => listCategoryTree(ctx.db);
