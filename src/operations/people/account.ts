import type { Tx } from '../../database/transaction.ts';
import type { Portal } from '../../domain/actor.ts';
import type { AuditNote } from '../../queries/audit.ts';
import { deleteSessionsOf } from '../../queries/page-sessions.ts';
import * as store from '../../queries/people.ts';
import { type Account, deleteAccount, findAccount } from '../../queries/people.ts';
import { deleteSignInCounts } from '../../queries/sign-in-counts.ts';
import { emailOf } from '../check-input.ts';
import { ActionError } from '../errors.ts';
import { type ActionContext, recorded } from '../recorded.ts';

/** An account as an operator names it. */
export interface AccountName {
  readonly portal: Portal;
  readonly email: string;
}

export const unknownAccount = (): ActionError =>
  new ActionError('unknown_account', 'There is no account with this e-mail address.', 'email');

/** Refuses with `invalid_input` and `unknown_account`. */
export async function requireAccount(tx: Tx, { portal, email }: AccountName): Promise<Account> {
  const account = await findAccount(tx, portal, emailOf(email));
  if (!account) throw unknownAccount();
  return account;
}

/** The entry of the audit trail for what was done to an account. */
export function accountAudit(
  portal: Portal,
  { id, companyId }: Account,
  done: 'password_set' | 'removed' | 'unlocked',
): AuditNote {
  if (companyId === null || portal === 'administrator')
    return { action: `administrator.${done}`, details: { administrator_id: Number(id) } };
  return { action: `user.${done}`, companyId, details: { user_id: Number(id) } };
}

/**
 * Deletes an account and ends its sessions; credentials that it issued go on. Refuses with `invalid_input` and `unknown_account`.
 */
export function removeAccount(ctx: ActionContext, name: AccountName): Promise<Account> {
  return recorded(ctx, async (tx) => {
    const account = await requireAccount(tx, name);
    if (!(await deleteAccount(tx, name.portal, account.id))) throw unknownAccount();
    await deleteSessionsOf(tx, name.portal, account.id);
    return { result: account, audit: accountAudit(name.portal, account, 'removed') };
  });
}

/**
 * Forgets an account's failed sign-ins and confirmations; the count of a network address stays. Refuses with `invalid_input` and
 * `unknown_account`.
 */
export function unlockAccount(
  ctx: ActionContext,
  { limitsNamespace, ...name }: AccountName & { readonly limitsNamespace: string },
): Promise<Account> {
  return recorded(ctx, async (tx) => {
    const account = await requireAccount(tx, name);
    const { portal, email } = name;
    await deleteSignInCounts(tx, limitsNamespace, { portal: portal, email: emailOf(email), personId: account.id });
    return { result: account, audit: accountAudit(portal, account, 'unlocked') };
  });
}

/** The people of a company, at most 200, in the order in which they were made. */
export const listUsers = (ctx: ActionContext, { companyId }: { readonly companyId: bigint }) =>
  store.listUsers(ctx.db, companyId);
