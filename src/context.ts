import type { Database, Db } from './database/open.ts';
import type { Actor, Caller } from './domain/actor.ts';
import type { ConcurrencyLimit } from './domain/concurrency-limit.ts';
import type { NameOf } from './domain/errors.ts';
import type { Lifetime } from './domain/lifetime.ts';
import type { RequestTime } from './domain/request-time.ts';
import type { ReferenceLists } from './queries/reference-data.ts';
import type { Sanitizer } from './sanitizer/sanitizer.ts';

/** What every operation gets besides its input. The adapter has already checked that this actor may call it. */
export interface Context extends RequestTime {
  readonly db: Db;
  readonly actor: Actor;
}

/** What the contract's operations share in one process. */
export interface Services {
  readonly database: Pick<Database, 'connectionsFor'>;
  readonly reference: ReferenceLists;
  readonly sanitizer: Sanitizer;
  /** Limits the job lists that one company reads at the same time: their answers are the largest. */
  readonly lists: ConcurrencyLimit<bigint>;
  /** Limits the changes that one company makes at the same time, so that sanitizers and connections are left for others. */
  readonly changes: ConcurrencyLimit<bigint>;
  readonly requestsPerMinute: number;
  /** The service's address for its clients, without a trailing slash; empty if not configured. */
  readonly publicUrl: string;
}

/** The context of a contract operation: a credential calls it. */
export interface ApiContext extends Context, Services {
  readonly actor: Caller;
  /** Of the request, or of one message of a batch. */
  readonly lifetime: Lifetime;
  /** For the words of a refusal. */
  readonly nameOf: NameOf;
}
