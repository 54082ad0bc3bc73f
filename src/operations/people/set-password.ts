import { hash } from '@node-rs/argon2';
import type { Portal } from '../../domain/actor.ts';
import { passwordMark } from '../../domain/token.ts';
import { deleteSessionsOf } from '../../queries/page-sessions.ts';
import { type Account, findAccountById, replacePassword } from '../../queries/people.ts';
import { ActionError, invalidInput } from '../errors.ts';
import { type ActionContext, recorded } from '../recorded.ts';
import { type AccountName, accountAudit, requireAccount, unknownAccount } from './account.ts';

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

export const passwordCharactersMin = 12;
const passwordCharactersMax = 1000;

/** Argon2id with OWASP's parameters (19 MiB, 2 passes), some 30 ms off the event loop. Refuses with `invalid_input`. */
export async function hashPassword(password: string): Promise<string> {
  const characters = [...password].length;
  if (characters < passwordCharactersMin || characters > passwordCharactersMax)
    throw invalidInput('password', `must be ${passwordCharactersMin} to ${passwordCharactersMax} characters`);
  if (!password.isWellFormed()) throw invalidInput('password', 'must be well-formed text');
  // Argon2id is the package's default; its enum is a const enum, which isolated modules cannot import.
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
}
