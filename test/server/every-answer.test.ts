import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeCertificate } from '../helper/certificate.ts';
import { newCompany, startApp, startWholeApp } from '../helper/fixtures.ts';
import { head, isTls, open, parseAnswer, raw } from '../helper/raw-http.ts';
import { recordedLog } from '../helper/recorded-log.ts';

type Body = 'envelope' | 'rpc' | 'modern rpc' | 'other';
/** What is sent, and the status, the form and the environment of the answer: by default that of an API error, and of the path. */
type Row = readonly [bytes: string, status: number, body?: Body, environment?: 'sandbox' | 'production'];

const closing = ['Host: 127.0.0.1', 'Connection: close'];
const modern = 'MCP-Protocol-Version: 2026-07-28';
const expecting = (line: string, ...lines: string[]): string =>
  head(`${line} HTTP/1.1`, 'Host: x', 'Expect: foo', ...lines);

/** Requests that Node or its parser would answer, that end before Express, and some that reach it. */
const rows: readonly Row[] = [
  // Without Host, which HTTP/1.0 does not need.
  [head('GET /v1/account HTTP/1.1'), 400],
  [head('GET /sandbox/v1/account HTTP/1.1'), 400],
  [head('POST /sandbox/mcp HTTP/1.1', 'Content-Length: 0'), 400, 'rpc'],
  [head('POST /mcp HTTP/1.1', modern, 'Content-Length: 0'), 400, 'modern rpc'],
  [head('GET http://x/sandbox/v1/account HTTP/1.1'), 400],
  [head('GET /sandbox/v1/account HTTP/1.0'), 401],
  [expecting('POST /sandbox/v1/jobs', 'Content-Length: 2'), 417],
  [expecting('POST /mcp'), 417, 'rpc'],
  [expecting('GET http://x/sandbox/mcp'), 417, 'rpc'],
  [expecting('POST /mcp', modern), 417, 'modern rpc'],
  [expecting('GET /dashboard'), 417],
  // Methods.
  [head('CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443'), 400],
  [head('FOO /sandbox/v1/jobs HTTP/1.1', 'Host: x'), 400],
  [head('FOO /sandbox/mcp HTTP/1.1', 'Host: x'), 400, 'rpc'],
  [head('FOO http://x/sandbox/v1 HTTP/1.1', 'Host: x'), 400],
  [head('PROPFIND /nothing HTTP/1.1', ...closing), 404],
  [head('GET /sandbox/mcp HTTP/1.1', ...closing), 405, 'rpc'],
  [head('GET /sandbox/mcp HTTP/1.1', modern, ...closing), 405, 'modern rpc'],
  // Other protocols.
  ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['GARBAGE\r\n\r\n', 400],
  [head('GET /sandbox/v1/account HTTP/1.1', 'Host: x', 'Upgrade: websocket', 'Connection: Upgrade, close'), 401],
  [head('GET /nothing HTTP/1.1', 'Host: x', 'Upgrade: h2c', 'HTTP2-Settings: AAAA', 'Connection: Upgrade, close'), 404],
  // Targets.
  [head('GET ftp://x/sandbox/v1/jobs HTTP/1.1', 'Host: x'), 400, 'envelope', 'production'],
  [head('GET http:///v1/jobs HTTP/1.1', 'Host: x'), 400],
  [head('GET http://u:p@x/v1/jobs HTTP/1.1', 'Host: x'), 400],
  [head('GET http://x:99999/v1 HTTP/1.1', 'Host: x'), 400],
  [head('GET v1/jobs HTTP/1.1', 'Host: x'), 400],
  [head('OPTIONS * HTTP/1.1', ...closing), 404],
  [head('GET http://x/sandbox/v1/account?a=1 HTTP/1.1', ...closing), 401],
  [head('GET HTTPS://x?a HTTP/1.1', ...closing), 404],
  [head('POST /sandbox/mcp HTTP/1.1', modern, ...closing), 401, 'modern rpc'],
  // Health.
  [head('GET /healthz HTTP/1.1', ...closing), 200, 'other'],
  [head('GET http://x/healthz HTTP/1.1', ...closing), 200, 'other'],
  [head('POST /healthz HTTP/1.1', 'Content-Length: 0', ...closing), 405],
  [head('GET /readyz HTTP/1.1', ...closing), 200, 'other'],
  [head('DELETE /readyz HTTP/1.1', ...closing), 405],
];

/** The code, and whether there is an id, which is null. */
const rpcForm = {
  rpc: () => [-32000, true],
  'modern rpc': (status: number) => [status, false],
} as const;

function checkBody(name: string, answer: ReturnType<typeof parseAnswer>, kind: Body): void {
  const { status, body, text } = answer;
  if (kind === 'other') return;
  const isRpc = kind !== 'envelope';
  const { error } = body as {
    error: { status: number; code: number; message: string; details: object; data: { status: number } };
  };
  expect(error.message, `${name}: ${text}`).to.be.a('string');
  expect(isRpc ? error.data.status : error.status, `${name}: ${text}`).to.equal(status);
  expect(isRpc ? error.data : error.details, `${name}: ${text}`).to.have.property('reason');
  expect((body as object) instanceof Object && 'jsonrpc' in (body as object), name).to.equal(isRpc);
  if (isRpc) expect([error.code, 'id' in (body as object)], name).to.deep.equal(rpcForm[kind](status));
}

async function checkRow(at: Server, [bytes, status, kind = 'envelope', environment]: Row): Promise<void> {
  const name = bytes.slice(0, 80);
  const text = await raw(at, bytes);
  const answer = parseAnswer(text);
  const { headers } = answer;
  expect(answer.status, `${name}: ${text}`).to.equal(status);
  expect(headers['x-api-environment'], name).to.equal(
    environment ?? (bytes.includes('/sandbox') ? 'sandbox' : 'production'),
  );
  expect(headers['x-request-id'], name).to.match(/^[0-9a-f-]{36}$/);
  expect(headers['x-content-type-options'], name).to.equal('nosniff');
  expect(headers['cache-control'], name).to.equal('no-store');
  expect(headers['strict-transport-security'], name).to.equal(isTls(at) ? 'max-age=31536000' : undefined);
  if (status === 405) expect(headers.allow, name).to.be.a('string');
  checkBody(name, answer, kind);
}

describe('every response over a raw socket', () => {
  let folder: string;
  let tls: Record<string, string>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vaga-tls-'));
    const { certificate, key } = makeCertificate(folder);
    tls = { TLS_CERT_FILE: certificate, TLS_KEY_FILE: key };
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const scheme of ['http', 'https'] as const)
    it(`has the standard headers and, for errors, the envelope, over ${scheme}`, async () => {
      const at = await startApp(scheme === 'https' ? tls : {});
      for (const row of rows) await checkRow(at, row);
    });

  it('431 too; over TLS the environment is unknown, because the headers come in two packets', async () => {
    const wide = head('GET /sandbox/v1 HTTP/1.1', 'Host: x', `X-Wide: ${'a'.repeat(20_000)}`);
    await checkRow(await startApp(), [wide, 431]);
    await checkRow(await startApp(tls), [wide, 431, 'envelope', 'production']);
  });

  it('400 for an invalid chunk in the middle of a body too', async () => {
    for (const settings of [{}, tls]) {
      const at = await startApp(settings);
      const secret = await (await newCompany()).secret('sandbox', 'write');
      for (const [path, kind] of [
        ['/sandbox/v1/jobs', 'envelope'],
        ['/sandbox/mcp', 'rpc'],
      ] as const) {
        const sent = head(
          `POST ${path} HTTP/1.1`,
          'Host: 127.0.0.1',
          `Authorization: Bearer ${secret}`,
          'Content-Type: application/json',
          'Transfer-Encoding: chunked',
        );
        await checkRow(at, [`${sent}not a size\r\n`, 400, kind]);
      }
    }
  });

  it('408 to a slow client too, with the environment of its path', async () => {
    const at = await startApp({ HEADERS_TIMEOUT_SECONDS: '1', REQUEST_TIMEOUT_SECONDS: '1' });
    const secret = await (await newCompany()).secret('sandbox', 'write');
    const sent = head(
      'POST /sandbox/v1/jobs HTTP/1.1',
      'Host: 127.0.0.1',
      `Authorization: Bearer ${secret}`,
      'Content-Type: application/json',
      'Content-Length: 100',
    );
    await checkRow(at, [`${sent}{`, 408]);
  });

  it('Expect: 100-continue works', async () => {
    const at = await startApp();
    const secret = await (await newCompany()).secret('sandbox', 'read');
    const lines = ['GET /sandbox/v1/account HTTP/1.1', 'Expect: 100-continue', `Authorization: Bearer ${secret}`];
    const [first = '', ...rest] = (await raw(at, head(...lines, ...closing))).split('\r\n\r\n');
    expect(first).to.equal('HTTP/1.1 100 Continue');
    expect(parseAnswer(rest.join('\r\n\r\n')).status).to.equal(200);
  });

  it('/readyz answers 503 with the envelope and its own fields; health checks are not logged', async () => {
    const { log, lines } = recordedLog();
    const { server, app } = await startWholeApp({}, { log });
    app.retire();
    const bytes = head('GET /readyz HTTP/1.1', ...closing);
    await checkRow(server, [bytes, 503]);
    const { headers, body } = parseAnswer(await raw(server, bytes));
    expect(headers['retry-after']).to.equal('1');
    expect(body).to.deep.include({ status: 'not ready', missing: 'retiring' });
    expect((body as { error: object }).error).to.deep.include({
      details: { reason: 'draining', retry_after_seconds: 1 },
    });
    for (const method of ['GET', 'POST']) await raw(server, head(`${method} /healthz HTTP/1.1`, ...closing));
    await raw(server, head('GET /nothing HTTP/1.1', ...closing));
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

describe('an absolute-form target', () => {
  it('reaches the operation of its path, and its authority replaces Host in the MCP origin check', async () => {
    const at = await startApp();
    const secret = await (await newCompany()).secret('sandbox', 'read');
    const auth = [`Authorization: Bearer ${secret}`, 'Connection: close'];
    const account = head('GET http://vaga.example/sandbox/v1/account HTTP/1.1', 'Host: x', ...auth);
    expect(parseAnswer(await raw(at, account)).status).to.equal(200);
    const call = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const json = ['Content-Type: application/json', `Content-Length: ${call.length}`];
    for (const [authority, host, status] of [
      ['127.0.0.1', 'evil.example', 200],
      ['evil.example', '127.0.0.1', 403],
    ] as const) {
      const sent = head(`POST http://${authority}/sandbox/mcp HTTP/1.1`, `Host: ${host}`, ...json, ...auth) + call;
      expect(parseAnswer(await raw(at, sent)).status, authority).to.equal(status);
    }
  });
});

describe('Strict-Transport-Security', () => {
  it('is set for https to a trusted proxy, and never for plain http', async () => {
    const at = await startApp({ TRUST_PROXY: '127.0.0.1' });
    const company = await newCompany();
    const auth = `Authorization: Bearer ${await company.secret('sandbox', 'read')}`;
    const ask = async (path: string, ...lines: string[]) =>
      parseAnswer(await raw(at, head(`GET ${path} HTTP/1.1`, ...lines, ...closing)));
    for (const path of [
      '/sandbox/v1/account',
      '/sandbox/v1/nothing',
      '/sandbox/mcp',
      '/nothing',
      '/dashboard/sign-in',
    ]) {
      const [https, http] = [
        await ask(path, auth, 'X-Forwarded-Proto: https'),
        await ask(path, auth, 'X-Forwarded-Proto: http'),
      ];
      expect(https.headers['strict-transport-security'], path).to.equal('max-age=31536000');
      expect(http.headers, path).to.not.have.property('strict-transport-security');
    }
    const untrusted = await startApp();
    const forged = head('GET /sandbox/v1/account HTTP/1.1', auth, 'X-Forwarded-Proto: https', ...closing);
    const answer = parseAnswer(await raw(untrusted, forged));
    expect([answer.status, answer.headers['strict-transport-security']]).to.deep.equal([400, undefined]);
  });
});
