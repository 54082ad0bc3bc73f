import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { environmentOfPath } from '../domain/environment.ts';
import { type ClientError, isEncrypted } from './client-info.ts';
import { endAndDrain, type Turn } from './connections.ts';
import { unreadRefusal } from './error-body.ts';
import { requestContextOf, standardHeaders } from './request-context.ts';

const reason = 'malformed_request';

/** The body of a refusal in the format of the path `target`, and its headers. */
function answerTo(target: string, error: ClientError) {
  const [type, body] = unreadRefusal(target, { ...error, details: { reason } });
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  return { body, headers };
}

export function refuseRequest(request: IncomingMessage, response: ServerResponse, error: ClientError): void {
  const { body, headers } = answerTo(targetOf(request), error);
  requestContextOf(response).refused = { code: reason };
  response.writeHead(error.status, headers).end(body);
}

/** Prefers `originalUrl`, because Express' routers shorten `url`. */
const targetOf = ({ originalUrl, url = '' }: IncomingMessage & { readonly originalUrl?: string }): string =>
  originalUrl ?? url;

export const unsupportedExpectation: ClientError = {
  status: 417,
  message: 'The only supported Expect value is 100-continue.',
};
const connect: ClientError = { status: 400, message: 'CONNECT is not supported.' };
const unparsable: ClientError = { status: 400, message: 'This is not an HTTP request that we understand.' };
const byCode: Readonly<Record<string, ClientError>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
};

export const refuseConnect = (socket: Duplex) => (): void => refuseSocket(socket, '', connect);

type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** Refuses what the HTTP parser could not read, with the standard headers and error body. */
export const refuseUnparsed =
  ({ code = '', rawPacket }: ParserError, socket: Duplex) =>
  (turn?: Turn): void => {
    const isParserError = code.startsWith('HPE_') || Object.hasOwn(byCode, code);
    // Nothing can be sent after a failure below HTTP, such as in TLS, or when a response has begun.
    if (!isParserError || !socket.writable || turn?.response.headersSent) {
      socket.destroy();
      return;
    }
    const target = turn ? targetOf(turn.request) : targetIn(rawPacket?.toString('latin1') ?? '');
    const isHttps = turn ? turn.response.hasHeader('Strict-Transport-Security') : isEncrypted(socket);
    const error = byCode[code] ?? unparsable;
    refuseSocket(socket, target, error, isHttps);
  };

/** Returns the target in a request line, without the scheme and host of a full URL. Empty if the line was in an earlier packet. */
const targetIn = (head: string): string => /^\S+ (?:https?:\/\/[^/?#\s]*)?(\S*)/i.exec(head)?.[1] ?? '';

/** Writes the response to the socket itself and closes the connection. */
function refuseSocket(socket: Duplex, target: string, error: ClientError, isHttps = isEncrypted(socket)): void {
  const { status } = error;
  const { body, headers } = answerTo(target, error);
  const lines = Object.entries({ ...standardHeaders(environmentOfPath(target), isHttps), ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.on('error', () => socket.destroy());
  endAndDrain(socket, `${[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n')}\r\n\r\n${body}`);
}
