import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { JsonText } from '../contract/types.ts';
import { isDiskFull, isUnavailable } from '../database/database-errors.ts';
import { ApiError, refusal, unavailable } from '../domain/errors.ts';
import { type Log, logLasting } from '../log.ts';
import { diskFull } from '../telemetry/readiness.ts';
import { errorEnvelope } from './error-body.ts';
import { requestContextOf } from './request-context.ts';

/**
 * Turns any error into a refusal. An ApiError stays as it is. An unavailable database becomes 503; only the beginning and the end of that
 * condition are logged. Any other error is logged and becomes 500 with a fixed text.
 */
export function toRefusal(error: unknown, log: Log, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  if (isUnavailable(error)) {
    logLasting(log, isDiskFull(error) ? diskFull : 'the database cannot answer', { requestId, error });
    return unavailable('database', 'The service is temporarily unavailable; try again.', 2);
  }
  log.error({ requestId, error }, 'unforeseen failure');
  return refusal(500, 'internal', 'Something went wrong on our side; the X-Request-Id helps us to find it.');
}

type Headers = Readonly<Record<string, string>>;

const json = 'application/json; charset=utf-8';

/** A response to send. Without `text`, it has no body. */
export interface Answer {
  readonly status: number;
  readonly headers?: Headers;
  readonly text?: JsonText | undefined;
}

export async function sendText(response: Response, { status, headers = {}, text }: Answer): Promise<void> {
  response.status(status).set(headers);
  // Stops proxies from compressing: they would change the ETag, and If-Match would not match it (RFC 9111 section 5.2.2.6).
  if (response.hasHeader('ETag')) response.set('Cache-Control', `${response.get('Cache-Control')}, no-transform`);
  if (text === undefined) response.end();
  else if (typeof text === 'string') response.setHeader('Content-Type', json).end(text);
  else await sendPieces(response.setHeader('Content-Type', json), text);
}

/** Streams text piece by piece, as fast as the client reads. Other requests run in between. */
export async function sendPieces(response: Response, pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
  await pipeline(fairly(pieces), response).catch((error: NodeJS.ErrnoException) => {
    // The client disconnected.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

async function* fairly(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    yield piece;
    await setImmediate();
  }
}

export const notFound: RequestHandler = () => {
  throw refusal(404, 'path', 'There is nothing at this path.');
};

/** The last handler: sends a thrown error in the error envelope. */
export const errorHandler =
  (log: Log): ErrorRequestHandler =>
  // Express recognizes an error handler by its four parameters.
  (error: unknown, _request, response, _next) => {
    const context = requestContextOf(response);
    const refused = toRefusal(error, log, context.requestId);
    context.refused = refused;
    const { status, headers } = refused;
    if (!response.headersSent)
      void sendText(response, { status, headers, text: JSON.stringify(errorEnvelope(refused)) });
    else if (!response.writableEnded) response.destroy();
  };
