import * as z from 'zod';
import { isUniqueViolation } from '../../../database/database-errors.ts';
import { rejection } from '../../../domain/errors.ts';
import { ofCompany } from '../../companies/people/change-company.ts';
import { type ChangeContext, declare } from '../../kit/declare.ts';
import { choice, companyId, newEmail, password } from '../../kit/fields.ts';
import { recorded, recordedFor } from '../../kit/recorded.ts';
import { accountsMax, countUsers, hasMainAccount, insertAdministrator, insertUser } from '../users-sql.ts';
import { passwordOf } from './set-password.ts';

export const roleLabels = { main: 'Main account', sub: 'Sub-account' };

/**
 * Creates a company's user. Without a password, returns a link that sets one. An e-mail address may have accounts in several companies, but
 * no answer reveals accounts in other companies. A company has at most one main account. Throws `unknown_company`, `invalid_input`,
 * `email_taken`, `account_limit` and `main_account_exists`.
 */
export const createUser = declare({
  command: 'user create',
  title: 'Add a person to a company',
  label: 'Add person',
  by: ['operator', 'administrator'],
  records: 'user.created',
  input: z.object({
    companyId: companyId(),
    email: newEmail(),
    role: choice(['main', 'sub']).meta({
      label: 'Role',
      hint: 'Only a main account may issue credentials.',
      valueLabels: roleLabels,
    }),
    password: password().optional(),
  }),
  subject: ofCompany,
  done: 'Account {{user_id}} is created.',
  run: addUser,
});

/** Creates a sub-account, and returns a link that sets its password. Throws the same as `createUser`. */
export const inviteUser = declare({
  command: 'user invite',
  title: 'Invite a person to a sub-account',
  label: 'Invite person',
  by: ['operator', 'main account'],
  records: 'user.invited',
  input: z.object({ companyId: companyId(), email: newEmail() }),
  done: 'Account {{user_id}} is created.',
  run: (ctx, input) => addUser(ctx, { ...input, role: 'sub' }),
});

interface NewUser {
  readonly companyId: bigint;
  readonly email: string;
  readonly role: 'main' | 'sub';
  readonly password?: string | undefined;
}

async function addUser(ctx: ChangeContext, { companyId, email, role, password }: NewUser) {
  const { stored, link } = await passwordOf(ctx, 'company', email, password);
  return recordedFor(ctx, companyId, async (tx) => {
    if (role === 'main' && (await hasMainAccount(tx, companyId)))
      throw rejection('main_account_exists', 'The company has a main account.', 'role');
    if ((await countUsers(tx, companyId)) >= accountsMax)
      throw rejection('account_limit', `A company has at most ${accountsMax} accounts.`, undefined, {
        limit: accountsMax,
      });
    const userId = await insertUser(tx, { companyId, email, role, ...stored, createdAt: ctx.now });
    return { result: { userId, companyId, ...link }, audit: { details: { user_id: Number(userId), role } } };
  }).catch(refuseTakenEmail);
}

/**
 * Creates an administrator. Without a password, returns a link that sets one. A company's user may have the same address. Throws
 * `invalid_input` and `email_taken`.
 */
export const createAdministrator = declare({
  command: 'admin create',
  title: 'Create an administrator',
  label: 'Add administrator',
  by: ['operator', 'administrator'],
  records: 'administrator.created',
  input: z.object({ email: newEmail(), password: password().optional() }),
  done: 'Administrator {{administrator_id}} is created.',
  run: async (ctx, { email, password }) => {
    const { stored, link } = await passwordOf(ctx, 'administrator', email, password);
    return recorded(ctx, async (tx) => {
      const administratorId = await insertAdministrator(tx, { email, ...stored, createdAt: ctx.now });
      return {
        result: { administratorId, ...link },
        audit: { details: { administrator_id: Number(administratorId) } },
      };
    }).catch(refuseTakenEmail);
  },
});

function refuseTakenEmail(error: unknown): never {
  throw isUniqueViolation(error) ? rejection('email_taken', 'This e-mail address has an account.', 'email') : error;
}
