import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { isUnavailable } from '../database/errors.ts';
import type { CachedJson } from '../domain/cached-json.ts';
import { ApiError, type ErrorDetails, refusal, unavailable } from '../domain/errors.ts';
import type { Log } from '../log.ts';

/** The error envelope of section 2.8. */
export const envelope = (status: number, message: string, details: ErrorDetails) => ({
  error: { status, message, details },
});

/** Every failure as a refusal: ours as it is, a database that cannot answer as 503, all else as a logged 500 with a fixed text. */
export function toRefusal(error: unknown, log: Log, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  if (isUnavailable(error)) {
    log.warn({ requestId, error }, 'the database cannot answer');
    return unavailable('database', 'The service is temporarily unavailable; try again.', 2);
  }
  log.error({ requestId, error }, 'unforeseen failure');
  return refusal(500, 'internal', 'Something went wrong on our side; the X-Request-Id helps us to find it.');
}

/** Resolves when the answer has gone, or the connection with it. */
export const closed = (response: Response): Promise<void> =>
  new Promise((resolve) => {
    if (response.closed) resolve();
    else response.once('close', resolve);
  });

type Headers = Readonly<Record<string, string>>;

const json = 'application/json; charset=utf-8';

/** Sends JSON, or no body where there is none. */
export function send(response: Response, status: number, headers: Headers, body: unknown): void {
  if (body === undefined) response.status(status).set(headers).end();
  else sendText(response, status, headers, JSON.stringify(body));
}

/** Sends JSON that is a text already. */
export function sendText(response: Response, status: number, headers: Headers, text: string): void {
  response.status(status).set(headers).setHeader('Content-Type', json).end(text);
}

/** Sends JSON as it is made: a piece when the client has taken the one before, and other requests in between. */
export async function sendPieces(
  response: Response,
  status: number,
  headers: Headers,
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  response.status(status).set(headers).setHeader('Content-Type', json);
  await pipeline(fairly(pieces), response).catch((error: NodeJS.ErrnoException) => {
    // The client went away.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

async function* fairly(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    yield piece;
    await setImmediate();
  }
}

/** Sends a body that is ready, or 304 where the client has it already (RFC 9110 section 13.1.2). For its caller alone to keep. */
export function sendCachedJson(request: Request, response: Response, { text, etag }: CachedJson<unknown>): void {
  response.set({ 'Cache-Control': 'private, no-cache', ETag: etag });
  if (request.fresh) send(response, 304, {}, undefined);
  else sendText(response, 200, {}, text);
}

export function sendRefusal(response: Response, refused: ApiError): void {
  send(response, refused.status, refused.headers, envelope(refused.status, refused.message, refused.details));
}
