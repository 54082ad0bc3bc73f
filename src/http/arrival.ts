import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Environment } from '../domain/environment.ts';
import type { Arrival } from '../gate/admit.ts';

/** How the listener stands to the outside. */
export interface Listener {
  /** Bound to a loopback address: nobody but this machine reaches it. */
  readonly loopback: boolean;
  /** Whether the peer at an address is a proxy that may speak for its clients. */
  readonly trusts: (address: string) => boolean;
}

/** What Express has read of the request with the trusted proxies in mind. */
type Request = IncomingMessage & { readonly ip?: string | undefined; readonly protocol: string };

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip'];

export function arrivalOf(request: Request, environment: Environment, listener: Listener): Arrival {
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

/**
 * A trusted proxy's X-Forwarded-Proto decides; else our own TLS; else plain http from this machine itself,
 * as long as nothing says that a proxy has passed it on.
 */
function isSecure(request: Request, { loopback, trusts }: Listener): boolean {
  const forwardedProto = request.headers['x-forwarded-proto'] !== undefined;
  if (forwardedProto && trusts(request.socket.remoteAddress ?? '')) return request.protocol === 'https';
  if ((request.socket as TLSSocket).encrypted === true) return true;
  return loopback && proxyHeaders.every((name) => request.headers[name] === undefined);
}
