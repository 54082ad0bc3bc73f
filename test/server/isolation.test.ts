import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import pg from 'pg';
import supertest from 'supertest';
import { openDatabase } from '../../src/database/open.ts';
import { databaseUrl, db, newCompany, startApp, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { newUser, PageClient } from '../helper/page-client.ts';
import { head, open, posting } from '../helper/raw-http.ts';
import { largeJob, minimalJob } from '../helper/sample-jobs.ts';
import { onCitus } from '../helper/test-database.ts';
import { times, until } from '../helper/times.ts';

const wholeSandbox = 100;
const longest = '/jobs?per_page=100';

describe('one company cannot delay another', () => {
  let large: TestCompany;
  let other: TestCompany;
  /** A page of the other company's person. */
  let email: string;
  let largeEmail: string;

  before(async () => {
    [large, other] = [await newCompany(), await newCompany()];
    [email, largeEmail] = [await newUser(other), await newUser(large)];
    const writer = await large.writer();
    for (let i = 0; i < wholeSandbox; i++) expect((await writer.create(largeJob)).status).to.equal(201);
  });

  it('with a page of a hundred large jobs, which it gets completely: over REST, in MCP’s text and in MCP’s object', async () => {
    const { status, body, text } = await (await large.reader()).get(longest);
    expect([status, body.data.length, body.data[0].requirements]).to.deep.equal([200, 100, largeJob.requirements]);
    expect(Buffer.byteLength(text)).to.be.greaterThan(10_000_000);
    const client = new McpClient(await startApp(), 'sandbox', await large.secret('sandbox', 'read'));
    expect((await client.call('list_jobs', { per_page: 100 })).response).to.deep.equal(body);
  });

  const listCall = (id: number) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name: 'list_jobs', arguments: { per_page: 100 } },
  });
  const longLists: readonly ((secret: string) => string)[] = [
    (secret) => head(`GET /sandbox/v1${longest} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${secret}`),
    (secret) => posting('POST /sandbox/mcp', secret, listCall(1)),
    (secret) => posting('POST /sandbox/mcp', secret, times(20, listCall)),
  ];
  async function serveBesideUnread(request: (secret: string) => string): Promise<void> {
    // No connection is given up during the test, however slow the machine is.
    const { server, app, settle } = await startWholeApp({ MAX_IN_FLIGHT: '40', SEND_TIMEOUT_SECONDS: '3600' });
    const reader = await large.reader('sandbox', server);
    const page = await PageClient.signedIn('company', largeEmail, server);
    const unread = times(12, async () => {
      const socket = open(server).on('error', () => undefined);
      const begun = once(socket, 'readable');
      socket.write(request(await large.secret('sandbox', 'read')));
      await begun;
      return socket;
    });
    // The others wait for room that the first ones hold.
    await Promise.all([Promise.race(unread), Promise.race(unread.slice(1))]);
    await expectServed(server, other);
    for (const path of ['/account', '/categories', '/jobs?per_page=1'])
      expect((await reader.get(path)).status, path).to.equal(200);
    const writer = await large.writer('sandbox', server);
    const { id } = (await writer.get('/jobs?per_page=1')).body.data[0];
    expect((await writer.patch(id, { title: `Eletricista ${n++}` })).status).to.equal(200);
    expect((await page.get('/credentials')).status).to.equal(200);
    const agent = new McpClient(server, 'sandbox', await large.secret('sandbox', 'read'));
    const refused = await Promise.all([reader.get(longest), agent.post(listCall(1)), agent.post([listCall(1)])]);
    expect(refused.map(({ status }) => status)).to.deep.equal([503, 503, 200]);
    const [{ body }, , { body: batch }] = refused;
    expect([body.error.details.reason, batch[0].error.data.reason]).to.deep.equal(['overload', 'overload']);
    await settle();
    for (const { headers } of refused) {
      const where = { companyId: large.id, requestId: String(headers['x-request-id']) };
      const logged = await db().loggedRequest.findMany({
        where,
        select: { operation: true, status: true, reason: true },
      });
      // A batch is HTTP 200, and its calls have a status each.
      expect(logged).to.deep.equal([{ operation: 'listJobs', status: 503, reason: 'overload' }]);
    }
    for (const socket of await Promise.all(unread)) socket.destroy();
    await until(() => app.stats().inFlight === 0);
    expect((await reader.get(longest)).status).to.equal(200);
  }

  it('with clients that do not read, over REST, MCP and batches of MCP: none holds a place, and only the company’s next long lists wait', async () => {
    // Each on a server of its own, at the same time, because a refusal comes after a wait.
    await Promise.all(longLists.map(serveBesideUnread));
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

  /** A case of waiting in the database: the lock, the request, and the same request by a client that stays. */
  type Waiting = (
    server: Server,
  ) => Promise<{ lock: string; request: string; stay: () => Promise<{ status: number }> }>;

  const pages: Waiting = async (server) => {
    const page = await PageClient.signedIn('company', largeEmail, server);
    const request = head('GET /dashboard/requests HTTP/1.1', 'Host: localhost', `Cookie: ${page.cookie}`);
    return { lock: 'LOCK TABLE request_log IN ACCESS EXCLUSIVE MODE', request, stay: () => page.get('/requests') };
  };
  const changes =
    (asMessage?: (call: object) => unknown): Waiting =>
    async (server) => {
      const writer = await large.writer('sandbox', server);
      const { id } = (await writer.get('/jobs?per_page=1')).body.data[0];
      const job = { title: `Eletricista ${n++}` };
      const params = { name: 'update_job', arguments: { id, job } };
      const [line, body] = asMessage
        ? ['POST /sandbox/mcp', asMessage({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })]
        : [`PATCH /sandbox/v1/jobs/${id}`, job];
      const request = posting(line, await large.secret('sandbox', 'write'), body);
      const stay = () => writer.patch(id, { title: `Eletricista ${n++}` });
      // Citus locks rows of one company only.
      const own = `company_id = ${large.id} AND environment = 'sandbox'`;
      return { lock: `SELECT FROM jobs WHERE ${own} AND id = ${id} FOR UPDATE`, request, stay };
    };
  let n = 0;

  for (const [what, wait] of Object.entries({
    pages,
    'changes by REST': changes(),
    'changes by MCP': changes((call) => call),
    'changes by a batch': changes((call) => [call, { ...call, id: 2 }]),
  }))
    it(`with ${what} that wait for a lock, also if their clients leave`, async function () {
      await besideLocks(this, async ({ server, app, locker, blocked }) => {
        const { lock, request, stay } = await wait(server);
        const others = await PageClient.signedIn('company', email, server);
        const own = await large.reader('sandbox', server);
        const page = await PageClient.signedIn('company', largeEmail, server);
        await locker.query('BEGIN');
        await locker.query(lock);
        for (let round = 0; round < 3; round++) {
          const leave = await sendTimes(4, request, server);
          await until(async () => (await blocked()) === 2);
          await leave();
          expect(await blocked()).to.equal(2);
        }
        const staying = times(20, stay);
        expect((await others.get('/credentials')).status).to.equal(200);
        await expectServed(server, other);
        expect((await supertest(server).get('/readyz')).status).to.equal(200);
        expect([app.stats().inFlight, await blocked()]).to.deep.equal([2, 2]);
        expect((await own.get('/jobs')).status).to.equal(200);
        if (what !== 'pages') expect((await page.get('/credentials')).status).to.equal(200);
        await locker.query('ROLLBACK');
        for (const { status } of await Promise.all(staying)) expect([200, 503]).to.include(status);
        await until(() => app.stats().inFlight === 0);
      });
    });
});

interface BesideLocks extends Awaited<ReturnType<typeof startWholeApp>> {
  readonly locker: pg.Client;
  /** How many statements wait for a lock. */
  blocked(): Promise<number>;
}

/** The service on a database whose statements wait while a lock is held, so that requests behind them would get no response. */
async function besideLocks(test: Mocha.Context, work: (beside: BesideLocks) => Promise<void>): Promise<void> {
  const url = databaseUrl();
  if (url === undefined) return test.skip();
  const database = await openDatabase({ databaseUrl: url, dataDir: ':memory:', statementTimeoutMs: 120_000 });
  const locker = new pg.Client(url);
  await locker.connect();
  // Excludes the entries of the request log.
  const waiting = `SELECT count(DISTINCT pid)::int AS blocked FROM pg_locks JOIN pg_stat_activity USING (pid)
                    WHERE datname = current_database() AND NOT granted AND mode <> 'RowExclusiveLock'`;
  const text = onCitus
    ? `SELECT sum(result::int)::int AS blocked FROM run_command_on_all_nodes($$${waiting}$$)`
    : waiting;
  // Not through the locker's connection: a transaction keeps its first view of the others' activity.
  const blocked = async () =>
    (await database.admission.rows<{ blocked: number }>({ text, values: [] }))[0]?.blocked ?? 0;
  try {
    await work({ ...(await startWholeApp({}, { database })), locker, blocked });
  } finally {
    await locker.end();
    await database.close();
  }
}

async function expectServed(at: Server, company: TestCompany): Promise<void> {
  const writer = await company.writer('sandbox', at);
  for (const path of ['/account', '/categories', '/jobs']) expect((await writer.get(path)).status, path).to.equal(200);
  expect((await writer.create(minimalJob)).status).to.equal(201);
}

/**
 * Sends a request this many times, each on its own connection. Returns a function that disconnects them all, and resolves when the server
 * has noticed.
 */
async function sendTimes(count: number, request: string, at: Server): Promise<() => Promise<void>> {
  const pairs: [Socket, Socket][] = [];
  while (pairs.length < count) {
    const arrived = once(at, 'request') as Promise<[IncomingMessage]>;
    const socket = open(at).on('error', () => undefined);
    socket.write(request);
    const [{ socket: received }] = await arrived;
    pairs.push([socket, received]);
  }
  return async () => {
    const closed = pairs.map(([, received]) => new Promise((resolve) => received.once('close', resolve)));
    for (const [socket] of pairs) socket.destroy();
    await Promise.all(closed);
  };
}
