import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Config, ConfigError } from '../config.ts';
import { handleClientError, refuseConnect } from './client-errors.ts';
import type { MessageClasses } from './express-app.ts';
import type { TlsFiles } from './tls-files.ts';

export interface HttpApp {
  readonly handler: RequestListener;
  /** Handles requests with an Expect header other than 100-continue. */
  readonly expectationHandler: RequestListener;
  readonly messageClasses: MessageClasses;
}

/** Longer than a proxy's, so that the proxy closes idle connections. */
const keepAliveTimeout = 65_000;

/** Creates the server, not yet listening: https if there is a certificate, else http. */
export function makeServer({ serverTimeouts, sendTimeoutMs }: Config, app: HttpApp, tls?: TlsFiles): http.Server {
  const handler = withSendTimeout(sendTimeoutMs, app.handler);
  const connectionsCheckingInterval = Math.min(5000, serverTimeouts.headersTimeout);
  // We refuse a missing Host ourselves: Node's response would lack the headers and the body.
  const settings = { keepAliveTimeout, connectionsCheckingInterval, requireHostHeader: false };
  const options = { ...app.messageClasses, ...serverTimeouts, ...settings };
  const server = tls ? https.createServer({ ...options, ...tls }, handler) : http.createServer(options, handler);
  server.on('checkExpectation', app.expectationHandler);
  server.on('connect', refuseConnect);
  server.on('clientError', handleClientError);
  return server;
}

/** Closes a connection whose client reads nothing for that long; any byte sent restarts the time. */
const withSendTimeout =
  (sendTimeoutMs: number, handler: RequestListener): RequestListener =>
  (request, response) => {
    response.setTimeout(sendTimeoutMs, () => {
      if (request.socket.writableLength > 0) response.destroy();
    });
    handler(request, response);
  };

/** Resolves when the server accepts connections. Throws a ConfigError that names the settings, which begin with `prefix`. */
export function listen(
  server: http.Server,
  { host, port }: { host: string; port: number },
  prefix = '',
): Promise<void> {
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

export function addressOf(server: http.Server, { host, tls }: Config): string {
  const { port } = server.address() as AddressInfo;
  return `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Stops accepting connections and waits for requests in flight; closes what is left after `seconds`. */
export async function drain(server: http.Server, seconds: number): Promise<void> {
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
