import type { Request, RequestHandler } from 'express';
import { checkClient } from '../auth/authenticate-request.ts';
import { environmentOfPath } from '../domain/environment.ts';
import { refusal } from '../domain/errors.ts';
import { clientInfoOf, isEncrypted } from '../server/client-info.ts';
import type { AdapterDeps } from '../server/deps.ts';
import { isForwarded } from '../server/proxy-headers.ts';
import { type Published, publish, sendPublished } from '../server/published.ts';
import { type DiscoveryDocument, siteAddress } from './discovery.ts';
import { originCheck } from './origin-check.ts';

/** Public metadata, so pages of any site may read it. */
const cors = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': 'Content-Type, If-None-Match',
  'Access-Control-Expose-Headers': 'ETag',
};

/**
 * Serves a discovery document without authentication.
 * Throws, in this order: 400 `https`, 429 `address`, 405 `method`, 403 `permission` for a foreign Host, 404 `path` if the address is unknown.
 */
export function serveDiscovery(
  { path, type, make }: DiscoveryDocument,
  { auth, listener, services }: AdapterDeps,
  serverName: string | undefined,
): RequestHandler {
  const addressOf = addressFinder(services.publicUrl, listener.isLoopback);
  const published = new Map<string, Published>();
  return async (request, response) => {
    response.set(cors);
    await checkClient(auth, clientInfoOf(request, environmentOfPath(path), listener));
    if (isPreflight(request)) {
      response.status(204).end();
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw refusal(405, 'method', 'This path does not have that method.', {}, { Allow: 'GET, HEAD' });
    const address = addressOf(request);
    if (address === undefined)
      throw refusal(404, 'path', 'The service does not know its public address; its operator must set PUBLIC_URL.');
    const found = published.get(address) ?? publish(type, JSON.stringify(make({ address, serverName })), caching);
    published.set(address, found);
    sendPublished(request, response, found);
  };
}

const caching = { 'Cache-Control': 'public, max-age=3600' };

const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/** PUBLIC_URL, or the address of a loopback listener; undefined if neither is what clients use. Never the Host header. */
function addressFinder(publicUrl: string, isLoopback: boolean): (request: Request) => string | undefined {
  if (publicUrl !== '') {
    const address = siteAddress(publicUrl);
    return () => address;
  }
  const checkHost = originCheck(publicUrl, isLoopback);
  return (request) => {
    const { localAddress, localPort } = request.socket;
    if (!isLoopback || isForwarded(request) || localAddress === undefined) return undefined;
    // Only the Host: any site may read these documents.
    checkHost({ headers: { host: request.headers.host } });
    const scheme = isEncrypted(request.socket) ? 'https' : 'http';
    return `${scheme}://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
  };
}
