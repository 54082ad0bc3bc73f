import type { Db } from './database/open.ts';
import type { Caller } from './domain/actor.ts';
import type { RequestTime } from './domain/request-time.ts';
import type { ReferenceLists } from './queries/reference.ts';
import type { ConcurrencyLimit } from './rate-limit/concurrency-limit.ts';
import type { Sanitizer } from './sanitizer/sanitizer.ts';

/** What the operations of one process share. */
export interface Services {
  readonly db: Db;
  readonly reference: ReferenceLists;
  readonly sanitizer: Sanitizer;
  /** Of lists of jobs, whose answers are the largest. */
  readonly lists: ConcurrencyLimit;
  /** Of bodies that are sanitized. */
  readonly bodies: ConcurrencyLimit;
  readonly requestsPerMinute: number;
  /** Where the service is reached from outside, without a trailing slash; empty where nobody has said. */
  readonly publicUrl: string;
}

/** Everything that an operation may know besides its input. */
export interface Context extends Services, RequestTime {
  readonly caller: Caller;
  /** Resolves when the answer has gone to the client, or cannot any more. */
  readonly answered: () => Promise<unknown>;
}
