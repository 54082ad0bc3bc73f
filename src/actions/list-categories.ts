import { type CategoryTree, listCategoryTree } from '../store/category-admin.ts';
import type { ActionContext } from './context.ts';

/** For administrators: every main area with its children, inactive ones too. */
export const listCategories = (ctx: ActionContext): Promise<CategoryTree[]> => listCategoryTree(ctx.db);
