import * as z from 'zod';
import { type Account, findAccounts } from '../../../auth/accounts-sql.ts';
import { deleteSessionsOf } from '../../../auth/page-sessions-sql.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../database/transaction.ts';
import type { Portal } from '../../../domain/actor.ts';
import { type ApiError, notAllowed, rejection } from '../../../domain/errors.ts';
import { deleteSignInCounts } from '../../../rate-limit/sign-in-counts-sql.ts';
import { type ChangeContext, declare, type Subject } from '../../kit/declare.ts';
import { companyId, email, reason, staffReason } from '../../kit/fields.ts';
import { recorded } from '../../kit/recorded.ts';
import type { AuditNote } from '../../kit/recorded-sql.ts';
import { deleteAccount, lockAdministrators } from '../users-sql.ts';

/** The noun in the commands about an account, by portal. */
export const nouns = { company: 'user', administrator: 'admin' } as const;
/** The noun in the audit actions about an account, by portal. */
export const subjects = { company: 'user', administrator: 'administrator' } as const;

/** Who may change an account, by its portal. A main account may change only its company's sub-accounts. */
export const accountsBy = {
  company: ['operator', 'administrator', 'main account'],
  administrator: ['operator', 'administrator'],
} as const;

const userFields = {
  email: email(),
  companyId: companyId().optional().meta({ hint: 'Needed if several companies have an account with the address.' }),
};
/** The fields that name an account. The cast is safe: `companyId` is optional, and an administrator's input never has one. */
export const accountFields = {
  company: userFields,
  administrator: { email: userFields.email } as typeof userFields,
};

/** A company sees the reason of a change of its own people's accounts. */
export const accountReason = (portal: Portal) => (portal === 'company' ? reason() : staffReason());

/** Only a company's user has a company. */
export const shownAccount = ({ id, companyId }: Pick<Account, 'id' | 'companyId'>) =>
  companyId === null ? { administrator_id: Number(id) } : { user_id: Number(id), company_id: Number(companyId) };

/**
 * Deletes an account and ends its sessions. Credentials that it issued keep working. Throws `invalid_input`, `unknown_account`,
 * `several_accounts`, `not_allowed`, `own_account`, and `last_administrator`, because somebody must be able to sign in to the administration.
 */
const removal = (portal: Portal) =>
  declare({
    command: `${nouns[portal]} remove`,
    title: 'Remove an account and end all its sessions',
    label: 'Remove',
    by: accountsBy[portal],
    records: `${subjects[portal]}.removed`,
    whileSuspended: true,
    dangerous: 'The account is deleted for good. The audit trail stays.',
    input: z.object({ ...accountFields[portal], reason: accountReason(portal).optional() }),
    subject: ofAccount(portal),
    done: '{{email}} can no longer sign in.',
    run: (ctx, named) =>
      changeAccount(ctx, portal, named, async (tx, { id }) => {
        if (portal === 'administrator' && (await lockAdministrators(tx)) < 2)
          throw rejection('last_administrator', 'This is the only administrator. Create another one first.');
        if (!(await deleteAccount(tx, portal, id))) throw unknownAccount();
        await deleteSessionsOf(tx, portal, id);
      }),
    shows: shownAccount,
  });

export const removeUser = removal('company');
export const removeAdministrator = removal('administrator');

/**
 * Clears an account's counts of failed sign-ins and failed password confirmations. The counts of network addresses stay. Throws
 * `invalid_input`, `unknown_account` and `several_accounts`.
 */
const unlocking = (portal: Portal) =>
  declare({
    command: `${nouns[portal]} unlock`,
    title: 'Clear failed sign-ins, so that the person can sign in again',
    label: 'Unlock',
    by: ['operator', 'administrator'],
    records: `${subjects[portal]}.unlocked`,
    input: z.object(accountFields[portal]),
    subject: ofAccount(portal),
    done: '{{email}} can sign in again.',
    run: (ctx, named) =>
      recorded(ctx, async (tx) => {
        const account = await requireAccount(ctx, tx, portal, named);
        const isChanged = await deleteSignInCounts(tx, { portal, email: named.email, personId: account.id });
        return { result: { ...account, email: named.email }, audit: isChanged ? accountAudit(account) : null };
      }),
    shows: shownAccount,
  });

export const unlockUser = unlocking('company');
export const unlockAdministrator = unlocking('administrator');

export const unknownAccount = (): ApiError =>
  rejection('unknown_account', 'There is no account with this e-mail address.', 'email');

interface NamedAccount {
  readonly email: string;
  readonly companyId?: bigint | undefined;
}

/**
 * Finds an account. Throws `unknown_account` if there is none, or none in the given company; `several_accounts` if no company is given and
 * several have an account with the address; and `not_allowed` if a main account names itself.
 */
async function requireAccount({ actor }: Context, tx: Tx, portal: Portal, named: NamedAccount): Promise<Account> {
  const { companyId, email } = named;
  const accounts = await findAccounts(tx, portal, email);
  const account = accounts.find((one) => (companyId ?? one.companyId) === one.companyId);
  if (!account) throw unknownAccount();
  const companies = new Set(accounts.map((one) => one.companyId));
  if (companyId === undefined && companies.size > 1)
    throw rejection(
      'several_accounts',
      `Several companies have an account with this e-mail address: name the company (${[...companies].join(', ')}).`,
      'email',
    );
  if (actor.kind === 'user' && account.role !== 'sub') throw notAllowed();
  return account;
}

/** The subject of a form about an account. An administrator has no role. */
export function ofAccount(portal: Portal) {
  return async (ctx: Context, ids: NamedAccount): Promise<Subject> => {
    const { companyId, role } = await requireAccount(ctx, ctx.db, portal, ids);
    if (companyId !== (ids.companyId ?? null)) throw unknownAccount();
    return { name: ids.email, values: { role } };
  };
}

/**
 * Changes another person's account and records it. Throws `unknown_account`, `several_accounts`, `not_allowed` and `own_account`: the change
 * ends all sessions of the account, so the person would not see its answer.
 */
export const changeAccount = <T>(
  ctx: ChangeContext,
  portal: Portal,
  named: NamedAccount,
  work: (tx: Tx, account: Account) => Promise<T>,
) =>
  recorded(ctx, async (tx) => {
    const account = await requireAccount(ctx, tx, portal, named);
    if (ctx.actor.kind === portal && ctx.actor.id === account.id)
      throw rejection(
        'own_account',
        'Only another administrator can do this to your account. Change your own password on the page “Your account”.',
      );
    return { result: { ...account, email: named.email, ...(await work(tx, account)) }, audit: accountAudit(account) };
  });

/** The audit entry of a change to an account. */
export const accountAudit = ({ id, companyId }: Account): Omit<AuditNote, 'action'> =>
  companyId === null ? { details: { administrator_id: Number(id) } } : { companyId, details: { user_id: Number(id) } };
