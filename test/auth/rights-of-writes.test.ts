import { expect } from 'chai';
import { dateToDay } from '../../src/domain/dates.ts';
import { suspendCompany, withdrawApproval } from '../../src/operations/companies/people/change-company.ts';
import { endSubscription, setSubscription } from '../../src/operations/companies/people/set-subscription.ts';
import { revokeCredential } from '../../src/operations/credentials/people/revoke-credential.ts';
import type { StoredResource } from '../../src/operations/kit/api/stored-resource.ts';
import { storedResources } from '../../src/operations/stored/stored-resources.ts';
import { actionContext, clock, databaseUrl, db, newCompany, pagesPool, startApp } from '../helper/fixtures.ts';
import { afterTheGate } from '../helper/gated-database.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { freshKey } from '../helper/rest-client.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';
import { storedChange, storedSample } from '../helper/stored-samples.ts';
import { onCitus } from '../helper/test-database.ts';
import { until } from '../helper/times.ts';

/** Runs once, when the next statement that matches `before` is about to be sent. */
let change: { readonly before: RegExp; readonly make: () => Promise<unknown> } | undefined;

const gated = () =>
  afterTheGate(async (query, text) => {
    if (change?.before.test(text)) {
      const { make } = change;
      change = undefined;
      await make();
    }
    return query();
  });

/** A company that may publish, with one job and its client, on a server whose statements pass the gate. */
async function publisher() {
  const server = await startApp({}, { db: gated() });
  const acme = await newCompany({ autoPublish: true });
  const writer = await acme.writer('production', server);
  const { id } = (await writer.create(minimalJob)).body.data;
  const mcp = new McpClient(server, 'production', await acme.secret('production', 'write'));
  return { acme, writer, id, mcp };
}

type Publisher = Awaited<ReturnType<typeof publisher>>;

const written = async ({ acme: { id: companyId } }: Publisher) => ({
  jobs: await db().job.findMany({ where: { companyId }, orderBy: { id: 'asc' } }),
  keys: await db().idempotencyKey.count({ where: { companyId } }),
  usage: await db().postingUsage.findMany({ where: { companyId } }),
});

/** The first statement of a write that locks anything. */
const firstLock = /hold_rights|try_\w+_as/;

type Answered = Promise<{ readonly status: number }>;

/** By name: prepares a write, and returns the function that asks for it. */
const writes: Readonly<Record<string, (given: Publisher) => Promise<() => Answered>>> = {
  create:
    async ({ writer }) =>
    () =>
      writer.create({ ...minimalJob, title: 'Pintor' }),
  update:
    async ({ writer, id }) =>
    () =>
      writer.patch(id, { title: 'Pintor' }),
  'update over MCP':
    async ({ mcp, id }) =>
    () =>
      mcp.call('update_job', { id, job: { title: 'Pintor' } }),
  withdrawal:
    async ({ writer, id }) =>
    () =>
      writer.withdraw(id),
};

/** On the embedded database, nothing comes between the statements of a transaction, in which stored resources are written. */
const possibleWrites = (): typeof writes =>
  Object.assign(
    { ...writes },
    ...(databaseUrl() === undefined ? [] : storedResources.map(({ resource }) => storedWrites(resource))),
  );

/** The writes of a resource that the contract stores. */
function storedWrites(resource: StoredResource): typeof writes {
  const { noun } = resource;
  const { path } = resource.operationOf('post');
  const create = ({ writer }: Publisher) =>
    writer.send('POST', path, storedSample(resource), { 'Idempotency-Key': freshKey() });
  const pathOfNew = async (given: Publisher) => `${path}/${(await create(given)).body.data.id}`;
  return {
    [`create of a ${noun}`]: async (given) => () => create(given),
    [`update of a ${noun}`]: async (given) => {
      const own = await pathOfNew(given);
      return () => given.writer.send('PATCH', own, storedChange(resource));
    },
    [`deletion of a ${noun}`]: async (given) => {
      const own = await pathOfNew(given);
      return () => given.writer.send('DELETE', own);
    },
  };
}

const ends: Readonly<Record<string, readonly [number, (given: Publisher) => Promise<unknown>]>> = {
  'the credential is revoked': [
    401,
    ({ acme }) =>
      db()
        .credential.findFirstOrThrow({ where: { companyId: acme.id } })
        .then(({ id }) => revokeCredential(actionContext(), { companyId: acme.id, credentialId: id })),
  ],
  'the company is suspended': [403, ({ acme }) => suspendCompany(actionContext(), { companyId: acme.id, reason: 'x' })],
  'the plan ends': [403, ({ acme }) => endSubscription(actionContext(), { companyId: acme.id })],
  'the approval is withdrawn': [
    403,
    ({ acme }) => withdrawApproval(actionContext(), { companyId: acme.id, reason: 'x' }),
  ],
};

describe('a write after its request was authenticated', () => {
  afterEach(() => {
    change = undefined;
  });

  for (const [when, [status, make]] of Object.entries(ends))
    it(`does not happen if ${when} before it`, async () => {
      for (const [name, write] of Object.entries(possibleWrites())) {
        const given = await publisher();
        const ask = await write(given);
        const before = await written(given);
        change = { before: firstLock, make: () => make(given) };
        expect((await ask()).status, name).to.equal(status);
        expect(change, name).to.equal(undefined);
        expect(await written(given), name).to.deep.equal(before);
      }
    });

  it('does not happen if the credential or the plan expires before it', async () => {
    for (const expiry of ['credential', 'plan'] as const) {
      const given = await publisher();
      const before = await written(given);
      const companyId = given.acme.id;
      const until = inDays(1);
      if (expiry === 'plan') await setSubscription(actionContext(), { companyId, plan: 'Especial', until });
      change = { before: /FROM jobs/, make: async () => (clock.aheadMs = (expiry === 'plan' ? 3 : 366) * 86_400_000) };
      expect((await given.writer.patch(given.id, { title: 'Pintor' })).status, expiry).to.equal(
        expiry === 'plan' ? 403 : 401,
      );
      expect(change).to.equal(undefined);
      clock.aheadMs = 0;
      expect(await written(given)).to.deep.equal(before);
    }
  });

  it('happens by the rights of then: in the period of a plan with another first day, and with a review if its jobs need one now', async () => {
    const given = await publisher();
    const { acme, writer } = given;
    const companyId = acme.id;
    const startedOn = inDays(-9);
    change = {
      before: firstLock,
      make: () => setSubscription(actionContext(), { companyId, plan: 'Especial', startedOn }),
    };
    expect((await writer.create(minimalJob)).status).to.equal(201);
    const { usage } = await written(given);
    const counted = usage.map(({ periodStart, used }) => [dateToDay(periodStart), used]);
    expect(counted).to.have.deep.members([
      [inDays(0), 1],
      [startedOn, 2],
    ]);
    expect((await writer.get('/account')).body.data.jobs.used).to.equal(2);
    change = {
      before: firstLock,
      make: () => db().company.update({ where: { id: companyId }, data: { autoPublish: false } }),
    };
    expect((await writer.create(minimalJob)).body.data.status).to.equal('pending');
  });

  it('ends before a change of the rights is answered, so that a changed plan counts every create', async function () {
    if (databaseUrl() === undefined || onCitus) return this.skip();
    const given = await publisher();
    const companyId = given.acme.id;
    const client = await pagesPool().connect();
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    // On another connection: within a transaction, pg_stat_activity stays as it was read first.
    const countOf = async (where: string) =>
      (await pagesPool().query(`SELECT count(*)::int AS calls FROM pg_stat_activity WHERE ${where}`, [rows[0].pid]))
        .rows[0].calls;
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM posting_usage WHERE company_id = $1 FOR UPDATE', [companyId]);
      const created = given.writer.create(minimalJob);
      await until(async () => (await countOf('$1 = ANY (pg_blocking_pids(pid))')) === 1);
      const changed = setSubscription(actionContext(), { companyId, plan: 'Especial', startedOn: inDays(-9) });
      const behind = 'EXISTS (SELECT FROM unnest(pg_blocking_pids(pid)) AS one WHERE $1 = ANY (pg_blocking_pids(one)))';
      await until(async () => (await countOf(behind)) === 1);
      await client.query('ROLLBACK');
      await changed;
      expect((await created).status).to.equal(201);
      expect((await given.writer.get('/account')).body.data.jobs.used).to.equal(2);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
});
