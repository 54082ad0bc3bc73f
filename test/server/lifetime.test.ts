import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { App } from '../../src/app.ts';
import { drain } from '../../src/server/server.ts';
import { tlsSettings } from '../helper/certificate.ts';
import { db, newCompany, startApp, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { newUser, PageClient } from '../helper/page-client.ts';
import { head, open, parseAnswer, raw } from '../helper/raw-http.ts';
import { recordedLog } from '../helper/recorded-log.ts';
import { largeJob, minimalJob } from '../helper/sample-jobs.ts';
import { immediately, times, until } from '../helper/times.ts';

const json = 'Content-Type: application/json';
const chunked = 'Transfer-Encoding: chunked';
const closing = 'Connection: close';
const get = (path: string, ...lines: string[]) => head(`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...lines);
const settled = (app: App): Promise<void> => until(() => app.stats().inFlight === 0);

/** Sends bytes and reads nothing. */
async function sendUnread(at: Server, bytes: string): Promise<Socket> {
  const socket = open(at);
  socket.on('error', () => undefined).pause();
  await new Promise((done) => socket.write(bytes, done));
  return socket;
}

/** Sends bytes, reads nothing, and resolves when the server has parsed this many more requests. */
async function sendParsed(at: Server, bytes: string, requests: number): Promise<Socket> {
  let seen = 0;
  at.on('request', () => (seen += 1));
  const socket = await sendUnread(at, bytes);
  await until(() => seen >= requests);
  return socket;
}

/** Reads only when everything is sent, as many clients do. */
async function readAfterwards(at: Server, pieces: readonly string[]): Promise<string> {
  const socket = open(at).pause();
  for (const piece of pieces)
    await new Promise<void>((done, fail) => socket.write(piece, (error) => (error ? fail(error) : done())));
  return text(socket);
}

const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** A company with this many jobs of maximum size, and the header of a credential that reads them. */
async function withLargeJobs(count: number): Promise<[TestCompany, string]> {
  const owner = await newCompany();
  const writer = await owner.writer();
  for (let n = 0; n < count; n++) await writer.create(largeJob);
  return [owner, `Authorization: Bearer ${await owner.secret('sandbox', 'read')}`];
}

const transports = { http: () => ({}), https: tlsSettings };

describe('a request ends exactly once', () => {
  let auth: string;
  before(async () => {
    auth = `Authorization: Bearer ${await (await newCompany()).secret('sandbox', 'write')}`;
  });

  const creation = (key: string, bearer = auth) => {
    const text = JSON.stringify(minimalJob);
    const lines = [`Idempotency-Key: ${key}`, json, `Content-Length: ${Buffer.byteLength(text)}`];
    return head('POST /sandbox/v1/jobs HTTP/1.1', 'Host: 127.0.0.1', bearer, ...lines) + text;
  };

  for (const [transport, settings] of Object.entries(transports))
    it(`anonymous requests behind unread pages take no place, over ${transport}`, async () => {
      const { server, app } = await startWholeApp({ MAX_IN_FLIGHT: '8', ...settings() });
      const flood = get('/docs').repeat(40) + get('/v1/account').repeat(300);
      const sockets = await Promise.all([sendParsed(server, flood, 2), sendUnread(server, flood)]);
      const ask = async () => statusesIn(await raw(server, get('/sandbox/v1/account', auth, closing)));
      expect(await ask(), 'while they are open').to.deep.equal([200]);
      for (const socket of sockets) socket.destroy();
      await settled(app);
      for (let n = 0; n < 10; n++) expect(await ask(), 'afterwards').to.deep.equal([200]);
    });

  it('requests that wait on a reset connection hold no place, list or page, and each gets a log line', async () => {
    const [owner, bearer] = await withLargeJobs(20);
    const { log, lines } = recordedLog();
    const { server, app, settle } = await startWholeApp({}, { log });
    const page = await PageClient.signedIn('company', await newUser(owner), server);
    lines.length = 0;
    for (const bytes of [get('/sandbox/v1/jobs?per_page=100', bearer), get('/dashboard', `Cookie: ${page.cookie}`)])
      (await sendParsed(server, bytes.repeat(6), 6)).destroy();
    await settled(app);
    await until(() => lines.length >= 12);
    const reader = await owner.reader('sandbox', server);
    for (let n = 0; n < 4; n++) expect((await reader.get('/jobs?per_page=1')).status).to.equal(200);
    for (let n = 0; n < 4; n++) expect((await page.get('/credentials')).status).to.equal(200);
    await settle();
    expect(new Set(lines.map(({ requestId }) => requestId)).size).to.equal(lines.length);
    expect(lines.length).to.equal(12 + 8);
  });

  it('every create behind an unread page is in the log and in the company’s list of requests', async () => {
    const owner = await newCompany();
    const bearer = `Authorization: Bearer ${await owner.secret('sandbox', 'write')}`;
    const { log, lines } = recordedLog();
    const { server, settle, app } = await startWholeApp({}, { log });
    const creates = times(8, (n) => creation(`unread-${n}`, bearer));
    (await sendParsed(server, get('/docs') + creates.join(''), 9)).destroy();
    await settled(app);
    await until(() => lines.length >= 9);
    await settle();
    const where = { companyId: owner.id };
    const jobs = await db().job.count({ where });
    expect(await db().loggedRequest.count({ where: { ...where, operation: 'createJob' } })).to.equal(jobs);
    expect(lines.filter(({ operation }) => operation === 'createJob')).to.have.length(jobs);
  });

  /** The bytes of one connection, and the expected statuses of the answers. */
  const pipelines: Record<string, () => [bytes: string, statuses: number[], isLogged?: true][]> = {
    'pipelined requests are answered in order, one after the other': () => {
      const create = creation('pipelined');
      const last = get('http://vaga.example/sandbox/v1/account', auth, closing);
      return [[create + create + get('/sandbox/v1/nothing', auth) + last, [201, 200, 404, 200], true]];
    },
    'nothing runs behind the last response': () => {
      const create = creation('after-the-last');
      return [
        [get('/sandbox/v1/account', auth, closing) + create, [200]],
        // The key is unused.
        [create + get('/healthz', closing), [201, 200]],
      ];
    },
    'of many pipelined requests, the first nine are answered and no other begins': () => {
      const creates = (name: string) => times(12, (n) => creation(`${name}-${n}`)).join('');
      const nine = Array(9).fill(201);
      const upload = creation('uploaded').replace(/Content-Length: .*/s, `Content-Length: 300000\r\n\r\n`);
      return [
        [creates('many'), nine, true],
        [`${creates('broken')}NOT HTTP\r\n\r\n`, nine],
        [creates('uploading') + upload + 'x'.repeat(300_000), nine],
      ];
    },
    'what is pending is answered before a malformed head is refused': () => {
      const unfinished = creation('unfinished').slice(0, -10);
      return [
        [`${creation('before-malformed')}NOT HTTP\r\n\r\n`, [201, 400]],
        [get('/sandbox/v1/account', auth) + unfinished.replace(/Content-Length: \d+/, chunked), [200, 400]],
      ];
    },
    'the next request after a refused chunked upload is answered': () => {
      const upload = `${`2000\r\n${'x'.repeat(8192)}\r\n`.repeat(25)}0\r\n\r\n`;
      const refusing = (refused: number, path: string, type: string, bearer = auth): [string, number[]] => {
        const lines = ['Host: 127.0.0.1', bearer, `Content-Type: ${type}`, 'Idempotency-Key: k', chunked];
        const sent = head(`POST ${path} HTTP/1.1`, ...lines) + upload;
        return [sent + get('/sandbox/v1/account', auth, closing), [refused, 200]];
      };
      return [
        ...['/sandbox/v1/jobs', '/sandbox/mcp'].flatMap((path) => [
          refusing(415, path, 'text/plain'),
          refusing(413, path, 'application/json'),
        ]),
        refusing(401, '/sandbox/v1/jobs', 'application/json', 'Authorization: Bearer none'),
      ];
    },
  };

  for (const [name, rows] of Object.entries(pipelines))
    it(name, async () => {
      const { log, lines } = recordedLog();
      const at = await startApp({}, { log });
      for (const [bytes, statuses, isLogged] of rows()) {
        expect(statusesIn(await raw(at, bytes))).to.deep.equal(statuses);
        if (isLogged) expect(lines.map(({ status }) => status)).to.deep.equal(statuses);
      }
    });

  for (const [transport, settings] of Object.entries(transports))
    it(`a stop waits for no connection that has sent no request, over ${transport}`, async () => {
      const longest = { HEADERS_TIMEOUT_SECONDS: '119', REQUEST_TIMEOUT_SECONDS: '119' };
      const { server, app } = await startWholeApp({ ...settings(), ...longest });
      const admitted = times(2, () => once(server, 'connection'));
      const silent = open(server, { isPlain: true }).on('error', () => undefined);
      const begun = open(server, { isPlain: true }).on('error', () => undefined);
      // The beginning of a TLS record, or of a method.
      begun.write(transport === 'https' ? Buffer.from([22, 3, 1]) : 'GE');
      await Promise.all(admitted);
      await drain(server, app.connections, 0.1);
      for (const socket of [silent, begun]) socket.destroy();
    });

  it('a connection with more than a few waiting requests is closed', async () => {
    const { server, app } = await startWholeApp();
    const socket = open(server);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => undefined).resume();
    socket.write(get('/sandbox/v1/account', auth).repeat(1000));
    await closed;
    await settled(app);
  });

  it('a client that keeps sending and reads nothing is closed after the send timeout', async () => {
    const { server } = await startWholeApp({ SEND_TIMEOUT_SECONDS: '1' });
    const [, bearer] = await withLargeJobs(60);
    const closed = once(server, 'connection').then(([connection]) => once(connection, 'close'));
    const socket = await sendUnread(server, get('/sandbox/v1/jobs?per_page=100', bearer));
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const drip = setInterval(() => socket.write('x'), 50);
    await closed;
    clearInterval(drip);
    socket.destroy();
  });

  for (const [transport, settings] of Object.entries(transports))
    it(`the response to an upload too large to drain closes the connection and arrives completely, over ${transport}`, async () => {
      const at = await startApp(settings());
      for (const [refused, line, type, bytes, ...lines] of [
        [415, 'POST /sandbox/v1/jobs', 'text/plain', 2e6],
        [415, 'POST /sandbox/mcp', 'text/plain', 2e6],
        [413, 'POST /sandbox/v1/jobs', 'application/json', 2e6],
        [413, 'POST /sandbox/mcp', 'application/json', 2e6],
        [405, 'DELETE /sandbox/mcp', 'application/json', 2e6],
        [404, 'PUT /nothing', 'application/json', 2e6],
        // The client announces it.
        [413, 'POST /sandbox/v1/jobs', 'application/json', 5e5, closing],
        [417, 'POST /sandbox/v1/jobs', 'application/json', 5e5, 'Expect: nothing'],
      ] as const) {
        const length = `Content-Length: ${bytes}`;
        const all = [auth, `Content-Type: ${type}`, 'Idempotency-Key: k', length, ...lines];
        const sent = [
          head(`${line} HTTP/1.1`, 'Host: 127.0.0.1', ...all),
          ...times(bytes / 2e4, () => 'x'.repeat(2e4)),
        ];
        const { status, headers, text, body } = parseAnswer(await readAfterwards(at, sent));
        expect([status, headers.connection], `${line} ${type}`).to.deep.equal([refused, 'close']);
        // A refusal whose id is not known is a text over MCP.
        if (headers['content-type']?.startsWith('text/plain')) expect(text, line).to.match(/^\w.*[.]$/);
        else expect(body, `${line} ${type}`).to.have.property('error');
      }
    });

  /** Uploads until the server closes the connection. */
  const uploadWithoutEnd = async (at: Server): Promise<void> => {
    const socket = open(at);
    socket.on('error', () => undefined).resume();
    let closed = false;
    socket.on('close', () => (closed = true));
    socket.write(head('POST /sandbox/v1/jobs HTTP/1.1', 'Host: x', chunked, json));
    while (!closed) {
      socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`);
      await immediately();
    }
  };

  it('an endless refused upload is cut off; a completed one leaves its connection open', async () => {
    const at = await startApp();
    const ended = open(at);
    const upload = `186a0\r\n${'x'.repeat(100_000)}\r\n`.repeat(20);
    const answered = once(ended, 'data');
    await new Promise((done) =>
      ended.write(`${head('POST /sandbox/v1/jobs HTTP/1.1', 'Host: x', chunked, json) + upload}0\r\n\r\n`, done),
    );
    await answered;
    await uploadWithoutEnd(at);
    ended.write(get('/healthz', closing));
    expect(statusesIn(String(await once(ended, 'data')))).to.deep.equal([200]);
  });

  it('an answered upload whose rest is broken gets no second answer', async () => {
    const at = await startApp();
    const socket = open(at);
    let answers = '';
    socket.on('data', (data) => (answers += data));
    const answered = once(socket, 'data');
    socket.write(`${head('POST /sandbox/v1/jobs HTTP/1.1', 'Host: x', chunked, json)}3\r\n{"a\r\n`);
    await answered;
    const closed = once(socket, 'close');
    socket.write('no size of a chunk\r\n');
    await closed;
    expect(statusesIn(answers)).to.deep.equal([401]);
  });

  describe('the number of connections is limited', () => {
    const account = get('/sandbox/v1/account');

    /** Opens a connection that sends these bytes, if any, and resolves when the server has accepted it. */
    const hold = async (at: Server, bytes = '', isPlain = false): Promise<Socket> => {
      const accepted = once(at, 'connection');
      const socket = open(at, { isPlain });
      socket.on('error', () => undefined);
      if (bytes) socket.write(bytes);
      else socket.resume();
      await accepted;
      return socket;
    };
    /** Unlike `once`, resolves even if an error comes first. */
    const closed = (socket: Socket): Promise<unknown> => new Promise((done) => socket.on('close', done));
    /** Sends a request on an open connection and resolves with the status. */
    const answerOn = async (socket: Socket, bytes: string): Promise<number | undefined> => {
      const data = once(socket, 'data');
      socket.write(bytes);
      return statusesIn(String(await data))[0];
    };

    for (const [transport, settings] of Object.entries(transports))
      it(`past the limit the longest idle connection is closed, never an active one, over ${transport}`, async () => {
        const { server, app } = await startWholeApp({ MAX_CONNECTIONS: '4', ...settings() });
        const begun = once(server, 'request');
        const working = await hold(server, creation(`kept-${transport}`).slice(0, -1));
        await begun;
        const used = await hold(server);
        // No byte yet, and over TLS no handshake.
        const silent = await hold(server, '', true);
        const halfHead = await hold(server, 'GET /healthz HTTP/1.1\r\nHost: ');
        expect(await answerOn(used, account)).to.equal(401);
        const inOrder = [silent, halfHead, used];
        const newer: Socket[] = [];
        for (const socket of inOrder) {
          const gone = closed(socket);
          newer.push(await hold(server));
          await gone;
        }
        expect(app.stats().connectionsRefused).to.equal(3);
        for (const [n, socket] of newer.entries()) {
          const parsed = once(server, 'request');
          socket.write(creation(`newer-${transport}-${n}`).slice(0, -1));
          await parsed;
        }
        await closed(await hold(server));
        expect(app.stats().connectionsRefused).to.equal(4);
        for (const socket of [working, ...newer]) {
          expect(await answerOn(socket, '}')).to.equal(201);
          socket.destroy();
        }
      });

    it('connections of a trusted proxy are not limited', async () => {
      const at = await startApp({ MAX_CONNECTIONS: '2', TRUST_PROXY: '127.0.0.1' });
      const first = await hold(at);
      const others = [await hold(at), await hold(at), await hold(at), await hold(at)];
      expect(await answerOn(first, account)).to.equal(401);
      for (const socket of [first, ...others]) socket.destroy();
    });
  });
});
