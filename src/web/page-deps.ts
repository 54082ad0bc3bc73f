import type { SignInLimits } from '../rate-limit/sign-in-limits.ts';
import type { AdapterDeps } from '../server/deps.ts';

/** What the pages are built from. */
export interface PageDeps extends AdapterDeps {
  readonly signInLimits: SignInLimits;
  /** What the cookies of sessions are signed with. */
  readonly sessionSecret: string;
}
