import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import pg from 'pg';
import supertest from 'supertest';
import { openDatabase } from '../../src/database/open.ts';
import { databaseUrl, newCompany, startApp, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { newUser, PageClient } from '../helper/page-client.ts';
import { head, open } from '../helper/raw-http.ts';
import { largeJob, minimalJob } from '../helper/sample-jobs.ts';
import { times } from '../helper/times.ts';

const wholeSandbox = 100;
const longest = '/jobs?per_page=100';

/** Requests the longest list and reads nothing of the response. */
function askAndNeverRead(at: Server, secret: string): Socket {
  const socket = open(at);
  socket.on('error', () => undefined).pause();
  socket.write(head(`GET /sandbox/v1${longest} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${secret}`));
  return socket;
}

describe('one company cannot hold up another', function () {
  this.timeout(180_000);
  let large: TestCompany;
  let other: TestCompany;

  before(async () => {
    [large, other] = [await newCompany(), await newCompany()];
    const writer = await large.writer();
    for (let i = 0; i < wholeSandbox; i++) expect((await writer.create(largeJob)).status).to.equal(201);
  });

  it('with a page of a hundred large jobs, which it gets in full: over REST, in MCP’s text and in MCP’s object', async () => {
    const { status, body, text } = await (await large.reader()).get(longest);
    expect([status, body.data.length, body.data[0].requirements]).to.deep.equal([200, 100, largeJob.requirements]);
    expect(Buffer.byteLength(text)).to.be.greaterThan(10_000_000);
    const client = new McpClient(await startApp(), 'sandbox', await large.secret('sandbox', 'read'));
    expect((await client.call('list_jobs', { per_page: 100 })).response).to.deep.equal(body);
  });

  it('with clients that do not read: they hold a quarter of the slots, and other companies are served', async () => {
    const { server, app } = await startWholeApp({ MAX_IN_FLIGHT: '40' });
    const secret = await large.secret('sandbox', 'read');
    const [reader, own] = [await other.reader('sandbox', server), await large.reader('sandbox', server)];
    const unread = times(45, () => askAndNeverRead(server, secret));
    while (app.stats().inFlight < 10 || app.stats().overloadRefusals < 35) await new Promise(setImmediate);
    expect(app.stats().inFlight).to.equal(10);
    for (const path of ['/account', '/categories', '/jobs', longest])
      expect((await reader.get(path)).status, path).to.equal(200);
    const refused = await own.get('/account');
    expect([refused.status, refused.body.error.details.reason]).to.deep.equal([503, 'overload']);
    for (const socket of unread) socket.destroy();
    while (app.stats().inFlight > 0) await new Promise(setImmediate);
    expect((await own.get('/account')).status).to.equal(200);
  });

  it('with clients that disconnect before authentication: their slots are released', async () => {
    const { server, app } = await startWholeApp({ MAX_IN_FLIGHT: '40' });
    const secret = await other.secret('sandbox', 'read');
    for (let n = 0; n < 15; n++) {
      const arrived = once(server, 'request');
      askAndNeverRead(server, secret);
      const [request] = await arrived;
      request.socket.destroy();
    }
    while (app.stats().inFlight > 0) await new Promise(setImmediate);
    const reader = await other.reader('sandbox', server);
    for (let n = 0; n < 3; n++) expect((await reader.get('/account')).status).to.equal(200);
  });

  it('with an MCP batch of long lists: past 8 MiB of responses the rest of the batch is refused', async () => {
    const client = new McpClient(await startApp(), 'sandbox', await large.secret('sandbox', 'read'));
    const batch = async (per_page: number) => {
      const params = { name: 'list_jobs', arguments: { per_page } };
      const { status, body } = await client.post(
        times(20, (id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params })),
      );
      expect(status).to.equal(200);
      expect(body.map(({ id }: { id: number }) => id)).to.deep.equal(times(20, (n) => n));
      return body;
    };
    const [first, ...others] = await batch(100);
    expect(first.result.structuredContent.response.data).to.have.length(wholeSandbox);
    const data = { status: 413, reason: 'batch_bytes', batch_bytes_max: 8_388_608 };
    for (const { error } of others) expect(error).to.deep.include({ code: -32000, data });
    for (const { result } of await batch(1)) expect(result.structuredContent.response.data).to.have.length(1);
  });

  it('with pages that wait for a lock: API requests and /readyz do not wait', async function () {
    const url = databaseUrl();
    if (url === undefined) this.skip();
    // Its statements wait for as long as the lock is held, so that requests behind them would never get a response.
    const database = await openDatabase({ databaseUrl: url, dataDir: ':memory:', statementTimeoutMs: 120_000 });
    const locker = new pg.Client(url);
    await locker.connect();
    try {
      const { server } = await startWholeApp({}, { database });
      const page = await PageClient.signedIn('company', await newUser(large), server);
      await locker.query('BEGIN; LOCK TABLE request_log IN ACCESS EXCLUSIVE MODE');
      const pages = times(8, () => page.get('/requests'));
      const waiting = `SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted AND relation = 'request_log'::regclass`;
      while ((await locker.query(waiting)).rows[0].count < 2) await new Promise(setImmediate);
      const writer = await other.writer('sandbox', server);
      for (const path of ['/account', '/categories', '/jobs']) expect((await writer.get(path)).status).to.equal(200);
      expect((await writer.create(minimalJob)).status).to.equal(201);
      expect((await supertest(server).get('/readyz')).status).to.equal(200);
      await locker.query('ROLLBACK');
      for (const { status } of await Promise.all(pages)) expect([200, 503]).to.include(status);
    } finally {
      await locker.end();
      await database.close();
    }
  });

  it('with changes whose commits take long: requests of other companies do not wait', async function () {
    const url = databaseUrl();
    if (url === undefined) this.skip();
    const database = await openDatabase({ databaseUrl: url, dataDir: ':memory:', statementTimeoutMs: 120_000 });
    const locker = new pg.Client(url);
    await locker.connect();
    try {
      const { server, app } = await startWholeApp({}, { database });
      const slow = await large.writer('sandbox', server);
      const { id } = (await slow.get('/jobs?per_page=1')).body.data[0];
      await locker.query('BEGIN');
      await locker.query('SELECT FROM jobs WHERE id = $1 FOR UPDATE', [id]);
      const changes = Array.from({ length: 20 }, (_, n) => slow.patch(id, { title: `Eletricista ${n}` }));
      const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while (app.stats().inFlight < 20 || (await locker.query(waiting)).rows[0].count < 2)
        await new Promise(setImmediate);
      const [reader, writer] = [await other.reader('sandbox', server), await other.writer('sandbox', server)];
      for (const path of ['/account', '/categories', '/jobs']) expect((await reader.get(path)).status).to.equal(200);
      expect((await writer.create(minimalJob)).status).to.equal(201);
      await locker.query('ROLLBACK');
      for (const { status } of await Promise.all(changes)) expect([200, 503]).to.include(status);
    } finally {
      await locker.end();
      await database.close();
    }
  });
});
