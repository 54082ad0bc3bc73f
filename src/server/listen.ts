import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Config, ConfigError } from '../config.ts';

/** Resolves when the server accepts connections. Throws a ConfigError that names the settings, which begin with `prefix`. */
export function listen(server: Server, { host, port }: { host: string; port: number }, prefix = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new ConfigError(
          `cannot listen on ${prefix}HOST ${host}, ${prefix}PORT ${port}: ${error.code ?? error.message}`,
        ),
      );
    });
    server.listen(port, host, resolve);
  });
}

export function addressOf(server: Server, { host, tls }: Config): string {
  const { port } = server.address() as AddressInfo;
  return `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Stops accepting connections and waits for requests in flight; closes what is left after `seconds`. */
export async function drain(server: Server, seconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A kept-alive connection becomes idle only after its response.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), seconds * 1000);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}
