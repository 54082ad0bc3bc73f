import { passwordMark } from '../domain/password-mark.ts';
import type { Realm } from '../domain/realm.ts';
import { deleteSessionsOf } from '../store/page-sessions.ts';
import { findAccountById, replacePassword } from '../store/people.ts';
import { accountAudit } from './account.ts';
import { type ActionContext, recorded } from './context.ts';
import { ActionError } from './errors.ts';
import { hashPassword } from './hash-password.ts';

export interface PasswordChange {
  readonly realm: Realm;
  readonly personId: bigint;
  /** Of the password that the person has confirmed. */
  readonly confirmedMark: string;
  readonly password: string;
}

/**
 * Replaces a person's own password and ends all of the person's sessions; gives the mark of the new one, for a session to begin with.
 * Refuses with `invalid_input`, and with `password_changed` where another password was set meanwhile.
 */
export async function changePassword(
  ctx: ActionContext,
  { realm, personId, confirmedMark, password }: PasswordChange,
): Promise<{ passwordMark: string }> {
  const passwordHash = await hashPassword(password);
  return recorded(ctx, async (tx) => {
    const account = await findAccountById(tx, realm, personId);
    const isConfirmed = account !== null && passwordMark(account.passwordHash) === confirmedMark;
    if (!isConfirmed || !(await replacePassword(tx, realm, account, passwordHash)))
      throw new ActionError('password_changed', 'The password was changed meanwhile.');
    await deleteSessionsOf(tx, realm, personId);
    const result = { passwordMark: passwordMark(passwordHash) };
    return { result, audit: accountAudit(realm, account, 'password_set') };
  });
}
