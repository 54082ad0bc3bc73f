import { z } from 'zod';
import { type Account, findAccount } from '../../auth/accounts-sql.ts';
import { deleteSessionsOf } from '../../auth/page-sessions-sql.ts';
import type { Tx } from '../../database/transaction.ts';
import type { Portal } from '../../domain/actor.ts';
import { type ApiError, rejection } from '../../domain/errors.ts';
import { deleteSignInCounts } from '../../rate-limit/sign-in-counts-sql.ts';
import type { AuditNote } from '../audit/audit-sql.ts';
import { declare } from '../declare.ts';
import { email, reason } from '../fields.ts';
import { recorded } from '../recorded.ts';
import { deleteAccount } from './people-sql.ts';

/** The noun of an account's commands. */
export const nouns = { company: 'user', administrator: 'admin' } as const;
/** What the audit trail calls an account. */
export const subjects = { company: 'user', administrator: 'administrator' } as const;

/** Only a company's user has a company. */
export const shownAccount = ({ id, companyId }: Pick<Account, 'id' | 'companyId'>) =>
  companyId === null ? { administrator_id: Number(id) } : { user_id: Number(id), company_id: Number(companyId) };

/** Deletes an account and ends its sessions; credentials that it issued keep working. Throws `invalid_input` and `unknown_account`. */
const removal = (portal: Portal) =>
  declare({
    command: `${nouns[portal]} remove`,
    title: 'Delete an account and end all its sessions',
    by: ['operator'],
    records: `${subjects[portal]}.removed`,
    dangerous:
      "The account is deleted. The person's credentials keep working until they are revoked, and the audit trail stays.",
    input: z.object({ email: email(), reason: reason().optional() }),
    done: `${subjects[portal]} {{id}} removed`,
    run: (ctx, { email }) =>
      recorded(ctx, async (tx) => {
        const account = await requireAccount(tx, portal, email);
        if (!(await deleteAccount(tx, portal, account.id))) throw unknownAccount();
        await deleteSessionsOf(tx, portal, account.id);
        return { result: account, audit: accountAudit(account) };
      }),
    shows: shownAccount,
  });

export const removeUser = removal('company');
export const removeAdministrator = removal('administrator');

/**
 * Clears an account's failed sign-ins and password confirmations; the count of a network address stays.
 * Throws `invalid_input` and `unknown_account`.
 */
const unlocking = (portal: Portal) =>
  declare({
    command: `${nouns[portal]} unlock`,
    title: 'Clear failed sign-ins, so that the person can sign in again',
    by: ['operator'],
    records: `${subjects[portal]}.unlocked`,
    input: z.object({ email: email() }),
    done: `${subjects[portal]} {{id}} unlocked`,
    run: (ctx, { email }) =>
      recorded(ctx, async (tx) => {
        const account = await requireAccount(tx, portal, email);
        await deleteSignInCounts(tx, { portal, email, personId: account.id });
        return { result: account, audit: accountAudit(account) };
      }),
    shows: shownAccount,
  });

export const unlockUser = unlocking('company');
export const unlockAdministrator = unlocking('administrator');

export const unknownAccount = (): ApiError =>
  rejection('unknown_account', 'There is no account with this e-mail address.', 'email');

/** Throws `unknown_account`. */
export async function requireAccount(tx: Tx, portal: Portal, email: string): Promise<Account> {
  const account = await findAccount(tx, portal, email);
  if (!account) throw unknownAccount();
  return account;
}

/** The audit entry of a change to an account. */
export const accountAudit = ({ id, companyId }: Account): Omit<AuditNote, 'action'> =>
  companyId === null ? { details: { administrator_id: Number(id) } } : { companyId, details: { user_id: Number(id) } };
