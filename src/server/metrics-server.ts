import { createServer } from 'node:http';
import type { Pools } from '../database/open.ts';
import type { LimitBackend } from '../rate-limit/limit-backend.ts';
import type { Answered, Sources } from '../telemetry/metrics.ts';
import { listen } from './listen.ts';

interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** The parts of the service that Prometheus is told of. */
interface Watched {
  readonly app: { figures(): Sources['app'] };
  readonly pools: Readonly<Record<keyof Pools, PoolCounts>>;
  readonly sanitizer: { figures(): Sources['sanitizer'] };
  readonly limitBackend: LimitBackend;
}

interface OpenMetrics {
  /** Undefined where nobody reads metrics. */
  readonly observe: ((answered: Answered) => void) | undefined;
  watch(watched: Watched): void;
  close(): void;
}

const none: OpenMetrics = { observe: undefined, watch: () => undefined, close: () => undefined };

/** Serves metrics on a listener of their own, so that no proxy publishes them by mistake; nothing without a `place`. */
export async function openMetrics(route: { host: string; port: number } | undefined): Promise<OpenMetrics> {
  if (!route) return none;
  const { Metrics } = await import('../telemetry/metrics.ts');
  const metrics = new Metrics();
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': metrics.contentType }).end(await metrics.text());
  });
  await listen(server, route, 'METRICS_');
  return {
    observe: (answered) => metrics.observe(answered),
    watch: (watched) => metrics.watch(() => sourcesOf(watched)),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const sourcesOf = ({ app, pools, sanitizer, limitBackend }: Watched): Sources => ({
  app: app.figures(),
  pool: {
    total: sum(pools, 'totalCount'),
    idle: sum(pools, 'idleCount'),
    waiting: sum(pools, 'waitingCount'),
  },
  sanitizer: sanitizer.figures(),
  limits: {
    isShared: limitBackend.insurance?.isActive === false,
    fallbacks: limitBackend.insurance?.fallbacks ?? 0,
  },
});

const sum = (pools: Watched['pools'], count: keyof PoolCounts): number =>
  Object.values(pools).reduce((all, pool) => all + pool[count], 0);
