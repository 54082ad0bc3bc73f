import { inspect } from 'node:util';
import { expect } from 'chai';
import { createClient } from '../../src/client/index.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { gateway, newCaller, refusalOf } from './caller.ts';

describe('typed client: errors', () => {
  it('have the status, the reason, the details and, for 422, the messages by field; no refusal is retried', async () => {
    const { client, company, sent } = await newCaller();
    const invalid = await refusalOf(client.createJob({ ...minimalJob, title: '', salary_min: -1 }));
    expect(invalid).to.include({ name: 'VagaError', status: 422, reason: undefined });
    expect(Object.keys(invalid.fields)).to.have.members(['title', 'salary_min']);
    expect(invalid.fields).to.equal(invalid.details);
    expect(invalid.requestId).to.match(/^[0-9a-f-]{36}$/);
    // Logs and test runners show only the message.
    for (const [name, messages] of Object.entries(invalid.fields))
      for (const message of messages)
        expect(invalid.message)
          .to.match(/^Some fields/)
          .and.include(` ${name}: ${message}`);
    expect(String(invalid)).to.equal(`VagaError: ${invalid.message} (request ${invalid.requestId})`);
    expect(inspect(invalid)).to.include(invalid.message).and.include(invalid.requestId).and.include('salary_min: [');
    const asReader = await newCaller({ company, access: 'read' });
    const scope = await refusalOf(asReader.client.createJob(minimalJob));
    expect(scope).to.include({ status: 403, reason: 'scope' });
    expect(String(scope)).to.equal(`VagaError: ${scope.message} (request ${scope.requestId})`);
    expect([scope.details.required_scope, scope.fields]).to.deep.equal(['jobs:write', {}]);
    expect(await refusalOf(client.getJob(999_999_999))).to.include({ status: 404, reason: 'job' });
    await client.createJob(minimalJob, { idempotencyKey: 'same' });
    const conflict = await refusalOf(client.createJob({ ...minimalJob, title: 'Outro' }, { idempotencyKey: 'same' }));
    expect(conflict).to.include({ status: 409, reason: 'idempotency_key', idempotencyKey: 'same' });
    expect(conflict.details.differing_fields).to.deep.equal(['title']);
    expect([sent.length, asReader.sent.length]).to.deep.equal([4, 1]);
  });

  it('an unknown token is 401, and the error does not contain the token', async () => {
    const { client } = await newCaller({ token: 'vaga_test_unknown' });
    const error = await refusalOf(client.getAccount());
    expect(error).to.include({ status: 401, reason: 'credential' });
    expect(JSON.stringify(error) + String(error) + inspect(error)).to.not.include('vaga_test_unknown');
  });

  it('a proxy’s own error page is a VagaError too', async () => {
    const html = { headers: { 'Content-Type': 'text/html' }, body: '<h1>Bad gateway</h1>' };
    const baseUrl = await gateway(
      { status: 502, ...html },
      { status: 302, headers: { Location: 'http://127.0.0.1:1/' } },
      { status: 200, ...html },
      { status: 403, body: '{"error": {"message": "No."}}' },
    );
    const { client, sent } = await newCaller({ baseUrl, retries: 0 });
    for (const [status, message] of [
      [502, 'HTTP status 502'],
      [302, 'HTTP status 302'],
      [0, 'The answer is not JSON; it did not come from the service.'],
      [403, 'No.'],
    ] as const) {
      const error = await refusalOf(client.getAccount());
      expect(error).to.deep.include({ status, message, reason: undefined, details: {} });
      expect(String(error)).to.equal(`VagaError: ${message}`);
    }
    expect(sent).to.have.length(4);
  });

  it('a success that did not come from the service is a VagaError with a create’s key', async () => {
    for (const body of ['<h1>Welcome</h1>', '', 'null', '"ok"']) {
      const { client, sent } = await newCaller({ baseUrl: await gateway({ status: 200, body }) });
      const error = await refusalOf(client.createJob(minimalJob));
      expect(error.message, body).to.equal('The answer is not JSON; it did not come from the service.');
      expect([error.status, error.idempotencyKey]).to.deep.equal([0, sent[0]?.key]);
    }
  });

  it('an attempt may take as long as it likes', async () => {
    for (const timeoutSeconds of [Number.POSITIVE_INFINITY, 1e9]) {
      const { client } = await newCaller({ timeoutSeconds });
      expect((await client.getAccount()).jobs.limit).to.equal(100);
    }
  });

  it('without a response after the last attempt, the status is 0, with the cause and a create’s key', async () => {
    const nowhere = { baseUrl: 'http://127.0.0.1:1', retries: 2 };
    const { client, sent, pauses } = await newCaller(nowhere);
    const error = await refusalOf(client.createJob(minimalJob));
    expect(error).to.include({ status: 0, reason: undefined, requestId: undefined });
    expect(error.cause).to.be.instanceOf(TypeError);
    expect(error.message).to.equal('No answer from the service: bad port');
    expect([sent.length, pauses.length]).to.deep.equal([3, 2]);
    expect(error.idempotencyKey).to.equal(sent[0]?.key);
    // With a real timer.
    const real = createClient({ ...nowhere, token: 'vaga_test_', retries: 1, pauseSecondsMax: 0.01 });
    expect(await refusalOf(real.getAccount())).to.include({ status: 0 });
  });

  it('without a response, the message has the most exact reason that is known', async () => {
    for (const [thrown, reason] of [
      ['cut', 'cut'],
      [new Error('cut'), 'cut'],
      [new Error('fetch failed', { cause: new Error('reset') }), 'reset'],
      [new Error('fetch failed', { cause: new Error('') }), 'fetch failed'],
    ] as const) {
      const { client } = await newCaller({ retries: 0, fetch: () => Promise.reject(thrown) });
      expect((await refusalOf(client.getAccount())).message).to.equal(`No answer from the service: ${reason}`);
    }
    const silent = await newCaller({
      retries: 0,
      timeoutSeconds: 0.01,
      fetch: (_url, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    });
    const error = await refusalOf(silent.client.getAccount());
    expect(error.message).to.equal('No answer from the service: No answer within 0.01 s.');
  });
});
