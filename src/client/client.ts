import createApi, { type Client as Api } from 'openapi-fetch';
import { maxima, type Operations, operationsOver } from '../../generated/client.ts';
import type { paths } from '../../generated/openapi.ts';
import type { CallOptions } from './call.ts';
import type { Environment, Job, JobPage, JobQuery } from './contract.ts';
import { type RetryOptions, retryingFetch } from './retrying-fetch.ts';
import { type OwnJob, type SyncOptions, type SyncStep, sync } from './sync.ts';

export interface ClientOptions extends RetryOptions {
  /** Address of the service, without `/v1` or `/sandbox/v1`: `https://jobs.example.com`. */
  readonly baseUrl: string;
  /** A credential's secret. Its prefix names the environment: `vaga_live_` is production. */
  readonly token: string;
  /** Set this to get a 401 for a token of the other environment. */
  readonly environment?: Environment | undefined;
}

/** The jobs changed since an instant. Loop over it once. */
export interface Changes extends AsyncIterable<Job> {
  /** The value for the next call of `changes`. Undefined until the loop has read every job. */
  readonly syncedUntil: string | undefined;
}

type ListQuery = Omit<JobQuery, 'page' | 'updated_since' | 'cursor'>;

/** The contract's operations, every job of a list, and every change of a job. */
export interface Client extends Operations {
  /**
   * Every job, newest first: `for await (const job of client.allJobs())`. Without a `status`, the loop reads page by page; with one, it
   * reads all pages before the first job.
   */
  allJobs(query?: ListQuery, call?: CallOptions): AsyncGenerator<Job, void, undefined>;
  /**
   * Every job that changed or expired since `since`, oldest change first. `since` is the last `syncedUntil`; without it, every job is listed.
   * Store each job by its id, replacing your copy, and then store `syncedUntil`. Removed jobs are not listed.
   */
  changes(since?: string, query?: ListQuery, call?: CallOptions): Changes;
  /** Makes the service's jobs match your list: creates, changes or withdraws jobs. Keeps no state between calls. See SyncOptions. */
  sync(jobs: Iterable<OwnJob>, options?: SyncOptions): Promise<SyncStep[]>;
}

/** A client for one company in one environment. Throws a TypeError for an invalid `baseUrl`, or a token that no header can carry. */
export function createClient(options: ClientOptions): Client {
  const send = retryingFetch(options);
  const operations = operationsOver(apiOf(options), (call = {}) => ({
    signal: call.signal ?? null,
    fetch: (request) => send(request, call),
  }));
  return {
    ...operations,
    allJobs: (query = {}, call) => {
      const read = query.status === undefined ? allJobs : jobsOfStatus;
      return read((page) => operations.listJobs(page, call), query);
    },
    changes: (since = always, query = {}, call) =>
      changes((page) => operations.listJobs(page, call), { ...query, updated_since: since }),
    sync: (jobs, options) => sync(operations, jobs, options),
  };
}

function apiOf(options: ClientOptions): Api<paths> {
  const { baseUrl, token } = options;
  if (!token) throw new TypeError("token is missing: it is a credential's secret, vaga_test_... or vaga_live_...");
  if (/^Bearer\s/i.test(token)) throw new TypeError('token must be without the word Bearer');
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('token must be visible ASCII characters, without line breaks');
  const { environment = token.startsWith('vaga_live_') ? 'production' : 'sandbox' } = options;
  return createApi<paths>({
    baseUrl: addressOf(baseUrl) + (environment === 'production' ? '/v1' : '/sandbox/v1'),
    headers: new Headers({ Authorization: `Bearer ${token}`, Accept: 'application/json' }),
  });
}

/** Returns `baseUrl` without trailing slashes. For an invalid `baseUrl`, throws a TypeError that does not quote it: it may contain a password. */
function addressOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) throw new TypeError('baseUrl must be a URL such as https://jobs.example.com');
  const { protocol, origin, pathname, href } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol)) throw new TypeError('baseUrl must begin with http: or https:');
  if (href !== origin + pathname) throw new TypeError('baseUrl must have no query, no fragment and no user:password@');
  const [base] = /(\/sandbox)?\/v1\/*$/.exec(pathname) ?? [];
  if (base) throw new TypeError(`baseUrl must be without ${base}: the token's prefix chooses the environment`);
  return href.replace(/(?<!\/)\/+$/, '');
}

type ListJobs = (query: JobQuery) => Promise<JobPage>;

/**
 * Yields each job once, in the list's descending order of ids. A job created meanwhile moves the others to later pages, so jobs that an
 * earlier page contained are skipped. A job that leaves the list moves the others to earlier pages, so these are read again if it got shorter.
 */
async function* allJobs(listJobs: ListJobs, query: ListQuery): AsyncGenerator<Job, void, undefined> {
  let lowest = Number.POSITIVE_INFINITY;
  let total = 0;
  for (let page = 1, last = 1; page <= last; page++) {
    const { data, meta } = await listJobs({ per_page: maxima.listJobs.per_page, ...query, page });
    last = meta.last_page;
    const pagesLost = Math.ceil((total - meta.total) / meta.per_page);
    total = meta.total;
    if (pagesLost > 0) {
      page = Math.max(0, page - pagesLost - 1);
      continue;
    }
    for (const job of data) {
      if (job.id >= lowest) continue;
      lowest = job.id;
      yield job;
    }
  }
}

/**
 * Yields each job with a status once, in descending order of ids. Such a list may lose a job and get an older one, which moves the jobs between
 * them to earlier pages without a trace. So it is read in the order of changes, in which no job moves to an earlier page.
 */
async function* jobsOfStatus(listJobs: ListJobs, query: ListQuery): AsyncGenerator<Job, void, undefined> {
  const found = new Map<number, Job>();
  for await (const job of changes(listJobs, { ...query, updated_since: always })) found.set(job.id, job);
  yield* [...found.values()].sort((one, other) => other.id - one.id);
}

const always = '1970-01-01T00:00:00Z';

function changes(listJobs: ListJobs, query: JobQuery): Changes {
  let syncedUntil: string | undefined;
  async function* read(): AsyncGenerator<Job, void, undefined> {
    let position = {};
    for (;;) {
      const { data, meta } = await listJobs({ per_page: maxima.listJobs.per_page, ...query, ...position });
      yield* data;
      if (!meta.next_cursor) {
        syncedUntil = meta.synced_until;
        return;
      }
      position = { cursor: meta.next_cursor };
    }
  }
  const jobs = read();
  return {
    [Symbol.asyncIterator]: () => jobs,
    get syncedUntil() {
      return syncedUntil;
    },
  };
}
