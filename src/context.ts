import type { Schemas } from './contract/types.ts';
import type { Database, Db } from './database/open.ts';
import type { Actor, Caller } from './domain/actor.ts';
import type { RequestTime } from './domain/dates.ts';
import type { Sanitizer } from './sanitizer/sanitizer.ts';

/** What every operation gets in addition to its input. The adapter has already checked that this actor may call it. */
export interface Context extends RequestTime {
  /** Gives the time for checks that are made after a wait. All other checks use `now`. */
  readonly clock: () => Date;
  readonly db: Db;
  readonly sanitizer: Sanitizer;
  readonly actor: Actor;
  /** Whether an operation across companies must fail rather than leave out companies whose database node cannot be reached. */
  readonly isAboutAll?: boolean;
  /** Whether this form was sent before. If so, the operation gives the same answer again and adds no entry to the audit trail. */
  readonly isRepeated?: boolean;
}

/** Lists that are the same for every company. Each list is at most a second old. */
export interface ReferenceLists {
  readonly categories: (ctx: Pick<Context, 'db' | 'now'>) => Promise<Schemas['Category'][]>;
  readonly districts: (ctx: Pick<Context, 'db' | 'now'>) => Promise<Schemas['Region'][]>;
}

/** The fields that a caller wants of each listed item. A list then reads only these, and may return null for others. */
export type WantedFields = readonly string[];

/** What the contract's operations share within one process. */
export interface Services {
  readonly database: Pick<Database, 'connectionsFor'>;
  readonly reference: ReferenceLists;
  readonly sanitizer: Sanitizer;
  readonly requestsPerMinute: number;
  /** The service's address for its clients, without a trailing slash; empty if not configured. */
  readonly publicUrl: string;
}

/** The context of an operation of the contract. Its actor is always a credential. */
export interface ApiContext extends Context, Services {
  readonly actor: Caller;
  /** Undefined if all fields are wanted. */
  readonly wanted?: WantedFields | undefined;
  /** Authenticates the request again, for dispatch. Throws what authenticateRequest throws. */
  readonly judgeAgain: () => Promise<Omit<ApiContext, 'about'>>;
  /** `id` is for the request log: the id of what the path names, or of what this or an earlier request with the same key created. */
  readonly about: { id?: number };
}
