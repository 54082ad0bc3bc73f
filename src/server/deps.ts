import type { AuthDeps } from '../auth/admit.ts';
import type { Services } from '../context.ts';
import type { Log } from '../log.ts';
import type { Listener } from './client-info.ts';

/** What an adapter is built from. */
export interface AdapterDeps {
  readonly services: Services;
  readonly auth: AuthDeps;
  readonly listener: Listener;
  readonly clock: () => Date;
  readonly timeZone: string;
  readonly log: Log;
}
