import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { ClientInfo } from '../auth/admit.ts';
import type { Environment } from '../domain/environment.ts';

/** How the listener stands to the outside. */
export interface Listener {
  /** Bound to a loopback address: nobody but this machine reaches it. */
  readonly loopback: boolean;
  /** Whether the peer at an address is a proxy that may speak for its clients. */
  readonly trusts: (address: string) => boolean;
}

/** With the address that Express has found with the trusted proxies in mind. */
type Request = IncomingMessage & { readonly ip?: string | undefined };

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip'];

export function clientInfoOf(request: Request, environment: Environment, listener: Listener): ClientInfo {
  return {
    environment,
    secure: isSecure(request, listener),
    address: request.ip ?? request.socket.remoteAddress ?? 'unknown',
    authorization: headersNamed('authorization', request),
  };
}

/** Every header of that name; Node's own `headers` would hide all but the first. */
const headersNamed = (name: string, { rawHeaders }: IncomingMessage): string[] =>
  rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);

/** By https, or by plain http from this machine itself, as long as nothing says that a proxy has passed it on. */
const isSecure = (request: Request, listener: Listener): boolean =>
  isHttps(request, listener) ||
  (listener.loopback && proxyHeaders.every((name) => request.headers[name] === undefined));

/** Whether the client speaks https: a trusted proxy's X-Forwarded-Proto decides, else our own TLS. */
export function isHttps({ headers, socket }: IncomingMessage, { trusts }: Pick<Listener, 'trusts'>): boolean {
  const forwarded = headers['x-forwarded-proto'];
  if (forwarded !== undefined && trusts(socket.remoteAddress ?? '')) return forwarded === 'https';
  return isEncrypted(socket);
}

export const isEncrypted = (socket: Duplex): boolean => (socket as Partial<TLSSocket>).encrypted === true;
