import type { Tx } from '../../database/transaction.ts';
import type { Portal } from '../../domain/portal.ts';
import type { AuditNote } from '../../queries/audit.ts';
import { type Account, findAccount } from '../../queries/people.ts';
import { emailOf } from '../check-input.ts';
import { ActionError } from '../errors.ts';

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
