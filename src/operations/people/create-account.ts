import { isUniqueViolation } from '../../database/errors.ts';
import { hasMainAccount, insertAdministrator, insertUser } from '../../queries/people.ts';
import { emailOf } from '../check-input.ts';
import { ActionError } from '../errors.ts';
import { type ActionContext, recorded, recordedFor } from '../recorded.ts';
import { hashPassword } from './set-password.ts';

export interface NewUser {
  readonly companyId: bigint;
  readonly email: string;
  readonly role: 'main' | 'sub';
  readonly password: string;
}

/**
 * An address signs in once in the whole service; a company has one main account.
 * Refuses with `unknown_company`, `invalid_input`, `email_taken` and `main_account_exists`.
 */
export async function createUser(
  ctx: ActionContext,
  { companyId, role, ...person }: NewUser,
): Promise<{ userId: bigint }> {
  const email = emailOf(person.email);
  const passwordHash = await hashPassword(person.password);
  return recordedFor(ctx, companyId, async (tx) => {
    if (role === 'main' && (await hasMainAccount(tx, companyId)))
      throw new ActionError('main_account_exists', 'The company has a main account.', 'role');
    const userId = await insertUser(tx, { companyId, email, role, passwordHash, createdAt: ctx.now });
    return { result: { userId }, audit: { action: 'user.created', details: { user_id: Number(userId), role } } };
  }).catch(refuseTakenEmail);
}

/** Turns the unique violation of an address into `email_taken`. */
function refuseTakenEmail(error: unknown): never {
  throw isUniqueViolation(error)
    ? new ActionError('email_taken', 'This e-mail address has an account.', 'email')
    : error;
}

export interface NewAdministrator {
  readonly email: string;
  readonly password: string;
}

/** Refuses with `invalid_input` and `email_taken`; a company's user may have the same address. */
export async function createAdministrator(
  ctx: ActionContext,
  input: NewAdministrator,
): Promise<{ administratorId: bigint }> {
  const email = emailOf(input.email);
  const passwordHash = await hashPassword(input.password);
  return recorded(ctx, async (tx) => {
    const administratorId = await insertAdministrator(tx, { email, passwordHash, createdAt: ctx.now });
    const details = { administrator_id: Number(administratorId) };
    return { result: { administratorId }, audit: { action: 'administrator.created', details } };
  }).catch(refuseTakenEmail);
}
