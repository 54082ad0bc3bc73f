import createApi, { type Client as Api } from 'openapi-fetch';
import type { paths } from '../../generated/openapi.ts';
import type {
  Account,
  Category,
  Environment,
  Job,
  JobInput,
  JobPage,
  JobPatch,
  JobQuery,
  OperationId,
  Options,
  Region,
} from './contract.ts';
import { retryingFetch, sleep } from './retrying-fetch.ts';
import { VagaError } from './vaga-error.ts';

export interface ClientOptions {
  /** Address of the service, without `/v1`: `https://jobs.example.com`. */
  readonly baseUrl: string;
  /** A credential's secret. Its prefix names the environment: `vaga_live_` is production. */
  readonly token: string;
  /** Set it to get a 401 for a token of the other environment. */
  readonly environment?: Environment | undefined;
  /** Retries after 429, 5xx or no answer. Default 4. */
  readonly retries?: number | undefined;
  /** Timeout of one attempt. Default 30. */
  readonly timeoutSeconds?: number | undefined;
  /** Longest pause between two attempts. Default 60. If the service asks for more, the call fails at once. */
  readonly pauseSecondsMax?: number | undefined;
  /** Replaces the global fetch, for example to use a proxy or to log. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Replaces the timer in tests. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

export interface CallOptions {
  /** Aborts the call, also during a pause, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface CreateOptions extends CallOptions {
  /** Default: a new UUID. Every attempt of the call sends the same key. */
  readonly idempotencyKey?: string | undefined;
}

/** The contract's operations by operationId. Each throws a VagaError if the service refuses it or does not answer. */
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
  /** Changes only the given fields; null clears one. */
  updateJob(id: number, fields: JobPatch, call?: CallOptions): Promise<Job>;
  withdrawJob(id: number, call?: CallOptions): Promise<void>;
}

/** A client of one company in one environment. Throws a TypeError for an invalid `baseUrl`, or a token that fits in no header. */
export function createClient(options: ClientOptions): Client {
  const api = apiOf(options);
  const at = (id: number) => ({ params: { path: { id } } });
  const listJobs: Client['listJobs'] = (query = {}, call) =>
    bodyOf(api.GET('/jobs', { params: { query }, ...signalOf(call) }));
  return {
    getAccount: (call) => dataOf(api.GET('/account', signalOf(call))),
    listCategories: (call) => dataOf(api.GET('/categories', signalOf(call))),
    listRegions: (call) => dataOf(api.GET('/regions', signalOf(call))),
    listDistricts: (call) => dataOf(api.GET('/districts', signalOf(call))),
    listOptions: (call) => dataOf(api.GET('/options', signalOf(call))),
    listJobs,
    allJobs: (query = {}, call) => allJobs((page) => listJobs(page, call), query),
    createJob: (body, { idempotencyKey = crypto.randomUUID(), ...call } = {}) => {
      const params = { header: { 'Idempotency-Key': idempotencyKey } };
      return dataOf(api.POST('/jobs', { params, body, ...signalOf(call) }));
    },
    getJob: (id, call) => dataOf(api.GET('/jobs/{id}', { ...at(id), ...signalOf(call) })),
    updateJob: (id, body, call) => dataOf(api.PATCH('/jobs/{id}', { ...at(id), body, ...signalOf(call) })),
    withdrawJob: (id, call) => bodyOf(api.DELETE('/jobs/{id}', { ...at(id), ...signalOf(call) })),
  } satisfies Client & Record<OperationId, unknown>;
}

function apiOf(options: ClientOptions): Api<paths> {
  const { baseUrl, token, retries = 4, timeoutSeconds = 30, pauseSecondsMax = 60 } = options;
  if (!/^https?:$/.test(new URL(baseUrl).protocol)) throw new TypeError('baseUrl must begin with http: or https:');
  const { environment = token.startsWith('vaga_live_') ? 'production' : 'sandbox' } = options;
  return createApi<paths>({
    baseUrl: baseUrl.replace(/\/+$/, '') + (environment === 'production' ? '/v1' : '/sandbox/v1'),
    headers: new Headers({ Authorization: `Bearer ${token}`, Accept: 'application/json' }),
    fetch: retryingFetch({
      // Looked up per call: a program may replace the global later.
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      sleep: options.sleep ?? sleep,
      retries,
      timeoutSeconds,
      pauseSecondsMax,
    }),
  });
}

/** What a call of openapi-fetch resolves to; error statuses were thrown before. */
type Result<T> = Promise<{ data?: T }>;

async function bodyOf<T>(result: Result<T>): Promise<T> {
  try {
    // By the contract, every operation but withdrawJob has a response body.
    return (await result).data as T;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new VagaError('The answer is not JSON; it did not come from the service.', { status: 0, cause });
  }
}

const dataOf = async <T>(result: Result<{ data: T }>): Promise<T> => (await bodyOf(result)).data;

const signalOf = ({ signal }: CallOptions = {}) => ({ signal: signal ?? null });

/** Skips jobs that were seen before: a job created meanwhile shifts the pages, and ids only descend. */
async function* allJobs(
  listJobs: (query: JobQuery) => Promise<JobPage>,
  query: Omit<JobQuery, 'page'>,
): AsyncGenerator<Job, void, undefined> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let page = 1, last = 1; page <= last; page++) {
    const { data, meta } = await listJobs({ per_page: 100, ...query, page });
    last = meta.last_page;
    for (const job of data) {
      if (job.id >= lowest) continue;
      lowest = job.id;
      yield job;
    }
  }
}
