import type { Context } from '../../context.ts';
import type { Tx } from '../../database/transaction.ts';
import type { Portal } from '../../domain/actor.ts';
import { type ApiError, rejection } from '../../domain/errors.ts';
import type { AuditNote } from '../../queries/audit.ts';
import { deleteSessionsOf } from '../../queries/page-sessions.ts';
import * as queries from '../../queries/people.ts';
import { deleteSignInCounts } from '../../queries/sign-in-counts.ts';
import { emailOf } from '../check-input.ts';
import { recorded } from '../recorded.ts';

export interface AccountRef {
  readonly portal: Portal;
  readonly email: string;
}

/** Deletes an account and ends its sessions; credentials that it issued keep working. Throws `invalid_input` and `unknown_account`. */
export function removeAccount(ctx: Context, name: AccountRef): Promise<queries.Account> {
  return recorded(ctx, async (tx) => {
    const account = await requireAccount(tx, name);
    if (!(await queries.deleteAccount(tx, name.portal, account.id))) throw unknownAccount();
    await deleteSessionsOf(tx, name.portal, account.id);
    return { result: account, audit: accountAudit(name.portal, account, 'removed') };
  });
}

/**
 * Clears an account's failed sign-ins and password confirmations; the count of a network address stays.
 * Throws `invalid_input` and `unknown_account`.
 */
export function unlockAccount(
  ctx: Context,
  { limitsNamespace, ...name }: AccountRef & { readonly limitsNamespace: string },
): Promise<queries.Account> {
  return recorded(ctx, async (tx) => {
    const account = await requireAccount(tx, name);
    const { portal, email } = name;
    await deleteSignInCounts(tx, limitsNamespace, { portal, email: emailOf(email), personId: account.id });
    return { result: account, audit: accountAudit(portal, account, 'unlocked') };
  });
}

export const unknownAccount = (): ApiError =>
  rejection('unknown_account', 'There is no account with this e-mail address.', 'email');

/** Throws `invalid_input` and `unknown_account`. */
export async function requireAccount(tx: Tx, { portal, email }: AccountRef): Promise<queries.Account> {
  const account = await queries.findAccount(tx, portal, emailOf(email));
  if (!account) throw unknownAccount();
  return account;
}

/** The audit entry of a change to an account. */
export function accountAudit(
  portal: Portal,
  { id, companyId }: queries.Account,
  done: 'password_set' | 'removed' | 'unlocked',
): AuditNote {
  if (companyId === null || portal === 'administrator')
    return { action: `administrator.${done}`, details: { administrator_id: Number(id) } };
  return { action: `user.${done}`, companyId, details: { user_id: Number(id) } };
}
