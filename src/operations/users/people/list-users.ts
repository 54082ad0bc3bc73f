import { z } from 'zod';
import { declareList } from '../../declare.ts';
import { companyId, page } from '../../fields.ts';
import { listed, perPage } from '../../paging.ts';
import * as queries from '../users-sql.ts';

/** Lists the people of a company. */
export const listUsers = declareList({
  command: 'user list',
  title: 'List the people of a company',
  by: ['operator', 'administrator', 'person'],
  input: z.object({ companyId: companyId() }),
  items: 'users',
  columns: { email: 'E-mail address', role: 'Account', createdAt: 'Created' },
  read: async (ctx, { companyId }) => ({ items: await queries.listUsers(ctx.db, companyId) }),
});

export const administrators = declareList({
  command: 'admin list',
  title: 'List administrators',
  by: ['operator', 'administrator'],
  input: z.object({ page: page() }),
  items: 'administrators',
  columns: { administratorId: 'ID', email: 'E-mail address', createdAt: 'Created' },
  read: async (ctx, { page }) => {
    const { items, total } = await queries.listAdministrators(ctx.db, { page, perPage });
    return listed(items, page, total);
  },
});
