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

/** Returns the value of every header of that name. Node's `headers` keeps only the first. */
const headersNamed = (name: string, { rawHeaders }: IncomingMessage): string[] =>
  rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip'];

/** Whether a header shows that a proxy forwarded the request. */
export const isForwarded = ({ headers }: IncomingMessage): boolean =>
  proxyHeaders.some((name) => headers[name] !== undefined);

/** Whether a request came over https, or directly (without a proxy) over plain http to a loopback listener without TLS. */
const isSecure = (request: Request, { isLoopback, hasTls, trusts }: Listener): boolean =>
  isHttps(request, trusts) || (isLoopback && !hasTls && !isForwarded(request));

/** Whether the client uses https: what a trusted proxy says in X-Forwarded-Proto, otherwise whether our own connection uses TLS. */
export function isHttps({ headers, socket }: IncomingMessage, trusts: Trusts): boolean {
  const forwarded = headers['x-forwarded-proto'];
  if (forwarded !== undefined && trusts(socket.remoteAddress ?? '')) return forwarded === 'https';
  return isEncrypted(socket);
}

export const isEncrypted = (socket: Duplex): boolean => (socket as Partial<TLSSocket>).encrypted === true;

/** The refusal of a request before it reaches Express: by the HTTP parser, or because of the request's head. */
export interface ClientError {
  readonly status: number;
  readonly message: string;
}

const otherVersion: ClientError = { status: 505, message: 'Only HTTP/1.0 and HTTP/1.1 are supported.' };
const missingHost: ClientError = { status: 400, message: 'An HTTP/1.1 request must have one Host header.' };
const otherCoding: ClientError = { status: 400, message: 'The only supported Transfer-Encoding is chunked.' };
const unknownTarget: ClientError = { status: 400, message: 'The request target is not an http or https URL.' };

/**
 * Rewrites a request so that later layers see one form: the target in origin form, X-Forwarded-For as bare addresses, X-Forwarded-Proto as
 * one value. Returns an error for another version of HTTP, zero or several Host headers (RFC 9112 section 3.2), an invalid target, and a
 * transfer coding that nothing here decodes (section 6.1).
 */
export function normalizeRequest(request: IncomingMessage, trusts: Trusts): ClientError | undefined {
  const { headers } = request;
  const hosts = headersNamed('host', request).length;
  const hasHost = hosts === 1 || (hosts === 0 && request.httpVersion !== '1.1');
  const hasTarget = request.url?.startsWith('/') || toOriginForm(request);
  if (headers['x-forwarded-for'] !== undefined || headers['x-forwarded-proto'] !== undefined)
    normalizeForwarded(request, trusts);
  if (request.httpVersion !== '1.0' && request.httpVersion !== '1.1') return otherVersion;
  if (!hasTarget) return unknownTarget;
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') return otherCoding;
  return hasHost ? undefined : missingHost;
}

const absoluteForm = /^https?:\/\/([^/?#@\\]+)(.*)$/is;

/** RFC 9112 section 3.2.2: the authority of an absolute-form target replaces Host. Returns false for an invalid target. */
function toOriginForm(request: IncomingMessage): boolean {
  if (request.url === '*') return true;
  const [, authority, rest = ''] = absoluteForm.exec(request.url ?? '') ?? [];
  if (authority === undefined || !URL.canParse(`http://${authority}`)) return false;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = authority;
  return true;
}

/** Normalizes the X-Forwarded headers of a trusted proxy. Leaves other peers' headers as they are, because they are never used. */
function normalizeForwarded({ headers, socket }: IncomingMessage, trusts: Trusts): void {
  if (!trusts(socket.remoteAddress ?? '')) return;
  const addresses = valuesOf(headers['x-forwarded-for']).map(withoutPort).filter(Boolean);
  if (addresses.length > 0) headers['x-forwarded-for'] = addresses.join(', ');
  const protocols = valuesOf(headers['x-forwarded-proto']);
  if (protocols.length > 0) headers['x-forwarded-proto'] = protocolAt(trustedHops(addresses, trusts), protocols);
}

const valuesOf = (header: string | string[] | undefined): string[] =>
  header === undefined
    ? []
    : String(header)
        .split(',')
        .map((value) => value.trim());

/** Matches `203.0.113.7:5678`, `[2001:db8::1]` and `[2001:db8::1]:443`. */
const withPort = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i;

function withoutPort(value: string): string {
  const [, v4, v6] = withPort.exec(value) ?? [];
  return v4 ?? v6 ?? value;
}

/** Counts the trusted proxies: our peer, and the forwarded addresses from the right up to the first untrusted one. */
function trustedHops(addresses: readonly string[], trusts: Trusts): number {
  const client = addresses.findLastIndex((address) => !trusts(address));
  return addresses.length - client;
}

/** Each proxy appends its value, so values further to the left may come from the client. */
const protocolAt = (hops: number, protocols: readonly string[]): string =>
  (protocols.at(-hops) ?? protocols[0] ?? '').toLowerCase() || 'http';
