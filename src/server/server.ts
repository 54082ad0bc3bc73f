import http, { type RequestListener, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import type { Config } from '../config.ts';
import { environmentOfPath } from '../domain/environment.ts';
import { isEncrypted } from './client-info.ts';
import { type EarlyRefusal, type RefusalText, refuseSocket } from './early-refusal.ts';
import type { Front } from './messages.ts';
import { standingHeaders, targetOf } from './standing-headers.ts';
import type { TlsFiles } from './tls-files.ts';

/** A kept connection outlives a proxy's, so that it is the proxy that closes it. */
const keepAliveTimeout = 65_000;

/** The listener, not yet listening: https where there is a certificate, else http. */
export function makeServer({ serverTimeouts, sendTimeoutMs }: Config, front: Front, tls?: TlsFiles): http.Server {
  const { messages, unexpected, refusalText } = front;
  const handler = endingUnread(sendTimeoutMs, front.handler);
  const connectionsCheckingInterval = Math.min(5000, serverTimeouts.headersTimeout);
  // A missing Host is refused by our own layer: Node's answer would be bare.
  const own = { keepAliveTimeout, connectionsCheckingInterval, requireHostHeader: false };
  const options = { ...messages, ...serverTimeouts, ...own };
  const server = tls ? https.createServer({ ...options, ...tls }, handler) : http.createServer(options, handler);
  server.on('checkExpectation', unexpected);
  server.on('connect', (_request, socket) => refuse(socket, '', tunnel, refusalText));
  server.on('clientError', (error, socket) => refuseUnparsable(error, socket, front));
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

const tunnel: EarlyRefusal = { status: 400, message: 'This is no proxy: CONNECT leads nowhere.' };
const unparsable: EarlyRefusal = { status: 400, message: 'This is not an HTTP request that we understand.' };
const byCode: Readonly<Record<string, EarlyRefusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
};

/** Bytes that the HTTP parser refuses reach no handler; they get the envelope and the headers of every answer all the same. */
function refuseUnparsable(error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex, front: Front): void {
  const { code = '', rawPacket } = error;
  const pending = answerUnderWay(socket);
  const isOfParser = code.startsWith('HPE_') || Object.hasOwn(byCode, code);
  // What failed below HTTP (a TLS handshake among it), or has an answer on its way, can be told nothing more.
  if (!isOfParser || !socket.writable || pending?.headersSent) {
    socket.destroy();
    return;
  }
  const target = pending ? targetOf(pending.req) : targetIn(rawPacket?.toString('latin1') ?? '');
  const headers = pending && front.headersOf(pending.req);
  refuse(socket, target, byCode[code] ?? unparsable, front.refusalText, headers);
}

/** Node itself looks here before it answers what it cannot parse (lib/_http_server.js); there is no public name for it. */
const answerUnderWay = (socket: Duplex): ServerResponse | undefined =>
  (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;

/** The path of a request line, also of one in absolute form; none where the line came in a packet before this one. */
const targetIn = (head: string): string => /^\S+ (?:https?:\/\/[^/?#\s]*)?(\S*)/i.exec(head)?.[1] ?? '';

function refuse(
  socket: Duplex,
  target: string,
  refusal: EarlyRefusal,
  refusalText: RefusalText,
  headers = standingHeaders(environmentOfPath(target), isEncrypted(socket)),
): void {
  refuseSocket(socket, headers, refusal.status, refusalText(target, refusal));
}
