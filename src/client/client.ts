import type {
  Account,
  Category,
  Environment,
  Job,
  JobInput,
  JobPage,
  JobPatch,
  JobQuery,
  Options,
  Region,
} from './contract.ts';

export interface ClientOptions {
  /** Where the service stands, without `/v1`: `https://jobs.example.com`. */
  readonly baseUrl: string;
  /** A credential's secret. Its prefix tells the environment: `vaga_live_` is production. */
  readonly token: string;
  /** To be refused with 401 where the token is of the other environment. */
  readonly environment?: Environment | undefined;
  /** How often a call is sent again after 429, 5xx or no answer; 4 unless given. */
  readonly retries?: number | undefined;
  /** How long one attempt may take; 30 unless given. */
  readonly timeoutSeconds?: number | undefined;
  /** The longest pause between two attempts, 60 unless given. Where the service asks for more, the call fails at once. */
  readonly pauseSecondsMax?: number | undefined;
  /** In place of the global fetch: a proxy's, or one that writes a log. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** In place of a timer, for tests. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

export interface CallOptions {
  /** Ends the call, pauses too, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface CreateOptions extends CallOptions {
  /** Names this one create; a UUID is made where it is left out. Every attempt of the call carries the same. */
  readonly idempotencyKey?: string | undefined;
}

/** The operations of the contract under their operationId. Each throws a VagaError when it is refused. */
export interface Client {
  getAccount(call?: CallOptions): Promise<Account>;
  listCategories(call?: CallOptions): Promise<Category[]>;
  listRegions(call?: CallOptions): Promise<Region[]>;
  listDistricts(call?: CallOptions): Promise<Region[]>;
  listOptions(call?: CallOptions): Promise<Options>;
  /** One page with its `meta`. */
  listJobs(query?: JobQuery, call?: CallOptions): Promise<JobPage>;
  /** Every job, newest first, page by page: `for await (const job of client.allJobs({ status: 'active' }))`. */
  allJobs(query?: Omit<JobQuery, 'page'>, call?: CallOptions): AsyncGenerator<Job, void, undefined>;
  createJob(job: JobInput, call?: CreateOptions): Promise<Job>;
  getJob(id: number, call?: CallOptions): Promise<Job>;
  /** Changes the fields that are there; null clears one. */
  updateJob(id: number, fields: JobPatch, call?: CallOptions): Promise<Job>;
  withdrawJob(id: number, call?: CallOptions): Promise<void>;
}
