import * as z from 'zod';
import { findAccounts, findAdministrator } from '../../../auth/accounts-sql.ts';
import type { Context } from '../../../context.ts';
import { lockedAmong } from '../../../rate-limit/sign-in-counts-sql.ts';
import { passwordTriesMax } from '../../../rate-limit/sign-in-limits.ts';
import { declareList } from '../../kit/declare.ts';
import { companyId, page } from '../../kit/fields.ts';
import { listed, perPage } from '../../kit/paging.ts';
import * as queries from '../users-sql.ts';

/** Lists the people of a company. */
export const listUsers = declareList({
  command: 'user list',
  title: 'List the people of a company',
  by: ['operator', 'administrator', 'person'],
  input: z.object({ companyId: companyId() }),
  items: 'users',
  columns: { email: 'E-mail address', role: 'Account', createdAt: 'Created', locked: 'Locked' },
  read: async ({ db }, { companyId }) => {
    const users = await queries.listUsers(db, companyId);
    const locked = await lockedAmong(db, 'company', users, passwordTriesMax);
    return { items: users.map((user) => ({ ...user, locked: locked.has(user.email) })) };
  },
});

export const administrators = declareList({
  command: 'admin list',
  title: 'List administrators',
  by: ['operator', 'administrator'],
  input: z.object({ page: page() }),
  items: 'administrators',
  columns: { administratorId: 'ID', email: 'E-mail address', createdAt: 'Created', locked: 'Locked' },
  read: async ({ db }, { page }) => {
    const { items, total } = await queries.listAdministrators(db, { page, perPage });
    const people = items.map(({ administratorId: id, email }) => ({ id, email }));
    const locked = await lockedAmong(db, 'administrator', people, passwordTriesMax);
    return listed(
      items.map((one) => ({ ...one, locked: locked.has(one.email) })),
      page,
      total,
    );
  },
});

/** Returns the administrator with a typed e-mail address, and the page of the list that shows the account. Undefined if there is none. */
export async function administratorAt({ db }: Context, typed: string) {
  const [account] = await findAccounts(db, 'administrator', typed);
  const administrator = account && (await findAdministrator(db, account.id));
  if (!administrator) return undefined;
  const place = await queries.placeOfAdministrator(db, administrator.id);
  return { name: administrator.email, page: Math.ceil(place / perPage) };
}
