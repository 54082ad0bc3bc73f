import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Outcome } from '../domain/request-lifetime.ts';
import { type ClientError, refuseRequest } from './client-errors.ts';
import { headersNamed, isHttps, type Trusts } from './client-info.ts';
import type { Turn } from './connections.ts';
import { type RequestContext, startRequestContext } from './request-context.ts';

interface Receiving {
  readonly trusts: Trusts;
  readonly logRequest: (request: IncomingMessage, context: RequestContext, outcome: Outcome) => void;
}

/** The outermost layer: normalizes a request, starts its context and sees to its log line. */
export function receiveRequest(
  { trusts, logRequest }: Receiving,
  handler: RequestListener,
  request: IncomingMessage,
  response: ServerResponse,
): Turn {
  const error = normalizeRequest(request, trusts);
  const context = startRequestContext(request, response, isHttps(request, trusts));
  const { lifetime } = context;
  lifetime.onEnd((outcome) => logRequest(request, context, outcome));
  const run = () => (error ? refuseRequest(request, response, error) : handler(request, response));
  return { request, response, lifetime, run };
}

const missingHost: ClientError = { status: 400, message: 'An HTTP/1.1 request must have one Host header.' };
const unknownTarget: ClientError = { status: 400, message: 'The request target is not an http or https URL.' };

/**
 * Rewrites a request so that later layers see one form: the target in origin form, X-Forwarded-For as bare addresses and
 * X-Forwarded-Proto as one value. Returns an error if there is not one Host (RFC 9112 section 3.2) or the target is invalid.
 */
function normalizeRequest(request: IncomingMessage, trusts: Trusts): ClientError | undefined {
  const { headers } = request;
  const hosts = headersNamed('host', request).length;
  const hasHost = hosts === 1 || (hosts === 0 && request.httpVersion !== '1.1');
  const hasTarget = request.url?.startsWith('/') || toOriginForm(request);
  if (headers['x-forwarded-for'] !== undefined || headers['x-forwarded-proto'] !== undefined)
    normalizeForwarded(request, trusts);
  if (!hasTarget) return unknownTarget;
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

/** Normalizes the headers of a trusted proxy. Those of other peers stay as they are and are never used. */
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

/** `203.0.113.7:5678`, `[2001:db8::1]` and `[2001:db8::1]:443`. */
const withPort = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i;

function withoutPort(value: string): string {
  const [, v4, v6] = withPort.exec(value) ?? [];
  return v4 ?? v6 ?? value;
}

/** Counts our peer and the trusted addresses before it, up to the first that is not trusted. */
function trustedHops(addresses: readonly string[], trusts: Trusts): number {
  const client = addresses.findLastIndex((address) => !trusts(address));
  return addresses.length - client;
}

/** Each proxy appends its value. What is further to the left may come from the client. */
const protocolAt = (hops: number, protocols: readonly string[]): string =>
  (protocols.at(-hops) ?? protocols[0] ?? '').toLowerCase() || 'http';
