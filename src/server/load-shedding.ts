import type { RequestListener, ServerResponse } from 'node:http';
import { claimedTenant } from '../auth/authenticate-request.ts';
import type { Caller } from '../domain/actor.ts';
import { environmentOfPath, policy } from '../domain/environment.ts';
import { unavailable } from '../domain/errors.ts';
import { eraOfHeader } from '../domain/mcp-era.ts';
import type { InFlightLimit } from '../rate-limit/in-flight-limit.ts';
import { errorTextFor } from './error-body.ts';
import { matchesPath, type PathPattern } from './fast-routes.ts';
import type { ReceivedListener } from './receive-requests.ts';
import { requestContextOf, standardHeaders, startRequestContext } from './request-context.ts';

const retryAfterSeconds = 1;
const overload = unavailable(
  'overload',
  'The service has more requests than it can answer; try again.',
  retryAfterSeconds,
);

/** The paths of the API, with the bodies of the 503. */
const limitedPaths = Object.values(policy)
  .flatMap(({ restBase, mcpPath }): PathPattern[] => [{ base: restBase }, { base: mcpPath, exact: true }])
  .map((path) => ({
    ...path,
    bodies: { legacy: errorTextFor(path.base, overload), modern: errorTextFor(path.base, overload, 'modern') },
  }));

/**
 * Refuses API requests past the in-flight limit with 503. Runs before Express and sends prepared bodies, because refusing must be much
 * cheaper than answering. Not logged; the metrics count refusals.
 */
export const shedLoad =
  (limit: InFlightLimit, handler: RequestListener): ReceivedListener =>
  (request, response, https) => {
    const { url = '', headers } = request;
    const path = limitedPaths.find((pattern) => matchesPath(pattern, url));
    const slot = path && limit.take(() => claimedTenant(headers.authorization)?.companyId);
    if (path && !slot)
      return refuse(response, standardHeaders(environmentOfPath(url), https), path.bodies[eraOfHeader(headers)]);
    const context = startRequestContext(request, response, https);
    if (slot) {
      context.slot = slot;
      response.on('close', () => slot.release());
    }
    handler(request, response);
  };

/** In one writeHead, before any header is set: Node writes such headers as they are. */
function refuse(response: ServerResponse, standard: Record<string, string>, body: string): void {
  const headers = {
    ...standard,
    'Retry-After': retryAfterSeconds,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  };
  response.writeHead(503, headers).end(body);
}

/** Counts the request's slot towards its company's share. Throws 503 `overload` if the share is used up. */
export function assignSlot(response: ServerResponse, { tenant }: Caller): void {
  if (requestContextOf(response).slot?.assign(tenant.companyId) !== false) return;
  throw unavailable(
    'overload',
    'This company has too many requests being answered at once; try again.',
    retryAfterSeconds,
  );
}
