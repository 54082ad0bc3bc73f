import { createServer } from 'node:http';
import type { CompletedRequest, Stats } from '../telemetry/metrics.ts';
import { listen } from './server.ts';

/** Serves metrics on a listener of their own, so that no proxy publishes them by mistake. Each scrape calls the functions given to `watch`. */
export async function openMetrics(address: { readonly host: string; readonly port: number }) {
  const { Metrics } = await import('../telemetry/metrics.ts');
  const metrics = new Metrics();
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end();
    const text = await metrics.text().catch(() => undefined);
    if (text === undefined) return response.writeHead(500).end('A figure cannot be read.\n');
    return response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text);
  });
  await listen(server, address, 'METRICS_');
  return {
    observe: (completed: CompletedRequest): void => metrics.observe(completed),
    watch: (read: () => Stats): void => metrics.watch(read),
    close: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}
