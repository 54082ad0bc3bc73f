import type { RequestListener, ServerResponse } from 'node:http';
import { claimedTenant } from '../auth/authenticate-request.ts';
import type { Caller } from '../domain/actor.ts';
import { policy } from '../domain/environment.ts';
import { unavailable } from '../domain/errors.ts';
import type { InFlightLimit } from '../rate-limit/in-flight-limit.ts';
import { errorTextFor } from './error-body.ts';
import { matchesPath, type PathPattern } from './fast-routes.ts';
import { requestContextOf } from './request-context.ts';

const retryAfterSeconds = 1;
const overload = unavailable(
  'overload',
  'The service has more requests than it can answer; try again.',
  retryAfterSeconds,
);

/** The paths of the API, with the body of the 503. */
const limitedPaths = Object.values(policy)
  .flatMap(({ restBase, mcpPath }): PathPattern[] => [{ base: restBase }, { base: mcpPath, exact: true }])
  .map((path) => ({ ...path, body: errorTextFor(path.base, overload) }));

/**
 * Refuses API requests past the in-flight limit with 503. Runs before Express and sends prepared bodies, because refusing must be much
 * cheaper than answering. Not logged; the metrics count refusals.
 */
export const shedLoad =
  (limit: InFlightLimit, handler: RequestListener): RequestListener =>
  (request, response) => {
    const { url = '', headers } = request;
    const path = limitedPaths.find((pattern) => matchesPath(pattern, url));
    if (path) {
      const slot = limit.take(() => claimedTenant(headers.authorization)?.companyId);
      if (!slot) return refuse(response, path.body);
      requestContextOf(response).slot = slot;
      response.on('close', () => slot.release());
    }
    handler(request, response);
  };

function refuse(response: ServerResponse, body: string): void {
  const headers = {
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
