import { z } from 'zod';
import { type Account, findAccount } from '../../../auth/accounts-sql.ts';
import { deleteSessionsOf } from '../../../auth/page-sessions-sql.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../database/transaction.ts';
import type { Portal } from '../../../domain/actor.ts';
import { type ApiError, rejection } from '../../../domain/errors.ts';
import { deleteSignInCounts } from '../../../rate-limit/sign-in-counts-sql.ts';
import type { AuditNote } from '../../audit/audit-sql.ts';
import { type ChangeContext, declare, type Subject } from '../../declare.ts';
import { email, reason } from '../../fields.ts';
import { recorded } from '../../recorded.ts';
import { deleteAccount, lockAdministrators } from '../users-sql.ts';

/** The noun of an account's commands. */
export const nouns = { company: 'user', administrator: 'admin' } as const;
/** The name of an account in the audit trail. */
export const subjects = { company: 'user', administrator: 'administrator' } as const;

/** Only a company's user has a company. */
export const shownAccount = ({ id, companyId }: Pick<Account, 'id' | 'companyId'>) =>
  companyId === null ? { administrator_id: Number(id) } : { user_id: Number(id), company_id: Number(companyId) };

/**
 * Deletes an account and ends its sessions. Credentials that it issued keep working. Throws `invalid_input`, `unknown_account`,
 * `own_account`, and `last_administrator`, because somebody must be able to sign in to the administration.
 */
const removal = (portal: Portal) =>
  declare({
    command: `${nouns[portal]} remove`,
    title: 'Delete an account and end all its sessions',
    label: 'Remove',
    by: ['operator', 'administrator'],
    records: `${subjects[portal]}.removed`,
    dangerous:
      "The account is deleted. The person's credentials keep working until they are revoked, and the audit trail stays.",
    input: z.object({ email: email(), reason: reason().optional() }),
    subject: ofAccount(portal),
    done: '{{email}} can no longer sign in.',
    run: (ctx, { email }) =>
      changeAccount(ctx, portal, email, async (tx, { id }) => {
        if (ctx.actor.kind === portal && ctx.actor.id === id)
          throw rejection('own_account', 'Nobody removes their own account; another administrator can.');
        if (portal === 'administrator' && (await lockAdministrators(tx)) < 2)
          throw rejection('last_administrator', 'This is the only administrator. Create another one first.');
        if (!(await deleteAccount(tx, portal, id))) throw unknownAccount();
        await deleteSessionsOf(tx, portal, id);
      }),
    shows: shownAccount,
  });

export const removeUser = removal('company');
export const removeAdministrator = removal('administrator');

/**
 * Clears an account's failed sign-ins and password confirmations. The network address keeps its count. Throws `invalid_input` and
 * `unknown_account`.
 */
const unlocking = (portal: Portal) =>
  declare({
    command: `${nouns[portal]} unlock`,
    title: 'Clear failed sign-ins, so that the person can sign in again',
    label: 'Unlock',
    by: ['operator', 'administrator'],
    records: `${subjects[portal]}.unlocked`,
    input: z.object({ email: email() }),
    subject: ofAccount(portal),
    done: '{{email}} can sign in again.',
    run: (ctx, { email }) =>
      changeAccount(ctx, portal, email, (tx, { id: personId }) => deleteSignInCounts(tx, { portal, email, personId })),
    shows: shownAccount,
  });

export const unlockUser = unlocking('company');
export const unlockAdministrator = unlocking('administrator');

export const unknownAccount = (): ApiError =>
  rejection('unknown_account', 'There is no account with this e-mail address.', 'email');

/** Throws `unknown_account`. */
async function requireAccount(tx: Tx, portal: Portal, email: string): Promise<Account> {
  const account = await findAccount(tx, portal, email);
  if (!account) throw unknownAccount();
  return account;
}

/** The subject of a form about an account. */
export function ofAccount(portal: Portal) {
  return async ({ db }: Context, ids: { email: string; companyId?: bigint }): Promise<Subject> => {
    const { companyId } = await requireAccount(db, portal, ids.email);
    if (companyId !== (ids.companyId ?? null)) throw unknownAccount();
    return { name: ids.email };
  };
}

/** Changes the account with an e-mail address. Throws `unknown_account`. */
export const changeAccount = <T>(
  ctx: ChangeContext,
  portal: Portal,
  email: string,
  work: (tx: Tx, account: Account) => Promise<T>,
) =>
  recorded(ctx, async (tx) => {
    const account = await requireAccount(tx, portal, email);
    return { result: { ...account, email, ...(await work(tx, account)) }, audit: accountAudit(account) };
  });

/** The audit entry of a change to an account. */
export const accountAudit = ({ id, companyId }: Account): Omit<AuditNote, 'action'> =>
  companyId === null ? { details: { administrator_id: Number(id) } } : { companyId, details: { user_id: Number(id) } };
