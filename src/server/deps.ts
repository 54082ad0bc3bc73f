import type { AuthDeps } from '../auth/authenticate-request.ts';
import type { Services } from '../context.ts';
import type { Log } from '../log.ts';
import type { RequestLimit } from '../rate-limit/request-limits.ts';
import type { Listener } from './client-info.ts';
import type { CompanyQueue } from './company-queue.ts';
import type { UnreadAnswers } from './unread-answers.ts';

/** The dependencies of an adapter. */
export interface AdapterDeps {
  readonly services: Services;
  readonly auth: AuthDeps;
  readonly requestLimit: RequestLimit;
  /** Limits how many API requests and dashboard pages run at once. */
  readonly queue: CompanyQueue;
  readonly unread: UnreadAnswers;
  readonly listener: Listener;
  readonly clock: () => Date;
  readonly timeZone: string;
  /** Whom people can ask for help; undefined if the operator names nobody. */
  readonly support: { readonly text: string; readonly href: string } | undefined;
  readonly log: Log;
}
