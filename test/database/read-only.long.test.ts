import type { Server } from 'node:http';
import { expect } from 'chai';
import supertest from 'supertest';
import { migrateServer } from '../../src/database/migrations.ts';
import { type Database, openDatabase } from '../../src/database/open.ts';
import { createUser } from '../../src/operations/users/people/create-account.ts';
import { skipIn } from '../faults/fault.ts';
import { PrivatePostgres } from '../faults/private-postgres.ts';
import { makeCompany, operatorOf } from '../faults/subject.ts';
import { startApp } from '../helper/fixtures.ts';
import { PageClient, password } from '../helper/page-client.ts';
import { freshKey, RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const ready = async (at: Server) => {
  const { status, body } = await supertest(at).get('/readyz');
  return [status, body.missing];
};

/** A company in that database with a user, a production credential with write access, and one job. */
async function aCompany(store: Database, at: Server) {
  const { companyId, token: secret } = await makeCompany(store);
  await createUser(operatorOf(store), { companyId, email: 'leitura@example.com', role: 'main', password });
  const created = await new RestClient(at, 'production', secret).create(minimalJob);
  expect(created.status).to.equal(201);
  return { secret, jobId: Number(created.body.data.id) };
}

/** Expects that every read is answered, and every write gets 503 with Retry-After, never 500. */
async function takesNoWrites(at: Server, { secret, jobId }: Awaited<ReturnType<typeof aCompany>>): Promise<void> {
  const client = new RestClient(at, 'production', secret);
  for (const path of ['/account', '/categories', '/jobs', `/jobs/${jobId}`])
    expect((await client.get(path)).status, path).to.equal(200);
  for (const answer of [
    await client.create(minimalJob),
    await client.patch(jobId, { title: 'Outra' }),
    await client.withdraw(jobId),
  ]) {
    expect(answer.status, answer.text).to.equal(503);
    expect(answer.body.error.details.reason).to.equal('database');
    expect(Number(answer.headers['retry-after'])).to.be.greaterThan(0);
  }
  const page = new PageClient('company', at);
  const form = await page.get('/sign-in');
  expect(form.status, 'nothing is stored before sign-in').to.equal(200);
  const typed = { email: 'ana@example.com', password: 'errada' };
  const answer = await page.submit(form, '/sign-in', typed);
  expect(answer.status, answer.text).to.equal(503);
  expect(await ready(at)).to.deep.equal([503, 'writable database']);
}

describe('a read-only database', () => {
  const servers: PrivatePostgres[] = [];
  const stores: Database[] = [];
  after(async () => {
    for (const store of stores) await store.close();
    for (const server of servers.reverse()) await server.remove();
  });

  const open = async (databaseUrl: string) => {
    const database = await openDatabase({ databaseUrl, dataDir: ':memory:' });
    stores.push(database);
    return { database, at: await startApp({}, { database }) };
  };

  it('as a standby, until it is promoted', async function () {
    const primary = await PrivatePostgres.make().catch(skipIn(this));
    servers.push(primary);
    await migrateServer(primary.url);
    const first = await open(primary.url);
    const given = await aCompany(first.database, first.at);
    const standby = await primary.standby();
    servers.push(standby);
    const { database, at } = await open(standby.url);
    await takesNoWrites(at, given);
    await primary.stop('immediate');
    await database.pools.pages.query('SELECT pg_promote()');
    const client = new RestClient(at, 'production', given.secret);
    const key = freshKey();
    for (const status of [201, 200]) expect((await client.create(minimalJob, key)).status).to.equal(status);
    expect(await ready(at)).to.deep.equal([200, undefined]);
  });
});
