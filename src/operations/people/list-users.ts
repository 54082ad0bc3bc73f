import type { Context } from '../../context.ts';
import * as queries from '../../queries/people.ts';
import type { CompanyRef } from '../companies/change-company.ts';

/** Lists the people of a company whose e-mail address contains a text; at most 200. */
export const listUsers = (ctx: Context, { companyId, ...search }: CompanyRef & queries.UserSearch) =>
  queries.listUsers(ctx.db, companyId, search);
