import { deleteSessionsOf } from '../../queries/page-sessions.ts';
import { type Account, deleteAccount } from '../../queries/people.ts';
import { type ActionContext, recorded } from '../recorded.ts';
import { type AccountName, accountAudit, requireAccount, unknownAccount } from './account.ts';

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
