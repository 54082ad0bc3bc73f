import type { Db } from '../database/open.ts';
import type { Portal } from '../domain/actor.ts';
import { type ApiError, rejection } from '../domain/errors.ts';
import { addressLengthMax } from '../domain/person-address.ts';
import { hashSecret } from '../domain/token.ts';
import { addressKey } from '../rate-limit/request-limits.ts';
import type { SignInLimits } from '../rate-limit/sign-in-limits.ts';
import {
  companiesOf,
  findAccountById,
  findAccountByLink,
  findAccounts,
  namedMax,
  passwordMark,
} from './accounts-sql.ts';
import { withPassword } from './passwords.ts';

export type SignInOutcome =
  | { readonly kind: 'accepted'; readonly personId: bigint; readonly passwordMark: string }
  | Several
  | { readonly kind: 'refused' }
  | { readonly kind: 'throttled'; readonly seconds: number };

/** Several companies have accounts with this address and password. With `areMore`, only the companies of the oldest accounts are listed. */
export interface Several {
  readonly kind: 'several';
  readonly companies: readonly { readonly id: bigint; readonly name: string }[];
  readonly areMore?: boolean;
}

export interface SignInTry {
  readonly portal: Portal;
  /** The address as typed. */
  readonly email: string;
  readonly password: string;
  /** The company whose account is meant, if several have the address and the password. */
  readonly companyId?: bigint | undefined;
  /** The client's IP address. */
  readonly address: string;
}

/**
 * Checks an e-mail address and a password. After too many failures, checks neither. Even a right password is throttled if a limit was
 * reached during the check. An account that was missed too often is answered as if it did not exist: no answer reveals another company's.
 */
export async function signIn(db: Db, limits: SignInLimits, { portal, ...tried }: SignInTry): Promise<SignInOutcome> {
  const email = tried.email.trim().toLowerCase();
  const address = addressKey(tried.address);
  const from = { portal, email, address };
  const waiting = await limits.secondsToWait(from);
  if (waiting > 0) return { kind: 'throttled', seconds: waiting };
  const found = canBeEmail(email) ? await findAccounts(db, portal, email) : [];
  const accounts = found.filter(({ companyId }) => (tried.companyId ?? companyId) === companyId);
  const right = await limits.withoutMissed(from, await withPassword(accounts, tried.password));
  // The password may be a guess at each account, also where it opens another one.
  const missed = accounts.filter((one) => !right.includes(one));
  // Keeps one account per company: a company may also have older accounts with other spellings of the address.
  const meant = right.filter(({ companyId }, at) => right.findIndex((one) => one.companyId === companyId) === at);
  const [account, another] = meant;
  const seconds = await (account ? limits.acceptSuccess(from, right, missed) : limits.countFailure(from, missed));
  if (seconds > 0) return { kind: 'throttled', seconds };
  if (!account) return { kind: 'refused' };
  if (!another) return { kind: 'accepted', personId: account.id, passwordMark: passwordMark(account.passwordHash) };
  const companies = (await companiesOf(db, meant)).map(({ company }) => company);
  return { kind: 'several', companies, ...(meant.length > namedMax && { areMore: true }) };
}

export const linkEnded = (): ApiError =>
  rejection(
    'link_ended',
    'This link does not work: it was used, replaced by another, or is more than a day old. If you have just set your password with it, sign in.',
  );

/**
 * Returns the account of a link that sets a password, without using the link up. Throws `link_ended`. Guesses are not counted: a link has 192
 * random bits, and another site's images could use the count up to block a whole network.
 */
export async function openLink(db: Db, portal: Portal, link: string, now: Date): Promise<bigint> {
  const account = await findAccountByLink(db, portal, hashSecret(link), now);
  if (!account) throw linkEnded();
  return account.id;
}

export type PasswordCheck = 'right' | 'wrong' | 'throttled';

/**
 * Checks the password of a signed-in person. Failures count per person, so failed sign-ins elsewhere do not block this check, and a stolen
 * session cannot guess the password.
 */
export async function confirmPassword(
  db: Db,
  limits: SignInLimits,
  { portal, personId, password }: { readonly portal: Portal; readonly personId: bigint; readonly password: string },
): Promise<PasswordCheck> {
  if (!(await limits.consumeConfirmation(portal, personId))) return 'throttled';
  const account = await findAccountById(db, portal, personId);
  if (!account || (await withPassword([account], password)).length === 0) return 'wrong';
  await limits.forgiveConfirmations(portal, personId);
  return 'right';
}

/** Returns false for text that PostgreSQL would refuse, or that no account can have as its address. */
const canBeEmail = (text: string): boolean => text.length <= addressLengthMax && !/\p{Cc}/u.test(text);
