import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { App } from '../../src/app.ts';
import { makeCertificate } from '../helper/certificate.ts';
import { db, newCompany, startApp, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { newUser, PageClient } from '../helper/page-client.ts';
import { head, open, parseAnswer, raw } from '../helper/raw-http.ts';
import { recordedLog } from '../helper/recorded-log.ts';
import { largeJob, minimalJob } from '../helper/sample-jobs.ts';

const json = 'Content-Type: application/json';
const get = (path: string, ...lines: string[]) => head(`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...lines);
const settled = async (app: App): Promise<void> => {
  while (app.stats().inFlight > 0) await new Promise(setImmediate);
};

/** Sends bytes and reads nothing. */
async function sendUnread(at: Server, bytes: string): Promise<Socket> {
  const socket = open(at);
  socket.on('error', () => undefined).pause();
  await new Promise((done) => socket.write(bytes, done));
  return socket;
}

/** Resolves when the server has parsed so many more requests. */
async function parsed(at: Server, requests: number): Promise<void> {
  let seen = 0;
  await new Promise<void>((resolve) => {
    const count = () => {
      seen += 1;
      if (seen === requests) resolve();
    };
    at.on('request', count);
  });
}

const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

describe('a request ends exactly once', () => {
  let company: TestCompany;
  let secret: string;
  let auth: string;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vaga-lifetime-'));
    company = await newCompany();
    secret = await company.secret('sandbox', 'write');
    auth = `Authorization: Bearer ${secret}`;
  });

  const creation = (key: string, body: object = minimalJob) => {
    const text = JSON.stringify(body);
    const lines = [`Idempotency-Key: ${key}`, json, `Content-Length: ${Buffer.byteLength(text)}`];
    return head('POST /sandbox/v1/jobs HTTP/1.1', 'Host: 127.0.0.1', auth, ...lines) + text;
  };

  const tls = (): Record<string, string> => {
    const { certificate, key } = makeCertificate(folder);
    return { TLS_CERT_FILE: certificate, TLS_KEY_FILE: key };
  };
  after(() => rmSync(folder, { recursive: true }));

  for (const transport of ['http', 'https'] as const)
    it(`anonymous requests behind unread pages take no place, over ${transport}`, async () => {
      const { server, app } = await startWholeApp({ MAX_IN_FLIGHT: '8', ...(transport === 'https' ? tls() : {}) });
      const flood = get('/docs').repeat(40) + get('/v1/account').repeat(300);
      const arrived = parsed(server, 2);
      const sockets = [await sendUnread(server, flood), await sendUnread(server, flood)];
      await arrived;
      const ask = async () => statusesIn(await raw(server, get('/sandbox/v1/account', auth, 'Connection: close')));
      expect(await ask(), 'while they are open').to.deep.equal([200]);
      for (const socket of sockets) socket.destroy();
      await settled(app);
      for (let n = 0; n < 10; n++) expect(await ask(), 'afterwards').to.deep.equal([200]);
    });

  it('requests that wait on a connection that is reset leave no place, list or page taken, and a log line each', async () => {
    const owner = await newCompany();
    const writer = await owner.writer();
    for (let n = 0; n < 20; n++) await writer.create(largeJob);
    const { log, lines } = recordedLog();
    const { server, app, settle } = await startWholeApp({}, { log });
    const bearer = `Authorization: Bearer ${await owner.secret('sandbox', 'read')}`;
    const [page, cookie] = await signedIn(owner, server);
    lines.length = 0;
    for (const bytes of [get('/sandbox/v1/jobs?per_page=100', bearer), get('/dashboard', `Cookie: ${cookie}`)]) {
      const arrived = parsed(server, 6);
      const socket = await sendUnread(server, bytes.repeat(6));
      await arrived;
      socket.destroy();
    }
    await settled(app);
    while (lines.length < 12) await new Promise(setImmediate);
    for (let n = 0; n < 4; n++)
      expect((await (await owner.reader('sandbox', server)).get('/jobs?per_page=1')).status).to.equal(200);
    for (let n = 0; n < 4; n++) expect((await page.get('/credentials')).status).to.equal(200);
    await settle();
    expect(new Set(lines.map(({ requestId }) => requestId)).size).to.equal(lines.length);
    expect(lines.length).to.equal(12 + 8);
  });

  it('every create that ran behind an unread page has its line in the log and in the company’s list of requests', async () => {
    const owner = await newCompany();
    const { log, lines } = recordedLog();
    const { server, settle, app } = await startWholeApp({}, { log });
    auth = `Authorization: Bearer ${await owner.secret('sandbox', 'write')}`;
    const arrived = parsed(server, 9);
    const creates = Array.from({ length: 8 }, (_, n) => creation(`unread-${n}`));
    const socket = await sendUnread(server, get('/docs') + creates.join(''));
    await arrived;
    socket.destroy();
    await settled(app);
    while (lines.length < 9) await new Promise(setImmediate);
    await settle();
    const [jobs] = await db().rows<{ count: number }>({
      text: 'SELECT count(*)::int AS count FROM jobs WHERE company_id = $1',
      values: [owner.id],
    });
    const [entries] = await db().rows<{ count: number }>({
      text: `SELECT count(*)::int AS count FROM request_log WHERE company_id = $1 AND operation = 'createJob'`,
      values: [owner.id],
    });
    expect(entries?.count).to.equal(jobs?.count);
    expect(lines.filter(({ operation }) => operation === 'createJob')).to.have.length(jobs?.count ?? -1);
    auth = `Authorization: Bearer ${secret}`;
  });

  it('a few pipelined requests are answered in order, one after the other', async () => {
    const { log, lines } = recordedLog();
    const at = await startApp({}, { log });
    const key = 'pipelined';
    const bytes = [
      creation(key),
      creation(key),
      get('/sandbox/v1/nothing', auth),
      get('/sandbox/v1/account', auth, 'Connection: close'),
    ];
    expect(statusesIn(await raw(at, bytes.join('')))).to.deep.equal([201, 200, 404, 200]);
    expect(lines.map(({ status }) => status)).to.deep.equal([201, 200, 404, 200]);
  });

  it('nothing runs behind the last response of a connection', async () => {
    const at = await startApp();
    const bytes = get('/sandbox/v1/account', auth, 'Connection: close') + creation('after-the-last');
    expect(statusesIn(await raw(at, bytes))).to.deep.equal([200]);
    const again = await raw(at, creation('after-the-last') + get('/healthz', 'Connection: close'));
    expect(statusesIn(again), 'the key is unused').to.deep.equal([201, 200]);
  });

  it('a connection on which more than a handful wait is closed', async () => {
    const { server, app } = await startWholeApp();
    const socket = open(server);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => undefined).resume();
    socket.write(get('/sandbox/v1/account', auth).repeat(1000));
    await closed;
    await settled(app);
  });

  it('a client that reads nothing but goes on sending is closed after the send timeout', async () => {
    const { server } = await startWholeApp({ SEND_TIMEOUT_SECONDS: '1' });
    const owner = await newCompany();
    const writer = await owner.writer();
    for (let n = 0; n < 60; n++) await writer.create(largeJob);
    const bearer = `Authorization: Bearer ${await owner.secret('sandbox', 'read')}`;
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const socket = await sendUnread(server, get('/sandbox/v1/jobs?per_page=100', bearer));
    const [connection] = await connected;
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const drip = setInterval(() => socket.write('x'), 50);
    await once(connection, 'close');
    clearInterval(drip);
    socket.destroy();
  });

  it('what is pending is answered before a malformed head is refused', async () => {
    const at = await startApp();
    const text = await raw(at, `${creation('before-malformed')}NOT HTTP\r\n\r\n`);
    expect(statusesIn(text)).to.deep.equal([201, 400]);
    const unfinished = creation('unfinished')
      .slice(0, -10)
      .replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked');
    expect(statusesIn(await raw(at, `${get('/sandbox/v1/account', auth)}${unfinished}`))).to.deep.equal([200, 400]);
  });

  for (const [refused, path, type, body] of [
    [415, '/sandbox/v1/jobs', 'text/plain', 'x'.repeat(200_000)],
    [415, '/sandbox/mcp', 'text/plain', 'x'.repeat(200_000)],
    [413, '/sandbox/v1/jobs', 'application/json', 'x'.repeat(200_000)],
    [413, '/sandbox/mcp', 'application/json', 'x'.repeat(200_000)],
    [401, '/sandbox/v1/jobs', 'application/json', 'x'.repeat(200_000)],
  ] as const)
    it(`the next request after a chunked upload refused with ${refused} at ${path} is answered`, async () => {
      const bearer = refused === 401 ? 'Authorization: Bearer none' : auth;
      const lines = [
        'Host: 127.0.0.1',
        bearer,
        `Content-Type: ${type}`,
        'Idempotency-Key: k',
        'Transfer-Encoding: chunked',
      ];
      const chunks = [...body.matchAll(/.{1,8192}/g)].map(([chunk]) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`);
      const upload = `${head(`POST ${path} HTTP/1.1`, ...lines) + chunks.join('')}0\r\n\r\n`;
      const text = await raw(await startApp(), upload + get('/sandbox/v1/account', auth, 'Connection: close'));
      expect(statusesIn(text)).to.deep.equal([refused, 200]);
    });

  it('a refused upload without end is cut off', async () => {
    const at = await startApp();
    const socket = open(at)
      .on('error', () => undefined)
      .resume();
    let closed = false;
    socket.on('close', () => (closed = true));
    socket.write(head('POST /sandbox/v1/jobs HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked', json));
    while (!closed) {
      socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`);
      await new Promise(setImmediate);
    }
  });

  it('two Host headers are 400 (RFC 9112 section 3.2)', async () => {
    const at = await startApp();
    for (const path of ['/sandbox/v1/account', '/sandbox/mcp', '/docs', '/healthz']) {
      const answer = parseAnswer(await raw(at, get(path, 'Host: example.com', auth, 'Connection: close')));
      expect([answer.status, answer.headers['x-api-environment']], path).to.deep.equal([
        400,
        path.startsWith('/sandbox') ? 'sandbox' : 'production',
      ]);
    }
  });

  describe('connections are bounded', () => {
    /** Resolves with whether the server answers. */
    const isServed = async (at: Server): Promise<boolean> =>
      (await raw(at, get('/healthz', 'Connection: close')).catch(() => '')).startsWith('HTTP/1.1 200');

    const holdOpen = async (at: Server, count: number): Promise<Socket[]> => {
      const sockets: Socket[] = [];
      for (let n = 0; n < count; n++) {
        const accepted = once(at, 'connection');
        sockets.push(open(at).on('error', () => undefined));
        await accepted;
      }
      return sockets;
    };

    for (const [bound, settings] of [
      ['per address', { MAX_CONNECTIONS_PER_ADDRESS: '3' }],
      ['in all', { MAX_CONNECTIONS: '3' }],
    ] as const)
      it(`${bound}; one beyond is closed, and others go on`, async () => {
        const { server, app } = await startWholeApp(settings);
        const held = await holdOpen(server, 3);
        expect(await isServed(server)).to.equal(false);
        expect(app.stats().connectionsRefused).to.equal(1);
        held[0]?.write(get('/sandbox/v1/account', auth));
        expect(String(await once(held[0] as Socket, 'data'))).to.match(/^HTTP\/1\.1 200/);
        held[1]?.destroy();
        let served = false;
        while (!served) served = await isServed(server);
        for (const socket of held) socket.destroy();
      });

    it('those of a trusted proxy are not', async () => {
      const at = await startApp({ MAX_CONNECTIONS: '2', MAX_CONNECTIONS_PER_ADDRESS: '2', TRUST_PROXY: '127.0.0.1' });
      const held = await holdOpen(at, 5);
      expect(await isServed(at)).to.equal(true);
      for (const socket of held) socket.destroy();
    });
  });
});

/** A client of the dashboard, and its cookie for requests by hand. */
async function signedIn(company: TestCompany, at: Server): Promise<[PageClient, string]> {
  const page = await PageClient.signedIn('company', await newUser(company), at);
  return [page, [...page.cookies].map((pair) => pair.join('=')).join('; ')];
}
