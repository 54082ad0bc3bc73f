import { expect } from 'chai';
import { etagOf, inputOf, type JobInput, type Retry, VagaError } from '../../src/client/index.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';
import { gateway, newCaller, refusalOf } from './caller.ts';

const full = fullJob() as JobInput;

describe('typed client: what a response says beside its data', () => {
  it('a replayed create differs from the one that made the job', async () => {
    const { client } = await newCaller();
    const create = () => client.createJob(full, { idempotencyKey: 'ref:17' }).withResponse();
    const [made, again] = [await create(), await create()];
    expect([made.status, made.isReplayed, again.status, again.isReplayed]).to.deep.equal([201, false, 200, true]);
    expect(again.data).to.deep.equal(made.data);
    expect(await client.createJob(full, { idempotencyKey: 'ref:17' })).to.deep.equal(made.data);
  });

  it('has the ETag, the request id, the rate limit and every header', async () => {
    const { client } = await newCaller();
    const { id } = await client.createJob(minimalJob);
    const { data, status, etag, requestId, rateLimit, headers } = await client.getJob(id).withResponse();
    expect([status, etag]).to.deep.equal([200, etagOf(data)]);
    expect(requestId)
      .to.match(/^[0-9a-f-]{36}$/)
      .and.equal(headers.get('X-Request-Id'));
    expect(rateLimit).to.have.all.keys('limit', 'remaining', 'resetSeconds');
    expect(rateLimit.remaining).to.be.within(1, rateLimit.limit - 1);
    expect(rateLimit.resetSeconds).to.be.within(0, 60);
    expect(await client.withdrawJob(id, { ifMatch: String(etag) }).withResponse()).to.include({ status: 204 });
    const list = await client.listJobs().withResponse();
    expect([list.data.meta.total, list.etag]).to.deep.equal([1, list.headers.get('ETag') ?? undefined]);
  });

  it('a refusal is thrown, once', async () => {
    const { client } = await newCaller();
    expect(await refusalOf(client.getJob(999_999_999).withResponse())).to.include({ status: 404 });
  });
});

describe('typed client: options of one call', () => {
  it('retries and timeoutSeconds replace those of the client', async () => {
    const { client, sent, pauses } = await newCaller({ baseUrl: 'http://127.0.0.1:1', retries: 3 });
    await refusalOf(client.getAccount({ retries: 0 }));
    expect([sent.length, pauses.length]).to.deep.equal([1, 0]);
    await refusalOf(client.createJob(minimalJob, { retries: 1 }));
    await refusalOf(client.getAccount());
    expect([sent.length, pauses.length]).to.deep.equal([7, 4]);
    const silent = await newCaller({
      retries: 0,
      fetch: (_url, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    });
    const error = await refusalOf(silent.client.getAccount({ timeoutSeconds: 0.01 }));
    expect(error.message).to.include('No answer within 0.01 s.');
  });

  it('onRetry is called before each pause with what failed; what it throws ends the call', async () => {
    const unavailable = { status: 503, headers: { 'Retry-After': '7', 'X-Request-Id': 'one' } };
    const baseUrl = await gateway({ status: 500 }, unavailable, { status: 502 }, { status: 502 });
    const ofClient: Retry[] = [];
    const { client, pauses } = await newCaller({ baseUrl, onRetry: (retry) => ofClient.push(retry) });
    await client.getAccount();
    const retries = ofClient.splice(0);
    expect(retries.map(({ error: { status, requestId } }) => [status, requestId])).to.deep.equal([
      [500, undefined],
      [503, 'one'],
      [502, undefined],
      [502, undefined],
    ]);
    expect(retries.map(({ pauseSeconds }) => (pauseSeconds * 1000) / 1000)).to.deep.equal(pauses);
    expect(retries[0]).to.include({ method: 'GET', url: `${baseUrl}/sandbox/v1/account` });
    for (const { error } of retries) expect(error).to.be.instanceOf(VagaError);
    const stop = new Error('enough');
    const failing = await newCaller({ baseUrl: await gateway({ status: 500 }) });
    const onRetry = () => {
      throw stop;
    };
    expect(await failing.client.getAccount({ onRetry }).catch((error) => error)).to.equal(stop);
    expect([failing.sent.length, ofClient.length]).to.deep.equal([1, 0]);
  });
});

describe('typed client: inputOf', () => {
  it('makes of a returned job what creates a copy of it', async () => {
    const { client } = await newCaller();
    for (const job of [full, { ...minimalJob, salary_min: 0.07 } as JobInput]) {
      const made = await client.createJob(job);
      const input = inputOf(made);
      expect(input).to.deep.include({ salary_min: job.salary_min, title: job.title, valid_until: made.valid_until });
      const [copy, { id, created_at, updated_at, ...same }] = [await client.createJob(input), made];
      expect(copy).to.deep.include(same);
      expect(copy.id).to.not.equal(id);
      // It says all of the job: nothing changes.
      expect((await client.updateJob(id, input)).updated_at).to.equal(updated_at);
      expect(inputOf(copy)).to.deep.equal(input);
    }
  });
});
