import { z } from 'zod';
import * as queries from '../../queries/people.ts';
import { declareList, declareShow } from '../declare.ts';
import { companyId, email, page, searchText, sort } from '../fields.ts';
import { listed, perPage } from '../page.ts';
import { unknownAccount } from './account.ts';

const shownUser = ({ email, role, createdAt }: queries.UserRow) => ({ email, role, created_at: createdAt });

/** Lists the people of a company; at most 200. */
export const listUsers = declareList({
  command: 'user list',
  title: 'List the people of a company; at most 200',
  by: ['operator', 'administrator', 'person'],
  input: z.object({
    companyId: companyId(),
    text: searchText().optional().meta({ hint: 'Part of the e-mail address.' }),
    sort: sort(['oldest', 'newest', 'email']),
  }),
  items: 'users',
  columns: { email: 'E-mail address', role: 'Role', created_at: 'Created' },
  read: async (ctx, { companyId, ...search }) => ({ items: await queries.listUsers(ctx.db, companyId, search) }),
  shows: shownUser,
});

export const showUser = declareShow({
  command: 'user show',
  title: 'Show a person of a company',
  by: ['operator', 'administrator'],
  input: z.object({ email: email() }),
  read: async (ctx, { email }) => {
    const found = await queries.findUserByEmail(ctx.db, email);
    if (!found) throw unknownAccount();
    return found;
  },
  shows: ({ id, companyId, ...user }) => ({ user_id: Number(id), company_id: Number(companyId), ...shownUser(user) }),
});

const shownAdministrator = ({ id, email, createdAt }: queries.AdministratorRow) => ({
  administrator_id: Number(id),
  email,
  created_at: createdAt,
});

export const administrators = declareList({
  command: 'admin list',
  title: 'List administrators',
  by: ['operator'],
  input: z.object({ page: page() }),
  items: 'administrators',
  columns: { administrator_id: 'ID', email: 'E-mail address', created_at: 'Created' },
  read: async (ctx, { page }) => {
    const { items, total } = await queries.listAdministrators(ctx.db, { page, perPage });
    return listed(items, page, total);
  },
  shows: shownAdministrator,
});

export const showAdministrator = declareShow({
  command: 'admin show',
  title: 'Show an administrator',
  by: ['operator'],
  input: z.object({ email: email() }),
  read: async (ctx, { email }) => {
    const found = await queries.findAdministratorByEmail(ctx.db, email);
    if (!found) throw unknownAccount();
    return found;
  },
  shows: shownAdministrator,
});
