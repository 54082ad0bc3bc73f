import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { release } from '../release.ts';
import type { DatabaseFigures } from './database-figures-sql.ts';

/** A request that was answered or aborted. */
export interface CompletedRequest {
  readonly operation: string | undefined;
  readonly protocol: string | undefined;
  readonly environment: string;
  readonly status: number | 'aborted';
  readonly seconds: number;
}

export interface AppStats {
  readonly inFlight: number;
  readonly overloadRefusals: number;
  readonly connectionsRefused: number;
  readonly requestLogDropped: number;
}

/** Current values, read at each scrape. */
export interface Stats {
  readonly app: AppStats;
  readonly pools: readonly { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number }[];
  readonly sanitizer: { readonly running: number; readonly waiting: number; readonly ended: number };
  /** When the service's own certificate expires. */
  readonly certificateEndsAt?: Date | undefined;
  /** The age of BACKUP_FILE. Infinite if the file is missing or of the future, undefined without the setting. */
  readonly backupAgeSeconds?: number | undefined;
  readonly database: () => Promise<DatabaseFigures>;
}

const sum = (pools: Stats['pools'], count: keyof Stats['pools'][number]): number =>
  pools.reduce((total, pool) => total + pool[count], 0);

type Metric = readonly [name: string, help: string, read: (stats: Stats) => number | Promise<number>];

/** A metric whose name ends in `_total` becomes a counter, any other a gauge. */
const metrics: readonly Metric[] = [
  [
    'vaga_requests_in_flight',
    'Places taken by requests of the API and by pages of companies',
    ({ app }) => app.inFlight,
  ],
  ['vaga_pool_connections', 'Connections to the database', ({ pools }) => sum(pools, 'totalCount')],
  ['vaga_pool_idle', 'Idle connections to the database', ({ pools }) => sum(pools, 'idleCount')],
  ['vaga_pool_waiting', 'Requests waiting for a connection', ({ pools }) => sum(pools, 'waitingCount')],
  ['vaga_sanitizer_running', 'Bodies being sanitized', ({ sanitizer }) => sanitizer.running],
  ['vaga_sanitizer_waiting', 'Bodies waiting for a worker', ({ sanitizer }) => sanitizer.waiting],
  ['vaga_overload_refusals_total', 'Requests and forms refused with 503 overload', ({ app }) => app.overloadRefusals],
  [
    'vaga_connections_refused_total',
    'Connections closed because too many were open',
    ({ app }) => app.connectionsRefused,
  ],
  ['vaga_request_log_dropped_total', 'Entries of the request log that were lost', ({ app }) => app.requestLogDropped],
  ['vaga_sanitizer_ended_total', 'Workers terminated because of a body', ({ sanitizer }) => sanitizer.ended],
  [
    'vaga_certificate_end_time_seconds',
    "When the service's own certificate expires, since the epoch; not a number without one",
    ({ certificateEndsAt }) => (certificateEndsAt?.getTime() ?? Number.NaN) / 1000,
  ],
  [
    'vaga_backup_age_seconds',
    'Age of BACKUP_FILE; infinite if the file is missing, not a number without the setting',
    ({ backupAgeSeconds = Number.NaN }) => backupAgeSeconds,
  ],
  [
    'vaga_database_bytes',
    'Size of the database that DATABASE_URL names',
    async ({ database }) => (await database()).bytes,
  ],
  [
    'vaga_reviews_waiting',
    'Pending production jobs, counted up to a thousand',
    async ({ database }) => (await database()).reviewsWaiting,
  ],
];

const secondsBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Prometheus metrics of one process, including Node's (event loop lag, memory). Labels have a bounded set of values. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'operation' | 'protocol' | 'environment' | 'status'>;
  readonly contentType = this.#registry.contentType;

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    new Gauge({
      name: 'vaga_build_info',
      help: 'The release that runs',
      labelNames: ['version', 'commit'],
      registers: [this.#registry],
    }).set({ ...release }, 1);
    this.#requests = new Histogram({
      name: 'vaga_request_duration_seconds',
      help: 'Answered requests by operation, protocol, environment and status',
      labelNames: ['operation', 'protocol', 'environment', 'status'],
      buckets: secondsBuckets,
      registers: [this.#registry],
    });
  }

  /** Call after each response. */
  observe({ operation = 'none', protocol = 'none', environment, status, seconds }: CompletedRequest): void {
    this.#requests.observe({ operation, protocol, environment, status: String(status) }, seconds);
  }

  /** Registers the metrics of the current values, which `read` returns at each scrape. */
  watch(read: () => Stats): void {
    for (const [name, help, value] of metrics) {
      // The value is kept elsewhere, and a Counter has no set(): reset it and add the value.
      const collect = async (): Promise<void> => {
        const current = await value(read());
        metric.reset();
        metric.inc(current);
      };
      const Kind = name.endsWith('_total') ? Counter : Gauge;
      const metric: Counter | Gauge = new Kind({ name, help, registers: [this.#registry], collect });
    }
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
