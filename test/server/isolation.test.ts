import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import pg from 'pg';
import supertest from 'supertest';
import { openDatabase } from '../../src/database/open.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { portOf } from '../helper/address.ts';
import { databaseUrl, newCompany, startApp, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { newUser, PageClient } from '../helper/page-client.ts';
import type { RestClient } from '../helper/rest-client.ts';
import { largeJob, minimalJob } from '../helper/sample-jobs.ts';

const wholeSandbox = 100;

async function companyWithLargeJobs(): Promise<TestCompany> {
  const company = await newCompany();
  const writer = await company.writer();
  for (let i = 0; i < wholeSandbox; i++) expect((await writer.create(largeJob)).status).to.equal(201);
  return company;
}

/** Requests the longest list and reads nothing of the response. */
async function askAndNeverRead(at: Server, secret: string): Promise<Socket> {
  const port = portOf(at);
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  socket.on('error', () => undefined);
  socket.write(
    `GET /sandbox/v1/jobs?per_page=100 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\n\r\n`,
  );
  return socket;
}

describe('one company cannot hold up another', function () {
  this.timeout(180_000);
  let large: TestCompany;
  let other: TestCompany;
  const readerOf = (at: Server, environment: Environment = 'sandbox'): Promise<RestClient> =>
    other.reader(environment, at);

  before(async () => {
    large = await companyWithLargeJobs();
    other = await newCompany();
  });

  it('with a page of a hundred large jobs, which it gets in full', async () => {
    const answer = await (await large.reader()).get('/jobs?per_page=100');
    expect([answer.status, answer.body.data.length]).to.deep.equal([200, wholeSandbox]);
    expect(Buffer.byteLength(answer.text)).to.be.greaterThan(10_000_000);
  });

  it('with clients that do not read: they hold a quarter of the slots, and other companies are served', async () => {
    const { server, app } = await startWholeApp({ MAX_IN_FLIGHT: '40' });
    const secret = await large.secret('sandbox', 'read');
    const reader = await readerOf(server);
    const unread = await Promise.all(Array.from({ length: 45 }, () => askAndNeverRead(server, secret)));
    while (app.stats().inFlight < 10 || app.stats().overloadRefusals < 35) await new Promise(setImmediate);
    expect(app.stats().inFlight).to.equal(10);
    for (const path of ['/account', '/categories', '/jobs', '/jobs?per_page=100'])
      expect((await reader.get(path)).status, path).to.equal(200);
    const refused = await (await large.reader('sandbox', server)).get('/account');
    expect([refused.status, refused.body.error.details.reason]).to.deep.equal([503, 'overload']);
    for (const socket of unread) socket.destroy();
    while (app.stats().inFlight > 0) await new Promise(setImmediate);
    expect((await (await large.reader('sandbox', server)).get('/account')).status).to.equal(200);
  });

  it('with clients that disconnect before authentication: their slots are released', async () => {
    const { server, app } = await startWholeApp({ MAX_IN_FLIGHT: '40' });
    const secret = await other.secret('sandbox', 'read');
    for (let n = 0; n < 15; n++) {
      const arrived = once(server, 'request');
      await askAndNeverRead(server, secret);
      const [request] = await arrived;
      request.socket.destroy();
    }
    while (app.stats().inFlight > 0) await new Promise(setImmediate);
    for (let n = 0; n < 3; n++) expect((await (await readerOf(server)).get('/account')).status).to.equal(200);
  });

  it('with an MCP batch of long lists: past 8 MiB of responses the rest of the batch is refused', async () => {
    const client = new McpClient(await startApp(), 'sandbox', await large.secret('sandbox', 'read'));
    const list = (id: number, perPage: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'list_jobs', arguments: { per_page: perPage } },
    });
    const answer = await client.post([list(0, 100), ...Array.from({ length: 19 }, (_, i) => list(i + 1, 100))]);
    expect(answer.status).to.equal(200);
    expect(answer.body.map(({ id }: { id: number }) => id)).to.deep.equal(Array.from({ length: 20 }, (_, i) => i));
    expect(answer.body[0].result.structuredContent.response.data).to.have.length(wholeSandbox);
    for (const { error } of answer.body.slice(1)) {
      expect(error.code).to.equal(-32000);
      expect(error.message).to.match(/not run.*per_page/);
      expect(error.data).to.deep.equal({ status: 413, reason: 'batch_bytes', batch_bytes_max: 8_388_608 });
    }
    const small = await client.post(Array.from({ length: 20 }, (_, i) => list(i, 1)));
    for (const { result } of small.body) expect(result.structuredContent.response.data).to.have.length(1);
  });

  it('the longest list is the same over REST, in MCP’s text and in MCP’s object', async () => {
    const { body } = await (await large.reader()).get('/jobs?per_page=100');
    expect(body.data[0].requirements).to.equal(largeJob.requirements);
    const client = new McpClient(await startApp(), 'sandbox', await large.secret('sandbox', 'read'));
    const { response } = await client.call('list_jobs', { per_page: 100 });
    expect(response).to.deep.equal(body);
  });

  it('with pages that wait for a lock: API requests and /readyz do not wait', async function () {
    const url = databaseUrl();
    if (url === undefined) this.skip();
    // Its statements wait for as long as the lock is held, so that requests behind them would never get a response.
    const database = await openDatabase({ databaseUrl: url, dataDir: ':memory:', statementTimeoutMs: 120_000 });
    const locker = new pg.Client(url);
    await locker.connect();
    try {
      const { server } = await startWholeApp({}, { database: database });
      const page = await PageClient.signedIn('company', await newUser(large), server);
      await locker.query('BEGIN; LOCK TABLE request_log IN ACCESS EXCLUSIVE MODE');
      const pages = Array.from({ length: 8 }, () => page.get('/requests'));
      const waiting = `SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted AND relation = 'request_log'::regclass`;
      while ((await locker.query(waiting)).rows[0].count < 2) await new Promise(setImmediate);
      const [reader, writer] = [await readerOf(server), await other.writer('sandbox', server)];
      for (const path of ['/account', '/categories', '/jobs']) expect((await reader.get(path)).status).to.equal(200);
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
      const [reader, writer] = [await readerOf(server), await other.writer('sandbox', server)];
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
