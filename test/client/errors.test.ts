import { expect } from 'chai';
import { createClient, VagaError } from '../../src/client/index.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { gateway, newCaller, refusalOf } from './caller.ts';

describe('typed client: errors', () => {
  it('422 has the messages by field, and is not retried', async () => {
    const { client, sent } = await newCaller();
    const error = await refusalOf(client.createJob({ ...minimalJob, title: '', salary_min: -1 }));
    expect(error).to.include({ name: 'VagaError', status: 422, reason: undefined });
    expect(Object.keys(error.fields)).to.have.members(['title', 'salary_min']);
    expect(error.fields).to.equal(error.details);
    expect(error.requestId).to.match(/^[0-9a-f-]{36}$/);
    expect(sent).to.have.length(1);
  });

  it('403, 404 and 409 have a reason and details', async () => {
    const { client, company } = await newCaller();
    const asReader = await newCaller({ company, access: 'read' });
    const scope = await refusalOf(asReader.client.createJob(minimalJob));
    expect(scope).to.include({ status: 403, reason: 'scope' });
    expect(scope.details.required_scope).to.equal('jobs:write');
    expect(scope.fields).to.deep.equal({});
    expect(await refusalOf(client.getJob(999_999_999))).to.include({ status: 404, reason: 'job' });
    await client.createJob(minimalJob, { idempotencyKey: 'same' });
    const conflict = await refusalOf(client.createJob({ ...minimalJob, title: 'Outro' }, { idempotencyKey: 'same' }));
    expect(conflict).to.include({ status: 409, reason: 'idempotency_key', idempotencyKey: 'same' });
    expect(conflict.details.differing_fields).to.deep.equal(['title']);
  });

  it('an unknown token is 401, and the error does not contain the token', async () => {
    const { client } = await newCaller({ token: 'vaga_test_unknown' });
    const error = await refusalOf(client.getAccount());
    expect(error).to.include({ status: 401, reason: 'credential' });
    expect(JSON.stringify(error) + error.message + error.stack).to.not.include('vaga_test_unknown');
  });

  it('a proxy’s own error page is a VagaError too', async () => {
    const html = { headers: { 'Content-Type': 'text/html' }, body: '<h1>Bad gateway</h1>' };
    const { baseUrl, close } = await gateway(
      { status: 502, ...html },
      { status: 302, headers: { Location: 'http://127.0.0.1:1/' } },
      { status: 200, ...html },
      { status: 403, body: '{"error": {"message": "No."}}' },
    );
    try {
      const { client, sent } = await newCaller({ baseUrl, retries: 0 });
      expect(await refusalOf(client.getAccount())).to.include({ status: 502, message: 'HTTP status 502' });
      expect(await refusalOf(client.getAccount())).to.include({ status: 302, reason: undefined });
      const page = await refusalOf(client.getAccount());
      expect(page).to.include({ status: 0 });
      expect(page.cause).to.be.instanceOf(SyntaxError);
      expect(await refusalOf(client.getAccount())).to.include({ status: 403, message: 'No.', reason: undefined });
      expect(sent).to.have.length(4);
    } finally {
      close();
    }
  });

  it('no response after the last attempt is status 0 with the cause, and a create has its key', async () => {
    const nowhere = { baseUrl: 'http://127.0.0.1:1', retries: 2 };
    const { client, sent, pauses } = await newCaller(nowhere);
    const error = await refusalOf(client.createJob(minimalJob));
    expect(error).to.include({ status: 0, reason: undefined, requestId: undefined });
    expect(error.cause).to.be.instanceOf(TypeError);
    expect(error.message).to.match(/^No answer from the service: ./);
    expect(sent).to.have.length(3);
    expect(pauses).to.have.length(2);
    expect(error.idempotencyKey).to.equal(sent[0]?.key);
  });

  it('pauses with a real timer by default', async () => {
    const real = createClient({
      baseUrl: 'http://127.0.0.1:1',
      token: 'vaga_test_',
      retries: 1,
      pauseSecondsMax: 0.01,
    });
    expect(await refusalOf(real.getAccount()))
      .to.be.instanceOf(VagaError)
      .and.include({ status: 0 });
  });
});
