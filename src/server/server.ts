import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type Config, ConfigError } from '../config.ts';
import { refuseConnect, refuseUnparsed } from './client-errors.ts';
import type { Connections, Receivers } from './connections.ts';
import type { TlsFiles } from './tls-files.ts';

export interface HttpApp extends Receivers {
  readonly messages: Pick<http.ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
  readonly connections: Connections;
}

/** Longer than a proxy keeps idle connections, so that the proxy closes them first. */
const keepAliveTimeout = 65_000;

/** Creates the server without listening: https with a certificate, otherwise http. */
export function makeServer({ serverTimeouts }: Config, app: HttpApp, tls?: TlsFiles): http.Server {
  const { connections } = app;
  const connectionsCheckingInterval = Math.min(5000, serverTimeouts.headersTimeout);
  // We refuse a missing Host ourselves: Node's response would lack our headers and error body.
  const settings = { keepAliveTimeout, connectionsCheckingInterval, requireHostHeader: false };
  const options = { ...serverTimeouts, ...settings, ...app.messages };
  const server = tls
    ? https.createServer({ ...options, ...tls, handshakeTimeout: serverTimeouts.headersTimeout })
    : http.createServer(options);
  if (tls) separatePlain(server, serverTimeouts.headersTimeout);
  connections.watch(server, app);
  server.on('connect', ({ socket }) => connections.fail(socket, refuseConnect(socket)));
  server.on('clientError', (error, socket) => connections.fail(socket as Socket, refuseUnparsed(error, socket)));
  return server;
}

/** The type of a TLS record that begins a handshake (RFC 8446 section 5.1). */
const tlsHandshake = 22;

/** Hands connections that do not begin with a TLS handshake to the HTTP parser, so that a plain request gets 400 `https`. */
function separatePlain(server: http.Server, timeoutMs: number): void {
  const startTls = server.listeners('connection');
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    socket.setTimeout(timeoutMs, () => socket.destroy()).on('error', () => socket.destroy());
    socket.once('readable', () => {
      const first: Buffer | null = socket.setTimeout(0).read(1);
      if (first) socket.unshift(first);
      if (first?.[0] !== tlsHandshake) server.emit('secureConnection', socket);
      else for (const start of startTls) start.call(server, socket);
    });
  });
}

/** Resolves when the server accepts connections. Throws a ConfigError that names the settings; their names begin with `prefix`. */
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

/** Stops accepting connections and waits for requests in flight. After `seconds`, closes the remaining connections. */
export async function drain(server: http.Server, connections: Connections, seconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // Repeated, because a kept-alive connection becomes idle only after its response.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => connections.destroyAll(), seconds * 1000);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}
