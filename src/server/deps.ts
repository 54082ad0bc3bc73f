import type { AuthDeps } from '../auth/authenticate-request.ts';
import type { Services } from '../context.ts';
import type { ConcurrencyLimit } from '../domain/concurrency-limit.ts';
import type { Log } from '../log.ts';
import type { RequestLimit } from '../rate-limit/request-limit.ts';
import type { Listener } from './client-info.ts';

/** The dependencies of an adapter. */
export interface AdapterDeps {
  readonly services: Services;
  readonly auth: AuthDeps;
  readonly requestLimit: RequestLimit;
  /** Concurrent API requests, in all and per company. */
  readonly places: ConcurrencyLimit<bigint>;
  readonly listener: Listener;
  readonly clock: () => Date;
  readonly timeZone: string;
  readonly log: Log;
}
