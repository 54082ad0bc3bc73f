import type { Realm } from '../domain/realm.ts';
import type { AuditNote } from '../store/audit.ts';
import { type Account, findAccount } from '../store/people.ts';
import type { Tx } from '../store/transaction.ts';
import { emailOf } from './check-input.ts';
import { ActionError } from './errors.ts';

/** An account as an operator names it. */
export interface AccountName {
  readonly realm: Realm;
  readonly email: string;
}

export const unknownAccount = (): ActionError =>
  new ActionError('unknown_account', 'There is no account with this e-mail address.', 'email');

/** Refuses with `invalid_input` and `unknown_account`. */
export async function requireAccount(tx: Tx, { realm, email }: AccountName): Promise<Account> {
  const account = await findAccount(tx, realm, emailOf(email));
  if (!account) throw unknownAccount();
  return account;
}

/** The entry of the audit trail for what was done to an account. */
export function accountAudit(
  realm: Realm,
  { id, companyId }: Account,
  done: 'password_set' | 'removed' | 'unlocked',
): AuditNote {
  if (companyId === null || realm === 'administrator')
    return { action: `administrator.${done}`, details: { administrator_id: Number(id) } };
  return { action: `user.${done}`, companyId, details: { user_id: Number(id) } };
}
