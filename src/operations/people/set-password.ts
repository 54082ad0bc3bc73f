import { hash } from '@node-rs/argon2';
import { z } from 'zod';
import { findAccountById } from '../../auth/accounts-sql.ts';
import { deleteSessionsOf } from '../../auth/page-sessions-sql.ts';
import type { Context } from '../../context.ts';
import type { Portal } from '../../domain/actor.ts';
import { notAllowed, rejection } from '../../domain/errors.ts';
import { passwordMark } from '../../domain/token.ts';
import { declare } from '../declare.ts';
import { checkInput, email, password } from '../fields.ts';
import { recorded } from '../recorded.ts';
import { accountAudit, nouns, requireAccount, shownAccount, subjects, unknownAccount } from './account.ts';
import { replacePassword } from './people-sql.ts';

const setting = (portal: Portal) =>
  declare({
    command: `${nouns[portal]} set-password`,
    title: 'Set a new password and end all sessions',
    by: ['operator'],
    records: `${subjects[portal]}.password_set`,
    dangerous: 'The old password stops working, and all sessions of the person end.',
    input: z.object({ email: email(), password: password() }),
    done: `${subjects[portal]} {{id}} has a new password; all sessions ended`,
    run: async (ctx, { email, password }) => {
      const passwordHash = await hashPassword(password);
      return recorded(ctx, async (tx) => {
        const account = await requireAccount(tx, portal, email);
        if (!(await replacePassword(tx, portal, account, passwordHash))) throw unknownAccount();
        await deleteSessionsOf(tx, portal, account.id);
        return { result: account, audit: accountAudit(account) };
      });
    },
    shows: shownAccount,
  });

/** Sets the password of an account and ends its sessions. Throws `invalid_input` and `unknown_account`. */
export const setUserPassword = setting('company');
export const setAdministratorPassword = setting('administrator');

interface PasswordChange {
  /** The mark of the password that the person has just confirmed. */
  readonly confirmedMark: string;
  readonly newPassword: string;
}

const ownPassword = z.object({ newPassword: password() });

/**
 * Changes the password of the person who acts and ends all of that person's sessions; returns the new password's mark, for a new session.
 * Has no command. Throws `not_allowed`, `invalid_input`, and `password_changed` if another one was set meanwhile.
 */
export async function changePassword(
  ctx: Context,
  { confirmedMark, ...given }: PasswordChange,
): Promise<{ passwordMark: string }> {
  const { actor } = ctx;
  if (actor.kind !== 'user' && actor.kind !== 'administrator') throw notAllowed();
  const portal = actor.kind === 'user' ? 'company' : 'administrator';
  const passwordHash = await hashPassword(checkInput(ownPassword, given).newPassword);
  return recorded({ ...ctx, records: `${subjects[portal]}.password_set` }, async (tx) => {
    const account = await findAccountById(tx, portal, actor.id);
    const isConfirmed = account !== null && passwordMark(account.passwordHash) === confirmedMark;
    if (!isConfirmed || !(await replacePassword(tx, portal, account, passwordHash)))
      throw rejection('password_changed', 'The password was changed meanwhile.');
    await deleteSessionsOf(tx, portal, actor.id);
    return { result: { passwordMark: passwordMark(passwordHash) }, audit: accountAudit(account) };
  });
}

/** Hashes with Argon2id and OWASP's parameters (19 MiB, 2 passes): about 30 ms, off the event loop. */
export const hashPassword = (password: string): Promise<string> =>
  // Argon2id is the package's default; its enum is a const enum, which isolated modules cannot import.
  hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
