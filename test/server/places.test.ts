import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Db } from '../../src/database/open.ts';
import { suspendCompany } from '../../src/operations/companies/people/change-company.ts';
import { revokeCredential } from '../../src/operations/credentials/people/revoke-credential.ts';
import { memoryStore } from '../../src/rate-limit/limit-store.ts';
import { actionContext, clock, db, newCompany, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { heldDatabase } from '../helper/gated-database.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { newUser, PageClient } from '../helper/page-client.ts';
import { head, open, posting } from '../helper/raw-http.ts';
import { largeJob, minimalJob } from '../helper/sample-jobs.ts';
import { immediately, times, until } from '../helper/times.ts';

const toolCall = (name: string, given: object, id = 7) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: given },
});
const creating = toolCall('create_job', { idempotency_key: 'late', job: minimalJob });

/** Requests with a body, by protocol: the line of each, what it sends and where the body begins. */
const bodies = {
  'a create': ['POST /sandbox/v1/jobs', minimalJob],
  'a change': ['PATCH /sandbox/v1/jobs/1', { title: 'Outra' }],
  'a withdrawal': ['DELETE /sandbox/v1/jobs/1', {}],
  'a read': ['GET /sandbox/v1/jobs', {}],
  'a call of MCP': ['POST /sandbox/mcp', creating],
  'a batch of MCP': ['POST /sandbox/mcp', [creating, toolCall('list_jobs', {})]],
} as const;

/** A request whose last byte is withheld. */
class Withheld {
  readonly #last: string;
  readonly #socket: Socket;

  private constructor(socket: Socket, last: string) {
    this.#socket = socket;
    this.#last = last;
  }

  /** Resolves when the server has counted the request, so that only its body is missing. */
  static async send(at: Server, what: keyof typeof bodies, secret: string, counted: () => number): Promise<Withheld> {
    const [sandbox, value] = bodies[what];
    const line = secret.startsWith('vaga_live') ? sandbox.replace('/sandbox', '') : sandbox;
    const bytes = posting(line, secret, value, 'Idempotency-Key: late', 'Connection: close');
    const before = counted();
    const socket = open(at).on('error', () => undefined);
    socket.write(bytes.slice(0, -1));
    await until(() => counted() > before);
    await immediately();
    return new Withheld(socket, bytes.slice(-1));
  }

  /** The status, and the first object of the answer: a batch arrives in chunks. */
  async finish() {
    this.#socket.write(this.#last);
    const answer = await text(this.#socket);
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? [];
    const [json = ''] = /^\{.*\}$/m.exec(answer) ?? [];
    return { status: Number(status), body: JSON.parse(json) };
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** The service, and how many requests it has counted. */
async function startCounting(own: { db?: Db } = {}) {
  let requests = 0;
  const limitStore = {
    ...memoryStore(60),
    add: async (_key: string, points: number) => {
      requests += points;
      return { points: 1, seconds: 60 };
    },
  };
  return { ...(await startWholeApp({}, { ...own, limitStore })), counted: () => requests };
}

describe('a place is held for work', () => {
  for (const what of Object.keys(bodies) as (keyof typeof bodies)[])
    it(`no place for the withheld body of ${what}`, async () => {
      const { server, app, counted } = await startCounting();
      const company = await newCompany();
      const page = await PageClient.signedIn('company', await newUser(company), server);
      for (const access of ['read', 'write'] as const) {
        const secret = await company.secret('sandbox', access);
        const withheld: Withheld[] = [];
        for (let n = 0; n < 4; n++) withheld.push(await Withheld.send(server, what, secret, counted));
        expect(app.stats().inFlight).to.equal(0);
        const writer = await company.writer('sandbox', server);
        expect((await writer.create(minimalJob)).status).to.equal(201);
        expect((await writer.get('/jobs')).status).to.equal(200);
        const client = new McpClient(server, 'sandbox', secret);
        expect((await client.call('list_jobs')).status).to.equal(200);
        expect((await page.get('/credentials')).status).to.equal(200);
        for (const one of withheld) one.close();
      }
    });

  it('no place for a page’s withheld form', async () => {
    const { server, app } = await startWholeApp();
    const page = await PageClient.signedIn('company', await newUser(await newCompany()), server);
    const lines = [`Cookie: ${page.cookie}`, 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 9'];
    const sockets = await Promise.all(
      times(4, async () => {
        const begun = once(server, 'request');
        const socket = open(server).on('error', () => undefined);
        socket.write(head('POST /dashboard/credentials/issue HTTP/1.1', 'Host: localhost', ...lines));
        await begun;
        return socket;
      }),
    );
    expect((await page.get('/credentials')).status).to.equal(200);
    expect(app.stats().inFlight).to.equal(0);
    for (const socket of sockets) socket.destroy();
  });

  it('no place for a call that the credential may not make, so it does not wait', async () => {
    const held = heldDatabase();
    const { server, app } = await startWholeApp({}, { db: held.db });
    const company = await newCompany();
    const writer = await company.writer('sandbox', server);
    const working = times(2, () => writer.create(minimalJob));
    await until(() => app.stats().inFlight === 2);
    const reader = await company.reader('sandbox', server);
    expect((await reader.create(minimalJob)).status).to.equal(403);
    const client = new McpClient(server, 'sandbox', await company.secret('sandbox', 'read'));
    expect((await client.call('create_job', { idempotency_key: 'k', job: minimalJob })).status).to.equal(403);
    held.release();
    for (const { status } of await Promise.all(working)) expect(status).to.equal(201);
  });
});

/** Events that end a right, and the refusal that follows. */
const ends: Record<string, [status: number, reason: string, end: (company: TestCompany) => Promise<unknown>]> = {
  'a revoked credential': [
    401,
    'credential',
    async ({ id }) => {
      for (const { id: credentialId } of await db().credential.findMany({ where: { companyId: id } }))
        await revokeCredential(actionContext(), { companyId: id, credentialId });
    },
  ],
  'an expired credential': [401, 'credential', async () => (clock.aheadMs += 366 * 86_400_000)],
  'a suspended company': [403, 'permission', ({ id }) => suspendCompany(actionContext(), { companyId: id })],
  'an ended plan': [
    403,
    'plan',
    ({ id: companyId }) => db().subscription.update({ where: { companyId }, data: { endsAt: clock.now() } }),
  ],
  'a withdrawn approval': [
    403,
    'approval',
    ({ id }) => db().company.update({ where: { id }, data: { productionApprovedAt: null } }),
  ],
};

describe('rights are checked when they are used', () => {
  afterEach(() => {
    clock.aheadMs = 0;
  });

  for (const [title, [status, reason, end]] of Object.entries(ends)) {
    it(`${title} writes nothing with a body that arrives later`, async () => {
      const { server, counted } = await startCounting();
      for (const what of ['a create', 'a call of MCP', 'a batch of MCP'] as const) {
        const company = await newCompany();
        const secret = await company.secret('production', 'write');
        const withheld = await Withheld.send(server, what, secret, counted);
        await end(company);
        const answer = await withheld.finish();
        clock.aheadMs = 0;
        const { error, id } = answer.body;
        const expected = [what === 'a batch of MCP' ? 200 : status, reason, what === 'a create' ? undefined : 7];
        expect([answer.status, (error.data ?? error.details).reason, id]).to.deep.equal(expected);
        expect(await db().job.count({ where: { companyId: company.id } })).to.equal(0);
      }
    });

    it(`${title} writes nothing after a wait for a place`, async () => {
      const held = heldDatabase();
      const { server, app, counted } = await startCounting({ db: held.db });
      const company = await newCompany();
      const other = await company.writer('sandbox', server);
      const working = times(2, () => other.create(minimalJob));
      await until(() => app.stats().inFlight === 2);
      const before = counted();
      const writer = await company.writer('production', server);
      const waiting = writer.create(minimalJob);
      await until(() => counted() > before);
      await immediately();
      await end(company);
      held.release();
      expect((await waiting).status).to.equal(status);
      await Promise.all(working);
      expect(await db().job.count({ where: { companyId: company.id, environment: 'production' } })).to.equal(0);
    });
  }

  it('rights for a message of a batch are checked when the client has read the previous response', async () => {
    // 7 MB: more than the sockets buffer, and less than a batch may have.
    const jobs = 27;
    const { server } = await startWholeApp();
    const company = await newCompany();
    const writer = await company.writer();
    for (let n = 0; n < jobs; n++) expect((await writer.create(largeJob)).status).to.equal(201);
    const { credentialId, secret } = await company.issue('sandbox', 'write');
    const batch = [toolCall('list_jobs', { per_page: 100 }, 1), creating];
    const socket = open(server);
    const begun = once(socket, 'readable');
    socket.write(posting('POST /sandbox/mcp', secret, batch, 'Connection: close'));
    await begun;
    await revokeCredential(actionContext(), { companyId: company.id, credentialId });
    const answered = await text(socket);
    expect(answered).to.match(/"id":7,"error":\{"code":-32000,.*"status":401,"reason":"credential"/);
    expect(await db().job.count({ where: { companyId: company.id } })).to.equal(jobs);
  });
});
