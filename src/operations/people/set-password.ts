import { deleteSessionsOf } from '../../queries/page-sessions.ts';
import { type Account, replacePassword } from '../../queries/people.ts';
import { type ActionContext, recorded } from '../recorded.ts';
import { type AccountName, accountAudit, requireAccount, unknownAccount } from './account.ts';
import { hashPassword } from './hash-password.ts';

/** Gives an account a new password and ends its sessions. Refuses with `invalid_input` and `unknown_account`. */
export async function setPassword(
  ctx: ActionContext,
  { password, ...name }: AccountName & { readonly password: string },
): Promise<Account> {
  const passwordHash = await hashPassword(password);
  return recorded(ctx, async (tx) => {
    const account = await requireAccount(tx, name);
    if (!(await replacePassword(tx, name.portal, account, passwordHash))) throw unknownAccount();
    await deleteSessionsOf(tx, name.portal, account.id);
    return { result: account, audit: accountAudit(name.portal, account, 'password_set') };
  });
}
