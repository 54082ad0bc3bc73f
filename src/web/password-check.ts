import { type SignInTry, signIn } from '../gate/sign-in.ts';
import type { PasswordCheck } from './page.ts';
import type { PageDoor } from './page-door.ts';

/** The sign-in's own rule and count: a stolen session is no way to guess a password. */
export async function checkPassword({ services, signInLimits }: PageDoor, tried: SignInTry): Promise<PasswordCheck> {
  const outcome = await signIn(services.db, signInLimits, tried);
  if (outcome.kind === 'accepted') return 'right';
  return outcome.kind === 'refused' ? 'wrong' : 'throttled';
}
