import type { Context } from '../../context.ts';
import * as queries from '../../queries/people.ts';
import type { CompanyRef } from '../companies/change-company.ts';

/** Lists the people of a company in the order of their creation; at most 200. */
export const listUsers = (ctx: Context, { companyId }: CompanyRef) => queries.listUsers(ctx.db, companyId);
