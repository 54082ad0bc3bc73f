import { createServer } from 'node:http';
import type { Pools } from '../database/open.ts';
import type { LimitBackend } from '../rate-limit/limit-backend.ts';
import type { AppStats, CompletedRequest, Stats } from '../telemetry/metrics.ts';
import { listen } from './server.ts';

interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** The parts of the service that have metrics. */
interface Watched {
  readonly app: { stats(): AppStats };
  readonly pools: Readonly<Record<keyof Pools, PoolCounts>>;
  readonly sanitizer: { stats(): Stats['sanitizer'] };
  readonly limitBackend: LimitBackend;
}

interface OpenMetrics {
  /** Undefined without a metrics listener. */
  readonly observe: ((completed: CompletedRequest) => void) | undefined;
  watch(watched: Watched): void;
  close(): void;
}

const none: OpenMetrics = { observe: undefined, watch: () => undefined, close: () => undefined };

/** Serves metrics on their own listener, so that no proxy publishes them by mistake. Does nothing without an address. */
export async function openMetrics(address: { host: string; port: number } | undefined): Promise<OpenMetrics> {
  if (!address) return none;
  const { Metrics } = await import('../telemetry/metrics.ts');
  const metrics = new Metrics();
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': metrics.contentType }).end(await metrics.text());
  });
  await listen(server, address, 'METRICS_');
  return {
    observe: (completed) => metrics.observe(completed),
    watch: (watched) => metrics.watch(() => statsOf(watched)),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const statsOf = ({ app, pools, sanitizer, limitBackend }: Watched): Stats => ({
  app: app.stats(),
  pool: { total: sum(pools, 'totalCount'), idle: sum(pools, 'idleCount'), waiting: sum(pools, 'waitingCount') },
  sanitizer: sanitizer.stats(),
  limits: {
    isShared: limitBackend.insurance?.isActive === false,
    fallbacks: limitBackend.insurance?.fallbacks ?? 0,
  },
});

const sum = (pools: Watched['pools'], count: keyof PoolCounts): number =>
  Object.values(pools).reduce((total, pool) => total + pool[count], 0);
