import type { Schemas } from './contract/types.ts';
import type { Database, Db } from './database/open.ts';
import type { Actor, Caller } from './domain/actor.ts';
import type { RequestTime } from './domain/dates.ts';
import type { NameOf } from './domain/errors.ts';
import type { Sanitizer } from './sanitizer/sanitizer.ts';

/** What every operation gets in addition to its input. The adapter has already checked that this actor may call it. */
export interface Context extends RequestTime {
  readonly db: Db;
  readonly sanitizer: Sanitizer;
  readonly actor: Actor;
}

/** The lists that are the same for every company, at most a second old. */
export interface ReferenceLists {
  readonly categories: (now: Date) => Promise<Schemas['Category'][]>;
  readonly districts: (now: Date) => Promise<Schemas['Region'][]>;
}

/** What the contract's operations share within one process. */
export interface Services {
  readonly database: Pick<Database, 'connectionsFor'>;
  readonly reference: ReferenceLists;
  readonly sanitizer: Sanitizer;
  readonly requestsPerMinute: number;
  /** The service's address for its clients, without a trailing slash; empty if not configured. */
  readonly publicUrl: string;
}

/** The context of a contract operation: a credential calls it. */
export interface ApiContext extends Context, Services {
  readonly actor: Caller;
  /** Translates names of the contract into the caller's words, for refusals. */
  readonly nameOf: NameOf;
  /** What the request log records: the job that was named, created, or created before with the same key. */
  readonly about: { jobId?: number };
}
