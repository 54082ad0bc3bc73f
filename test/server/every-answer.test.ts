import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { tlsSettings } from '../helper/certificate.ts';
import { newCompany, startApp, startWholeApp } from '../helper/fixtures.ts';
import { ask, head, isTls, open, parseAnswer, type RawAnswer, raw } from '../helper/raw-http.ts';
import { recordedLog } from '../helper/recorded-log.ts';

type Body = 'envelope' | 'text' | 'rpc' | 'modern rpc' | 'other';
/**
 * The sent bytes, and the status, format and environment of the answer. By default, it is an API error with the environment of the path.
 */
type Row = readonly [bytes: string, status: number, body?: Body, environment?: 'sandbox' | 'production'];

const closing = ['Host: 127.0.0.1', 'Connection: close'];
const modern = 'MCP-Protocol-Version: 2026-07-28';
const expecting = (line: string, ...lines: string[]): string =>
  head(`${line} HTTP/1.1`, 'Host: x', 'Expect: foo', ...lines);

/** Requests that Node or its parser would answer itself, that end before Express, and some that reach it. */
const rows: readonly Row[] = [
  // Without Host, which HTTP/1.0 does not need.
  [head('GET /v1/account HTTP/1.1'), 400],
  [head('GET /sandbox/v1/account HTTP/1.1'), 400],
  [head('POST /sandbox/mcp HTTP/1.1', 'Content-Length: 0'), 400, 'text'],
  [head('POST /mcp HTTP/1.1', modern, 'Content-Length: 0'), 400, 'text'],
  [head('GET http://x/sandbox/v1/account HTTP/1.1'), 400],
  [head('GET /sandbox/v1/account HTTP/1.0'), 401],
  [expecting('POST /sandbox/v1/jobs', 'Content-Length: 2'), 417],
  [expecting('POST /mcp'), 417, 'text'],
  [expecting('GET http://x/sandbox/mcp'), 417, 'text'],
  [expecting('POST /mcp', modern), 417, 'text'],
  [expecting('GET /dashboard'), 417],
  // Methods.
  [head('CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443'), 400],
  [head('FOO /sandbox/v1/jobs HTTP/1.1', 'Host: x'), 400],
  [head('FOO /sandbox/mcp HTTP/1.1', 'Host: x'), 400, 'text'],
  [head('FOO http://x/sandbox/v1 HTTP/1.1', 'Host: x'), 400],
  [head('PROPFIND /nothing HTTP/1.1', ...closing), 404],
  ...['/v2/jobs', '/V1/jobs', '/sandbox', '/sandbox/v2'].map(
    (path): Row => [head(`GET ${path} HTTP/1.1`, ...closing), 404],
  ),
  [head('GET /sandbox/mcp HTTP/1.1', ...closing), 405, 'rpc'],
  [head('GET /sandbox/mcp HTTP/1.1', modern, ...closing), 405, 'modern rpc'],
  // Other protocols.
  ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['GARBAGE\r\n\r\n', 400],
  ...['2.0', '0.9'].flatMap((version): Row[] => [
    [head(`GET /sandbox/v1/account HTTP/${version}`, 'Host: x'), 505],
    [head(`POST /mcp HTTP/${version}`, 'Host: x', 'Content-Length: 0'), 505, 'text'],
    // Requests pipelined behind it are not answered.
    [head(`GET /v1/account HTTP/${version}`, 'Host: x') + head('GET /v1/account HTTP/1.1', 'Host: x'), 505],
  ]),
  [head('GET /v1/account HTTP/3.0', 'Host: x'), 400],
  [head('GET /sandbox/v1/account HTTP/1.1', 'Host: x', 'Upgrade: websocket', 'Connection: Upgrade, close'), 401],
  [head('GET /nothing HTTP/1.1', 'Host: x', 'Upgrade: h2c', 'HTTP2-Settings: AAAA', 'Connection: Upgrade, close'), 404],
  // Request targets.
  [head('GET ftp://x/sandbox/v1/jobs HTTP/1.1', 'Host: x'), 400, 'envelope', 'production'],
  [head('GET http:///v1/jobs HTTP/1.1', 'Host: x'), 400],
  [head('GET http://u:p@x/v1/jobs HTTP/1.1', 'Host: x'), 400],
  [head('GET http://x:99999/v1 HTTP/1.1', 'Host: x'), 400],
  [head('GET v1/jobs HTTP/1.1', 'Host: x'), 400],
  [head('OPTIONS * HTTP/1.1', ...closing), 404],
  [head('GET http://x/sandbox/v1/account?a=1 HTTP/1.1', ...closing), 401],
  [head('POST HTTPS://x?a HTTP/1.1', ...closing), 405],
  [head('POST /sandbox/mcp HTTP/1.1', modern, ...closing), 401, 'text'],
  // Its authority replaces Host, in the origin check of MCP too.
  [head('POST http://127.0.0.1/sandbox/mcp HTTP/1.1', 'Host: evil.example', closing[1] ?? ''), 401, 'text'],
  [head('POST http://evil.example/sandbox/mcp HTTP/1.1', ...closing), 403, 'text'],
  // Two Host headers (RFC 9112 section 3.2).
  ...['/sandbox/v1/account', '/docs', '/healthz'].map(
    (path): Row => [head(`GET ${path} HTTP/1.1`, 'Host: example.com', ...closing), 400],
  ),
  [head('POST /sandbox/mcp HTTP/1.1', 'Host: example.com', ...closing), 400, 'text'],
  // Transfer codings that nothing decodes (RFC 9112 section 6.1).
  ...['gzip, chunked', 'chunked, chunked', 'gzip\r\nTransfer-Encoding: chunked', 'gzip'].flatMap((coding): Row[] =>
    ['/sandbox/v1/jobs', '/dashboard/sign-in', '/docs'].map((path) => [
      `${head(`POST ${path} HTTP/1.1`, 'Host: x', `Transfer-Encoding: ${coding}`)}0\r\n\r\n`,
      400,
    ]),
  ),
  [`${head('POST /sandbox/mcp HTTP/1.1', 'Host: x', 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`, 400, 'text'],
  [`${head('POST /sandbox/v1/jobs HTTP/1.1', ...closing, 'Transfer-Encoding: Chunked')}0\r\n\r\n`, 401],
  // Health.
  [head('GET /healthz HTTP/1.1', ...closing), 200, 'other'],
  [head('GET http://x/healthz HTTP/1.1', ...closing), 200, 'other'],
  [head('POST /healthz HTTP/1.1', 'Content-Length: 0', ...closing), 405],
  [head('GET /readyz HTTP/1.1', ...closing), 200, 'other'],
  [head('DELETE /readyz HTTP/1.1', ...closing), 405],
];

/** The code, and the id. */
const rpcForm = {
  rpc: () => [-32000, null],
  'modern rpc': (status: number) => [status, undefined],
} as const;

function checkBody(name: string, { status, headers, text, body }: RawAnswer, kind: Body): void {
  if (kind === 'other') return;
  // Without the id of a message, on which clients wait after a JSON-RPC error.
  if (kind === 'text') {
    expect([headers['content-type'], text], name).to.satisfy(
      ([type = '', said = '']: string[]) => type.startsWith('text/plain') && /^\w.*[.]$/.test(said),
    );
    return;
  }
  const { error, ...rest } = body as { error: Record<string, unknown>; jsonrpc?: unknown; id?: unknown };
  const { status: said, ...details } = kind === 'envelope' ? error : (error.data as Record<string, unknown>);
  expect(said, name).to.equal(status);
  expect(error.message, name).to.be.a('string');
  expect(kind === 'envelope' ? details.details : details, name).to.have.property('reason');
  expect('jsonrpc' in rest, name).to.equal(kind !== 'envelope');
  if (kind !== 'envelope') expect([error.code, rest.id], name).to.deep.equal(rpcForm[kind](status));
}

async function checkRow(at: Server, [bytes, status, kind = 'envelope', environment]: Row): Promise<RawAnswer> {
  const text = await raw(at, bytes);
  const name = `${bytes.slice(0, 80)}: ${text}`;
  const answer = parseAnswer(text);
  const { headers } = answer;
  expect(answer.status, name).to.equal(status);
  expect(headers, name).to.include({
    'x-api-environment': environment ?? (bytes.includes('/sandbox') ? 'sandbox' : 'production'),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  expect(headers['x-request-id'], name).to.match(/^[0-9a-f-]{36}$/);
  expect(headers['strict-transport-security'], name).to.equal(isTls(at) ? 'max-age=31536000' : undefined);
  if (status === 405) expect(headers.allow, name).to.be.a('string');
  checkBody(name, answer, kind);
  return answer;
}

describe('every response over a raw socket', () => {
  let tls: Record<string, string>;
  let auth: string;
  before(async () => {
    tls = tlsSettings();
    auth = `Authorization: Bearer ${await (await newCompany()).secret('sandbox', 'write')}`;
  });

  /** The head of an authenticated request with a body. */
  const posting = (path: string, length: string): string =>
    head(`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', auth, 'Content-Type: application/json', length);

  for (const scheme of ['http', 'https'] as const)
    it(`has the standard headers and, if it is an error, the envelope, over ${scheme}`, async () => {
      const at = await startApp(scheme === 'https' ? tls : {});
      for (const row of rows) await checkRow(at, row);
      // An invalid chunk in the middle of a body.
      const invalid = (path: string) => `${posting(path, 'Transfer-Encoding: chunked')}not a size\r\n`;
      await checkRow(at, [invalid('/sandbox/v1/jobs'), 400]);
      await checkRow(at, [invalid('/sandbox/mcp'), 400, 'text']);
      // Over TLS the environment is unknown, because the headers come in two packets.
      const wide = head('GET /sandbox/v1 HTTP/1.1', 'Host: x', `X-Wide: ${'a'.repeat(20_000)}`);
      await checkRow(at, [wide, 431, 'envelope', scheme === 'https' ? 'production' : 'sandbox']);
    });

  it('has a status that the contract names', () => {
    const contract = readFileSync(join(packageRoot, 'openapi.yaml'), 'utf8');
    const [, errors = ''] = /## Errors(.*?)\n +## /s.exec(contract) ?? [];
    for (const status of new Set([...rows.map(([, status]) => status), 408, 431]))
      expect(
        contract.includes(`\n        "${status}":`) || new RegExp(`\\b${status}\\b`).test(errors),
        `${status}`,
      ).to.equal(true);
  });

  it('plain HTTP gets 400 `https` where TLS is ours, even on a loopback address; TLS still works', async () => {
    const at = await startApp(tls);
    for (const [bytes, said] of [
      [head('GET /sandbox/v1/account HTTP/1.1', auth, ...closing), '"reason":"https"'],
      [head('POST /v1/jobs HTTP/1.1', auth, 'Content-Length: 0', ...closing), '"reason":"https"'],
      [head('POST /sandbox/mcp HTTP/1.1', auth, 'Content-Length: 0', ...closing), 'HTTPS is required.'],
      [head('GET /dashboard HTTP/1.1', ...closing), 'HTTPS'],
      ['GARBAGE\r\n\r\n', '"reason":"malformed_request"'],
    ] as const) {
      const { status, headers, text } = parseAnswer(await raw(at, bytes, { isPlain: true }));
      expect([status, headers['strict-transport-security']], bytes).to.deep.equal([400, undefined]);
      expect([headers['x-api-environment'], text.includes(said)], bytes).to.deep.equal([
        bytes.includes('/sandbox') ? 'sandbox' : 'production',
        true,
      ]);
    }
    expect((await ask(at, 'GET /sandbox/v1/account', ...closing, auth)).status).to.equal(200);
  });

  it('TLS that arrives byte by byte is served; a connection without a byte is closed', async () => {
    const at = await startApp(tls);
    const tcp = open(at, { isPlain: true });
    const slow = new Duplex({
      read: () => undefined,
      write: async (bytes: Buffer, _encoding, done) => {
        for (const byte of bytes) await new Promise((sent) => tcp.write(Buffer.of(byte), () => setImmediate(sent)));
        done();
      },
    });
    tcp.on('data', (bytes) => slow.push(bytes));
    const socket = connectTls({ socket: slow, rejectUnauthorized: false });
    socket.write(head('GET /healthz HTTP/1.1', ...closing));
    expect(String(await once(socket, 'data'))).to.match(/^HTTP\/1\.1 200/);
    tcp.destroy();
    const hasty = await startApp({ ...tls, HEADERS_TIMEOUT_SECONDS: '1' });
    await once(open(hasty, { isPlain: true }).resume(), 'close');
  });

  it('a slow client gets 408 with the environment of its path', async () => {
    const at = await startApp({ HEADERS_TIMEOUT_SECONDS: '1', REQUEST_TIMEOUT_SECONDS: '1' });
    await checkRow(at, [`${posting('/sandbox/v1/jobs', 'Content-Length: 100')}{`, 408]);
  });

  it('Expect: 100-continue works', async () => {
    const lines = ['GET /sandbox/v1/account HTTP/1.1', 'Expect: 100-continue', auth];
    const [first = '', ...rest] = (await raw(await startApp(), head(...lines, ...closing))).split('\r\n\r\n');
    expect(first).to.equal('HTTP/1.1 100 Continue');
    expect(parseAnswer(rest.join('\r\n\r\n')).status).to.equal(200);
  });

  it('/readyz answers 503 with the envelope and its own fields; health checks are not logged', async () => {
    const { log, lines } = recordedLog();
    const { server, app } = await startWholeApp({}, { log });
    app.retire();
    const { headers, body } = await checkRow(server, [head('GET /readyz HTTP/1.1', ...closing), 503]);
    expect(headers['retry-after']).to.equal('1');
    expect(body).to.deep.include({ status: 'not ready', missing: 'retiring' });
    const details = { reason: 'draining', retry_after_seconds: 1 };
    expect((body as { error: object }).error).to.deep.include({ details });
    for (const line of ['GET /healthz', 'POST /healthz', 'GET /nothing'])
      await raw(server, head(`${line} HTTP/1.1`, ...closing));
    expect(lines.map(({ status }) => status)).to.deep.equal([404]);
  });

  it('closes a refused connection that the client keeps open', async () => {
    const at = await startApp();
    for (const bytes of [head('CONNECT x:1 HTTP/1.1', 'Host: x'), 'GARBAGE\r\n\r\n']) {
      const socket = open(at, { allowHalfOpen: true });
      socket.resume().write(bytes);
      const [accepted] = (await once(at, 'connection')) as [Socket];
      await once(accepted, 'close');
      socket.destroy();
    }
  });
});
