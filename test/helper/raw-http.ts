import type { Server } from 'node:http';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { portOf } from './address.ts';

/** A parsed response, header names in lower case. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: unknown;
}

export const isTls = (server: Server): boolean => 'setSecureContext' in server;

interface Connecting {
  readonly allowHalfOpen?: boolean;
  /** Without TLS even if the server has it. */
  readonly isPlain?: boolean;
}

/** Connects to a server under test, with TLS if it has TLS. */
export function open(server: Server, { isPlain = false, ...options }: Connecting = {}): Socket {
  const port = portOf(server);
  const target = { ...options, port, host: '127.0.0.1' };
  return isTls(server) && !isPlain ? connectTls({ ...target, rejectUnauthorized: false }) : connectPlain(target);
}

/** Sends raw bytes and reads until the server closes. */
export function raw(server: Server, bytes: string, options?: Connecting): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = open(server, options);
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
    socket.write(bytes);
  });
}

/** Parses one response. */
export function parseAnswer(text: string): RawAnswer {
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
  const [line = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => {
      const at = field.indexOf(':');
      return [field.slice(0, at).toLowerCase(), field.slice(at + 1).trim()];
    }),
  );
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
  const isJson = headers['content-type']?.startsWith('application/json') && body !== '';
  return { status, headers, text: body, body: isJson ? JSON.parse(body) : undefined };
}

/** The head of a request from its lines. */
export const head = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;

/** A request with a credential and a JSON body, from its line, such as `POST /mcp`. */
export function posting(line: string, secret: string, body: unknown, ...lines: readonly string[]): string {
  const text = JSON.stringify(body);
  const own = ['Host: localhost', `Authorization: Bearer ${secret}`, 'Content-Type: application/json'];
  return head(`${line} HTTP/1.1`, ...own, ...lines, `Content-Length: ${Buffer.byteLength(text)}`) + text;
}

/** Sends a request without a body from its line, such as `GET /healthz`, on a connection of its own; `Host` is among the lines. */
export const ask = async (server: Server, line: string, ...lines: readonly string[]): Promise<RawAnswer> =>
  parseAnswer(await raw(server, head(`${line} HTTP/1.1`, ...lines, 'Connection: close')));
