import { insertAdministrator } from '../../queries/people.ts';
import { emailOf } from '../check-input.ts';
import { type ActionContext, recorded } from '../recorded.ts';
import { refuseTakenEmail } from './create-user.ts';
import { hashPassword } from './hash-password.ts';

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
