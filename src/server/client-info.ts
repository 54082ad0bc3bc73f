import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { ClientInfo } from '../auth/authenticate-request.ts';
import type { Environment } from '../domain/environment.ts';

/** Whether the peer at an address is a trusted proxy. */
export type Trusts = (address: string) => boolean;

export interface Listener {
  /** Bound to a loopback address: only this machine can connect. */
  readonly isLoopback: boolean;
  readonly hasTls: boolean;
  readonly trusts: Trusts;
}

/** `ip` is Express': the address as seen through trusted proxies. */
type Request = IncomingMessage & { readonly ip?: string | undefined };

export function clientInfoOf(request: Request, environment: Environment, listener: Listener): ClientInfo {
  return {
    environment,
    isSecure: isSecure(request, listener),
    address: request.ip ?? request.socket.remoteAddress ?? 'unknown',
    authorization: headersNamed('authorization', request),
  };
}

/** Every header of that name; `headers` has only the first. */
export const headersNamed = (name: string, { rawHeaders }: IncomingMessage): string[] =>
  rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip'];

/** Whether the request has a sign of a proxy. */
export const isForwarded = ({ headers }: IncomingMessage): boolean =>
  proxyHeaders.some((name) => headers[name] !== undefined);

/** Over https, or over plain http on a loopback listener without TLS and without a sign of a proxy. */
const isSecure = (request: Request, { isLoopback, hasTls, trusts }: Listener): boolean =>
  isHttps(request, trusts) || (isLoopback && !hasTls && !isForwarded(request));

/** Whether the client uses https: X-Forwarded-Proto of a trusted proxy decides, else our own TLS. */
export function isHttps({ headers, socket }: IncomingMessage, trusts: Trusts): boolean {
  const forwarded = headers['x-forwarded-proto'];
  if (forwarded !== undefined && trusts(socket.remoteAddress ?? '')) return forwarded === 'https';
  return isEncrypted(socket);
}

export const isEncrypted = (socket: Duplex): boolean => (socket as Partial<TLSSocket>).encrypted === true;
