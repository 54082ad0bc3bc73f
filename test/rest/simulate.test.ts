import { expect } from 'chai';
import type { Response } from 'supertest';
import { listRequests } from '../../src/operations/requests/list-requests.ts';
import {
  actionContext,
  db,
  newCompany,
  server,
  startApp,
  startWholeApp,
  type TestCompany,
} from '../helper/fixtures.ts';
import { callers, createJob } from '../helper/protocol-callers.ts';
import { freshKey, RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const lostResponse = { 'X-Simulate': 'lost-response' };
const read = (client: RestClient, simulate: string): Promise<Response> =>
  client.get('/options', { 'X-Simulate': simulate });
const create = (client: RestClient, simulate: string, key: string = freshKey(), job: object = minimalJob) =>
  client.send('POST', '/jobs', job, { 'Idempotency-Key': key, 'X-Simulate': simulate });

/** Expects that no answer comes. */
async function expectLost(call: Promise<{ status: number }>, name?: string): Promise<void> {
  expect(await call.catch(({ code }: { code: string }) => code), name).to.equal('ECONNRESET');
}

describe('X-Simulate', () => {
  let acme: TestCompany;
  let asWriter: RestClient;
  beforeEach(async () => {
    acme = await newCompany();
    asWriter = await acme.writer();
  });

  it('429 and 503 have the headers of such a response, come before the body is read, and leave the key unused', async () => {
    for (const status of ['429', '503']) {
      const { headers } = await create(asWriter, status, 'later');
      expect(headers).to.include({ 'retry-after': '1' });
      expect(headers).to.include.keys('ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset');
      const sent = { 'Idempotency-Key': 'k k', 'X-Simulate': status, 'Content-Type': 'text/plain' };
      expect((await asWriter.send('POST', '/jobs', 'no JSON', sent)).status).to.equal(Number(status));
    }
    expect((await asWriter.create(minimalJob, 'later')).status).to.equal(201);
  });

  it('lost-response creates the job without a response over each protocol; the same key replays that job', async () => {
    const secret = await acme.secret('sandbox', 'write');
    const jobs = () => db().job.count({ where: { companyId: acme.id } });
    for (const [at, open] of callers.entries()) {
      const caller = open(server(), 'sandbox', secret);
      const call = createJob(minimalJob, freshKey());
      for (let repeated = 0; repeated < 2; repeated++) {
        await expectLost(caller.run({ ...call, headers: lostResponse }), caller.name);
        expect(await jobs()).to.equal(at + 1);
      }
      expect((await caller.run(call)).status).to.equal(200);
      const replayed = await asWriter.create(minimalJob, String(call.key));
      expect(replayed.headers['idempotent-replayed']).to.equal('true');
      expect((await asWriter.get('/jobs')).body.data[0]).to.deep.equal(replayed.body.data);
    }
    expect(await jobs()).to.equal(callers.length);
  });

  it('lost-response on a read, an update and a withdrawal; the service keeps running', async () => {
    const { id } = (await asWriter.create(minimalJob)).body.data;
    const shown = async () => (await asWriter.get(`/jobs/${id}`)).body.data;
    await expectLost(read(asWriter, 'lost-response'));
    await expectLost(asWriter.send('PATCH', `/jobs/${id}`, { title: 'Outra' }, lostResponse));
    expect((await shown()).title).to.equal('Outra');
    await expectLost(asWriter.send('DELETE', `/jobs/${id}`, undefined, lostResponse));
    expect((await shown()).status).to.equal('inactive');
  });

  it('refused requests are answered as usual', async () => {
    const unknown = new RestClient(server(), 'sandbox', 'vaga_test_unknown');
    for (const simulate of ['429', '503', 'lost-response', 'nonsense'])
      expect((await read(unknown, simulate)).status, simulate).to.equal(401);
    expect((await create(asWriter, 'lost-response', 'k', { ...minimalJob, title: '' })).status).to.equal(422);
    expect((await create(await acme.reader(), 'lost-response')).status).to.equal(403);
    expect((await asWriter.get('/jobs/1000000', lostResponse)).status).to.equal(404);
  });

  it('production says that it ignores it', async () => {
    const asLive = await acme.writer('production');
    expect((await read(asLive, '429')).headers['x-simulate-ignored']).to.equal('production');
    for (const client of [asLive, asWriter])
      expect((await client.get('/options')).headers).to.not.have.property('x-simulate-ignored');
  });

  it('counts toward the limit, and the limit comes first', async () => {
    const asReader = await acme.reader('sandbox', await startApp({ REQUESTS_PER_MINUTE: '4' }));
    expect((await read(asReader, '503')).headers['ratelimit-remaining']).to.equal('3');
    expect((await read(asReader, '429')).headers['ratelimit-remaining']).to.equal('2');
    await expectLost(read(asReader, 'lost-response'));
    expect((await asReader.get('/options')).headers['ratelimit-remaining']).to.equal('0');
    expect((await read(asReader, '503')).body.error.details.reason).to.equal('company');
  });

  it('the request log shows simulated statuses, and 499 for a dropped response', async () => {
    const { server, settle } = await startWholeApp();
    const client = await acme.writer('sandbox', server);
    await read(client, '429');
    await create(client, '503');
    await expectLost(create(client, 'lost-response'));
    await settle();
    const { items } = await listRequests(actionContext(), { companyId: acme.id, environment: 'sandbox' });
    const seen = items.map(({ operation, status }) => `${operation} ${status}`);
    expect(seen).to.deep.equal(['createJob 499', 'createJob 503', 'listOptions 429']);
  });
});
