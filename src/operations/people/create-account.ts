import type { Context } from '../../context.ts';
import { isUniqueViolation } from '../../database/errors.ts';
import { rejection } from '../../domain/errors.ts';
import { hasMainAccount, insertAdministrator, insertUser } from '../../queries/people.ts';
import { emailOf } from '../check-input.ts';
import { recorded, recordedFor } from '../recorded.ts';
import { hashPassword } from './set-password.ts';

interface NewPerson {
  readonly email: string;
  readonly password: string;
}

interface NewUser extends NewPerson {
  readonly companyId: bigint;
  readonly role: 'main' | 'sub';
}

/**
 * Creates a company's user. An e-mail address has one user in the whole service; a company has one main account.
 * Throws `unknown_company`, `invalid_input`, `email_taken` and `main_account_exists`.
 */
export async function createUser(ctx: Context, { companyId, role, ...person }: NewUser): Promise<{ userId: bigint }> {
  const email = emailOf(person.email);
  const passwordHash = await hashPassword(person.password);
  return recordedFor(ctx, companyId, async (tx) => {
    if (role === 'main' && (await hasMainAccount(tx, companyId)))
      throw rejection('main_account_exists', 'The company has a main account.', 'role');
    const userId = await insertUser(tx, { companyId, email, role, passwordHash, createdAt: ctx.now });
    return { result: { userId }, audit: { action: 'user.created', details: { user_id: Number(userId), role } } };
  }).catch(refuseTakenEmail);
}

/** Creates an administrator; a company's user may have the same address. Throws `invalid_input` and `email_taken`. */
export async function createAdministrator(ctx: Context, person: NewPerson): Promise<{ administratorId: bigint }> {
  const email = emailOf(person.email);
  const passwordHash = await hashPassword(person.password);
  return recorded(ctx, async (tx) => {
    const administratorId = await insertAdministrator(tx, { email, passwordHash, createdAt: ctx.now });
    const details = { administrator_id: Number(administratorId) };
    return { result: { administratorId }, audit: { action: 'administrator.created', details } };
  }).catch(refuseTakenEmail);
}

function refuseTakenEmail(error: unknown): never {
  throw isUniqueViolation(error) ? rejection('email_taken', 'This e-mail address has an account.', 'email') : error;
}
