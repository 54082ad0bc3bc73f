import { hash } from '@node-rs/argon2';
import type { Context } from '../../context.ts';
import type { Portal } from '../../domain/actor.ts';
import { invalidInput, rejection } from '../../domain/errors.ts';
import { passwordMark } from '../../domain/token.ts';
import { deleteSessionsOf } from '../../queries/page-sessions.ts';
import { type Account, findAccountById, replacePassword } from '../../queries/people.ts';
import { recorded } from '../recorded.ts';
import { type AccountRef, accountAudit, requireAccount, unknownAccount } from './account.ts';

export const passwordCharactersMin = 12;
const passwordCharactersMax = 1000;

/** Sets the password of an account and ends its sessions. Throws `invalid_input` and `unknown_account`. */
export async function setPassword(
  ctx: Context,
  { password, ...name }: AccountRef & { readonly password: string },
): Promise<Account> {
  const passwordHash = await hashPassword(password);
  return recorded(ctx, async (tx) => {
    const account = await requireAccount(tx, name);
    if (!(await replacePassword(tx, name.portal, account, passwordHash))) throw unknownAccount();
    await deleteSessionsOf(tx, name.portal, account.id);
    return { result: account, audit: accountAudit(name.portal, account, 'password_set') };
  });
}

interface PasswordChange {
  readonly portal: Portal;
  readonly personId: bigint;
  /** The mark of the password that the person has just confirmed. */
  readonly confirmedMark: string;
  readonly password: string;
}

/**
 * Changes a person's own password and ends all of that person's sessions; returns the new password's mark, for a new session.
 * Throws `invalid_input`, and `password_changed` if another password was set meanwhile.
 */
export async function changePassword(
  ctx: Context,
  { portal, personId, confirmedMark, password }: PasswordChange,
): Promise<{ passwordMark: string }> {
  const passwordHash = await hashPassword(password);
  return recorded(ctx, async (tx) => {
    const account = await findAccountById(tx, portal, personId);
    const isConfirmed = account !== null && passwordMark(account.passwordHash) === confirmedMark;
    if (!isConfirmed || !(await replacePassword(tx, portal, account, passwordHash)))
      throw rejection('password_changed', 'The password was changed meanwhile.');
    await deleteSessionsOf(tx, portal, personId);
    const result = { passwordMark: passwordMark(passwordHash) };
    return { result, audit: accountAudit(portal, account, 'password_set') };
  });
}

/** Hashes with Argon2id and OWASP's parameters (19 MiB, 2 passes): about 30 ms, off the event loop. Throws `invalid_input`. */
export async function hashPassword(password: string): Promise<string> {
  const characters = [...password].length;
  if (characters < passwordCharactersMin || characters > passwordCharactersMax)
    throw invalidInput('password', { kind: 'characters', min: passwordCharactersMin, max: passwordCharactersMax });
  if (!password.isWellFormed()) throw invalidInput('password', { kind: 'well_formed' });
  // Argon2id is the package's default; its enum is a const enum, which isolated modules cannot import.
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
}
