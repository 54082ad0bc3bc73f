import { z } from 'zod';
import { lockedAmong } from '../../../rate-limit/sign-in-counts-sql.ts';
import { passwordTriesMax } from '../../../rate-limit/sign-in-limits.ts';
import { declareList } from '../../declare.ts';
import { companyId, page } from '../../fields.ts';
import { listed, perPage } from '../../paging.ts';
import * as queries from '../users-sql.ts';

/** Lists the people of a company. */
export const listUsers = declareList({
  command: 'user list',
  title: `List the people of a company; at most ${queries.listedMax}`,
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
