import type { Account } from '../store/people.ts';
import { deleteSignInCounts } from '../store/sign-in-counts.ts';
import { type AccountName, accountAudit, requireAccount } from './account.ts';
import { emailOf } from './check-input.ts';
import { type ActionContext, recorded } from './context.ts';

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
    const { realm, email } = name;
    await deleteSignInCounts(tx, limitsNamespace, { realm, email: emailOf(email), personId: account.id });
    return { result: account, audit: accountAudit(realm, account, 'unlocked') };
  });
}
