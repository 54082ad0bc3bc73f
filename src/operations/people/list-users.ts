import { z } from 'zod';
import { declareList, declareShow } from '../declare.ts';
import { companyId, email, page } from '../fields.ts';
import { listed, perPage } from '../paging.ts';
import { unknownAccount } from './account.ts';
import * as queries from './people-sql.ts';

/** Lists the people of a company. */
export const listUsers = declareList({
  command: 'user list',
  title: `List the people of a company; at most ${queries.listedMax}`,
  by: ['operator', 'administrator', 'person'],
  input: z.object({ companyId: companyId() }),
  items: 'users',
  columns: { email: 'E-mail address', role: 'Role', createdAt: 'Created' },
  read: async (ctx, { companyId }) => ({ items: await queries.listUsers(ctx.db, companyId) }),
});

export const showUser = declareShow({
  command: 'user show',
  title: 'Show a person of a company',
  noPage: 'The list has everything of it.',
  by: ['operator', 'administrator'],
  input: z.object({ email: email() }),
  read: async (ctx, { email }) => {
    const found = await queries.findUserByEmail(ctx.db, email);
    if (!found) throw unknownAccount();
    return found;
  },
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

export const showAdministrator = declareShow({
  command: 'admin show',
  title: 'Show an administrator',
  noPage: 'The list has everything of it.',
  by: ['operator'],
  input: z.object({ email: email() }),
  read: async (ctx, { email }) => {
    const found = await queries.findAdministratorByEmail(ctx.db, email);
    if (!found) throw unknownAccount();
    return found;
  },
});
