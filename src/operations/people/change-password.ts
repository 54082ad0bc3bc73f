import { passwordMark } from '../../domain/password-mark.ts';
import type { Portal } from '../../domain/portal.ts';
import { deleteSessionsOf } from '../../queries/page-sessions.ts';
import { findAccountById, replacePassword } from '../../queries/people.ts';
import { ActionError } from '../errors.ts';
import { type ActionContext, recorded } from '../recorded.ts';
import { accountAudit } from './account.ts';
import { hashPassword } from './hash-password.ts';

export interface PasswordChange {
  readonly portal: Portal;
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
  { portal, personId, confirmedMark, password }: PasswordChange,
): Promise<{ passwordMark: string }> {
  const passwordHash = await hashPassword(password);
  return recorded(ctx, async (tx) => {
    const account = await findAccountById(tx, portal, personId);
    const isConfirmed = account !== null && passwordMark(account.passwordHash) === confirmedMark;
    if (!isConfirmed || !(await replacePassword(tx, portal, account, passwordHash)))
      throw new ActionError('password_changed', 'The password was changed meanwhile.');
    await deleteSessionsOf(tx, portal, personId);
    const result = { passwordMark: passwordMark(passwordHash) };
    return { result, audit: accountAudit(portal, account, 'password_set') };
  });
}
