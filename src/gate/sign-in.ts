import { verify } from '@node-rs/argon2';
import type { Realm } from '../domain/realm.ts';
import type { Db } from '../store/open.ts';
import { findAccount } from '../store/people.ts';
import { addressKey } from './address.ts';
import type { SignInLimits } from './sign-in-limits.ts';

export type SignInOutcome =
  | { readonly kind: 'accepted'; readonly personId: bigint }
  | { readonly kind: 'refused' }
  | { readonly kind: 'throttled'; readonly seconds: number };

export interface SignInTry {
  readonly realm: Realm;
  /** As typed. */
  readonly email: string;
  readonly password: string;
  /** The client's IP address. */
  readonly address: string;
}

/** Of a password that nobody knows, at the price of every other, so that the time does not tell which addresses have an account. */
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$sSaaFoQX9VB8Den/ibeO3w$WaT+ghIMqSCD7gXOMFhbY8i9XSu5JCeF7X/QbmjIwcw';

const inputCharactersMax = 1000;

/** Finds out whether these are an account's address and password. After too many failures it looks at neither. */
export async function signIn(db: Db, limits: SignInLimits, { realm, ...tried }: SignInTry): Promise<SignInOutcome> {
  const email = tried.email.trim().toLowerCase();
  const address = addressKey(tried.address);
  const seconds = await limits.spend(realm, email, address);
  if (seconds > 0) return { kind: 'throttled', seconds };
  const account = canBeEmail(email) ? await findAccount(db, realm, email) : null;
  const password = tried.password.length <= inputCharactersMax ? tried.password : '';
  const right = await verify(account?.passwordHash ?? nobodysHash, password);
  if (!account || !right) return { kind: 'refused' };
  await limits.forgive(realm, email, address);
  return { kind: 'accepted', personId: account.id };
}

/** What the database could not even be asked for is nobody's address. */
const canBeEmail = (text: string): boolean => text.length <= 255 && text.includes('@') && !/\p{Cc}/u.test(text);
