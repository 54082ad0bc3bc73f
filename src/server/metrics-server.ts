import { createServer } from 'node:http';
import type { CompletedRequest, Stats } from '../telemetry/metrics.ts';
import { listen } from './server.ts';

interface OpenMetrics {
  /** Undefined without a metrics listener. */
  readonly observe: ((completed: CompletedRequest) => void) | undefined;
  /** `read` is called at each scrape. */
  watch(read: () => Stats): void;
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
    watch: (read) => metrics.watch(read),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
