import type { SignInLimits } from '../gate/sign-in-limits.ts';
import type { Door } from '../http/door.ts';

/** What the pages are built from. */
export interface PageDoor extends Door {
  readonly signInLimits: SignInLimits;
  /** What the cookies of sessions are signed with. */
  readonly sessionSecret: string;
}
