import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** A refusal of what reaches no handler, by the HTTP parser or by the first look at a request's head. */
export interface EarlyRefusal {
  readonly status: number;
  readonly message: string;
}

/** Its body, in the form of the part of the service that the target belongs to. */
export type RefusalText = (target: string, refusal: EarlyRefusal) => string;

type Headers = Readonly<Record<string, string>>;

const describe = (headers: Headers, body: string): Headers => ({
  ...headers,
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': String(Buffer.byteLength(body)),
  Connection: 'close',
});

export function refuseRequest(response: ServerResponse, headers: Headers, status: number, body: string): void {
  response.writeHead(status, describe(headers, body)).end(body);
}

/** How long a client may take to read its refusal and to close. */
const closingMs = 2000;

/** The same where there is no request to answer; what the client still sends is read and thrown away, or its answer would be lost. */
export function refuseSocket(socket: Duplex, headers: Headers, status: number, body: string): void {
  const lines = Object.entries(describe(headers, body)).map(([name, value]) => `${name}: ${value}`);
  const closing = setTimeout(() => socket.destroy(), closingMs).unref();
  socket.on('close', () => clearTimeout(closing)).on('error', () => socket.destroy());
  socket.end(`${[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n')}\r\n\r\n${body}`);
  socket.resume();
}
