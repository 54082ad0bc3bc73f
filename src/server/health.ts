import type { RequestHandler, Response } from 'express';
import { type ApiError, methodNotAllowed, unavailable } from '../domain/errors.ts';
import { release } from '../release.ts';
import type { Readiness } from '../telemetry/readiness.ts';
import { errorEnvelope } from './error-body.ts';
import { requestContextOf } from './request-context.ts';

/** Answers 200 with the release, as long as the process runs. */
const healthz: RequestHandler = (_request, response) => {
  response.json({ status: 'ok', ...release });
};

const refusals = {
  retiring: unavailable('draining', 'This process is about to stop.', 1),
  database: unavailable('database', 'The database does not answer.', 1),
  'writable database': unavailable('database', 'The database is read-only.', 1),
};

/** Answers 200 if requests can be answered, otherwise 503. Both responses name the unavailable parts. */
const readyz =
  (readiness: Readiness): RequestHandler =>
  async (_request, response) => {
    const { missing, blocked } = await readiness.state();
    if (blocked) refuse(response, refusals[blocked], { status: 'not ready', missing: blocked });
    else response.json({ status: 'ready', ...(missing.length > 0 && { missing: missing.join(', ') }) });
  };

function refuse(response: Response, error: ApiError, extra: object = {}): void {
  response
    .status(error.status)
    .set(error.headers)
    .json({ ...extra, ...errorEnvelope(error) });
}

export const healthPaths = ['/healthz', '/readyz'];

/** Answers GET and HEAD of /healthz and /readyz, even over plain http, without any rate limit. */
export function healthChecks(readiness: Readiness): RequestHandler {
  const handlers = new Map([
    ['/healthz', healthz],
    ['/readyz', readyz(readiness)],
  ]);
  return (request, response, next) => {
    const handler = handlers.get(request.path);
    if (!handler) return next();
    requestContextOf(response).isHealthCheck = true;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    return isRead ? handler(request, response, next) : refuse(response, methodNotAllowed('GET, HEAD'));
  };
}
