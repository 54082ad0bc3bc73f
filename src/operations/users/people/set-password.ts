import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { type Account, findAccountById, passwordHashAt, passwordMark } from '../../../auth/accounts-sql.ts';
import { deleteSessionsOf } from '../../../auth/page-sessions-sql.ts';
import { hashPassword } from '../../../auth/passwords.ts';
import { linkEnded } from '../../../auth/sign-in.ts';
import type { Context } from '../../../context.ts';
import { type Portal, portalBase } from '../../../domain/actor.ts';
import { dayMs } from '../../../domain/dates.ts';
import { notAllowed, rejection } from '../../../domain/errors.ts';
import { hashSecret } from '../../../domain/token.ts';
import { declare } from '../../kit/declare.ts';
import { checkInput, password } from '../../kit/fields.ts';
import { recorded } from '../../kit/recorded.ts';
import { replacePassword } from '../users-sql.ts';
import * as accounts from './account.ts';

const setting = (portal: Portal) =>
  declare({
    command: `${accounts.nouns[portal]} set-password`,
    title: 'Set a new password and end all sessions',
    label: 'New password',
    by: accounts.accountsBy[portal],
    records: `${accounts.subjects[portal]}.password_set`,
    dangerous: 'The old password stops working, and all sessions of the person end.',
    input: z.object({
      ...accounts.accountFields[portal],
      password: password().optional(),
      reason: accounts.accountReason(portal).optional(),
    }),
    subject: accounts.ofAccount(portal),
    done: `the old password of ${accounts.subjects[portal]} {{id}} no longer works; all sessions ended`,
    run: async (ctx, { password, ...named }) => {
      const { stored, link } = await passwordOf(ctx, portal, named.email, password);
      return accounts.changeAccount(ctx, portal, named, async (tx, { id }) => {
        if (!(await replacePassword(tx, portal, { id }, stored))) throw accounts.unknownAccount();
        await deleteSessionsOf(tx, portal, id);
        return link;
      });
    },
    shows: ({ path, endsAt, ...account }: Account & PasswordLink) => ({
      ...accounts.shownAccount(account),
      ...(path !== undefined && { path, ends_at: endsAt }),
    }),
  });

/**
 * Sets an account's password. Without a password, returns a link that sets one. Either way, the old password stops working and the account's
 * sessions end. Throws `invalid_input`, `unknown_account`, `several_accounts`, `not_allowed` and `own_account`.
 */
export const setUserPassword = setting('company');
export const setAdministratorPassword = setting('administrator');

interface PasswordChange {
  /** The mark of the password that the person has just entered. */
  readonly confirmedMark: string;
  /** The hash of the link, if a link sets the password. */
  readonly linkHash?: Uint8Array<ArrayBuffer> | undefined;
  readonly newPassword: string;
}

const ownPassword = z.object({ newPassword: password() });

/**
 * Changes the acting person's password and ends all of that person's sessions. Returns the new password's mark, for a new session. Has no
 * command. Throws `not_allowed` and `invalid_input`. If another password was set meanwhile, throws `link_ended` for a link, otherwise
 * `password_changed`.
 */
export async function changePassword(
  ctx: Context,
  { confirmedMark, linkHash, ...given }: PasswordChange,
): Promise<{ passwordMark: string }> {
  const { actor } = ctx;
  if (actor.kind !== 'user' && actor.kind !== 'administrator') throw notAllowed();
  const portal = actor.kind === 'user' ? 'company' : 'administrator';
  const { newPassword } = checkInput(ownPassword, given);
  const { passwordHash: old } = (await findAccountById(ctx.db, portal, actor.id)) ?? {};
  const stored = { passwordHash: await hashPassword(newPassword, old), linkHash: null, linkEndsAt: null };
  const context = { ...ctx, records: `${accounts.subjects[portal]}.password_set` as const, whileSuspended: true };
  return recorded(context, async (tx) => {
    const account = await findAccountById(tx, portal, actor.id);
    const { id, passwordHash } = account ?? { id: -1n, passwordHash: '' };
    const read = { id, passwordHash, ...(linkHash && { linkHash }) };
    if (!account || passwordMark(passwordHash) !== confirmedMark || !(await replacePassword(tx, portal, read, stored)))
      throw linkHash ? linkEnded() : rejection('password_changed', 'The password was changed meanwhile.');
    await deleteSessionsOf(tx, portal, actor.id);
    return { result: { passwordMark: passwordMark(stored.passwordHash) }, audit: accounts.accountAudit(account) };
  });
}

export type PasswordLink = Partial<NonNullable<Awaited<ReturnType<typeof passwordOf>>['link']>>;

/**
 * Returns the columns that store a password. Without a password, also returns a link that sets one. The link works once, within a day, and
 * only the caller sees it.
 */
export async function passwordOf({ db, now }: Context, portal: Portal, email: string, password?: string) {
  const other = await passwordHashAt(db, portal, email);
  const passwordHash = await hashPassword(password ?? randomBytes(24).toString('hex'), other);
  if (password !== undefined) return { stored: { passwordHash, linkHash: null, linkEndsAt: null } };
  const secret = `vaga_link_${randomBytes(24).toString('hex')}`;
  const endsAt = new Date(now.getTime() + dayMs);
  const link = { email, path: `${portalBase[portal]}/set-password?link=${secret}`, endsAt };
  return { link, stored: { passwordHash, linkHash: hashSecret(secret), linkEndsAt: endsAt } };
}
