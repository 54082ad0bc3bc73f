import type { Caller } from './domain/caller.ts';
import type { Moment } from './domain/moment.ts';
import type { ConcurrencyLimit } from './gate/concurrency-limit.ts';
import type { Sanitizer } from './html/sanitizer.ts';
import type { Db } from './store/open.ts';
import type { ReferenceLists } from './store/reference-lists.ts';

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
export interface Context extends Services, Moment {
  readonly caller: Caller;
  /** Resolves when the answer has gone to the client, or cannot any more. */
  readonly answered: () => Promise<unknown>;
}
