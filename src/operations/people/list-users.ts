import * as store from '../../queries/people.ts';
import type { ActionContext } from '../recorded.ts';

/** The people of a company, at most 200, in the order in which they were made. */
export const listUsers = (ctx: ActionContext, { companyId }: { readonly companyId: bigint }) =>
  store.listUsers(ctx.db, companyId);
