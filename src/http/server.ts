import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http, { type RequestListener, STATUS_CODES } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import type { Config } from '../config.ts';
import { environmentOfPath } from '../domain/environment.ts';
import { envelope } from './answer.ts';
import type { Front } from './messages.ts';

/** A kept connection outlives a proxy's, so that it is the proxy that closes it. */
const keepAliveTimeout = 65_000;

/** The listener, not yet listening: http, or https where the configuration names a certificate. */
export function makeServer({ tls, serverTimeouts, sendTimeoutMs }: Config, front: Front): http.Server {
  const { messages } = front;
  const handler = endingUnread(sendTimeoutMs, front.handler);
  const connectionsCheckingInterval = Math.min(5000, serverTimeouts.headersTimeout);
  const options = { ...messages, ...serverTimeouts, keepAliveTimeout, connectionsCheckingInterval };
  const server = tls
    ? https.createServer({ ...options, cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) }, handler)
    : http.createServer(options, handler);
  server.on('clientError', refuseUnparsable);
  return server;
}

/** Closes a connection whose client reads nothing of its answer for so long; any byte that goes out begins the time anew. */
const endingUnread =
  (sendTimeoutMs: number, handler: RequestListener): RequestListener =>
  (request, response) => {
    response.setTimeout(sendTimeoutMs, () => {
      if (request.socket.writableLength > 0) response.destroy();
    });
    handler(request, response);
  };

const parserStatus: Readonly<Record<string, [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
};

/** Bytes that the HTTP parser refuses reach no middleware; they get the envelope and the headers of every answer all the same. */
function refuseUnparsable(error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = parserStatus[error.code ?? ''] ?? [400, 'This is not an HTTP request that we understand.'];
  const body = JSON.stringify(envelope(status, message, { reason: 'malformed_request' }));
  const path = /^[A-Z]+ (\S+)/.exec(error.rawPacket?.toString('latin1', 0, 200) ?? '')?.[1] ?? '';
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `X-Request-Id: ${randomUUID()}`,
    `X-API-Environment: ${environmentOfPath(path)}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
