import { verify } from '@node-rs/argon2';
import type { Db } from '../database/open.ts';
import type { Portal } from '../domain/actor.ts';
import { passwordMark } from '../domain/token.ts';
import { findAccount, findAccountById } from '../queries/people.ts';
import { addressKey } from '../rate-limit/address.ts';
import type { SignInLimits } from '../rate-limit/sign-in-limits.ts';

export type SignInOutcome =
  | { readonly kind: 'accepted'; readonly personId: bigint; readonly passwordMark: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'throttled'; readonly seconds: number };

export interface SignInTry {
  readonly portal: Portal;
  /** As typed. */
  readonly email: string;
  readonly password: string;
  /** The client's IP address. */
  readonly address: string;
}

/** Of a password that nobody knows, at the price of every other, so that the time does not tell which addresses have an account. */
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$sSaaFoQX9VB8Den/ibeO3w$WaT+ghIMqSCD7gXOMFhbY8i9XSu5JCeF7X/QbmjIwcw';

/** In UTF-16 units, of which a password's 1000 characters may need two each. */
const inputLengthMax = 2000;

/** Finds out whether these are an account's address and password. After too many failures it looks at neither. */
export async function signIn(db: Db, limits: SignInLimits, { portal, ...tried }: SignInTry): Promise<SignInOutcome> {
  const email = tried.email.trim().toLowerCase();
  const address = addressKey(tried.address);
  const seconds = await limits.consume(portal, email, address);
  if (seconds > 0) return { kind: 'throttled', seconds };
  const account = canBeEmail(email) ? await findAccount(db, portal, email) : null;
  const right = await isPassword(account?.passwordHash ?? nobodysHash, tried.password);
  if (!account || !right) return { kind: 'refused' };
  await limits.forgive(portal, email, address);
  return { kind: 'accepted', personId: account.id, passwordMark: passwordMark(account.passwordHash) };
}

export type PasswordCheck = 'right' | 'wrong' | 'throttled';

/**
 * Whether this is the password of a signed-in person. Its count is the person's own: failed sign-ins from elsewhere do not block it,
 * and a stolen session is no way to guess a password.
 */
export async function confirmPassword(
  db: Db,
  limits: SignInLimits,
  { portal, personId, password }: { readonly portal: Portal; readonly personId: bigint; readonly password: string },
): Promise<PasswordCheck> {
  if (!(await limits.consumeConfirmation(portal, personId))) return 'throttled';
  const account = await findAccountById(db, portal, personId);
  if (!account || !(await isPassword(account.passwordHash, password))) return 'wrong';
  await limits.forgiveConfirmations(portal, personId);
  return 'right';
}

const isPassword = (passwordHash: string, typed: string): Promise<boolean> =>
  verify(passwordHash, typed.length <= inputLengthMax ? typed : '');

/** What the database could not even be asked for is nobody's address. */
const canBeEmail = (text: string): boolean => text.length <= 255 && text.includes('@') && !/\p{Cc}/u.test(text);
