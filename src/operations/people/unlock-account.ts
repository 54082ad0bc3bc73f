import type { Account } from '../../queries/people.ts';
import { deleteSignInCounts } from '../../queries/sign-in-counts.ts';
import { emailOf } from '../check-input.ts';
import { type ActionContext, recorded } from '../recorded.ts';
import { type AccountName, accountAudit, requireAccount } from './account.ts';

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
