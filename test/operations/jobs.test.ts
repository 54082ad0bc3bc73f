import { expect } from 'chai';
import type { Context } from '../../src/context.ts';
import { locateCredential } from '../../src/operations/credentials/people/list-credentials.ts';
import { removeJob } from '../../src/operations/jobs/people/remove-job.ts';
import { approveJob, denyJob, undoReview, withdrawCompanyJob } from '../../src/operations/jobs/people/review-job.ts';
import { locateJob } from '../../src/operations/jobs/people/show-job.ts';
import { listRequests } from '../../src/operations/requests/people/list-requests.ts';
import { addressOf } from '../helper/address.ts';
import { auditOf, lastAudit } from '../helper/audit-trail.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, db, later, newCompany, newJob, server, startApp, startWholeApp } from '../helper/fixtures.ts';
import { afterTheGate } from '../helper/gated-database.ts';
import { McpClient, ModernMcpClient, modernMeta } from '../helper/mcp-client.ts';
import { asPerson, textOf } from '../helper/page-client.ts';
import { recordedLog } from '../helper/recorded-log.ts';
import { RestClient } from '../helper/rest-client.ts';
import { fullJob, inDays } from '../helper/sample-jobs.ts';

const by = (id: number) => actionContext({ kind: 'administrator', id: BigInt(id) });

describe('reviews of jobs', () => {
  it('a decision that its person repeats is answered again, with one event and one audit entry', async () => {
    const { ref } = await newJob();
    const answers = [await approveJob(by(1), ref), await approveJob(by(1), ref)];
    expect(answers[1]).to.deep.equal(answers[0]);
    await expectRefused('not_pending', () => denyJob(by(1), { ...ref, reason: 'Engano.' }));
    const other = await newJob();
    for (const reason of ['Falta o salário.', ' Falta o salário. ']) await denyJob(by(1), { ...other.ref, reason });
    await expectRefused('not_pending', () => denyJob(by(1), { ...other.ref, reason: 'Outro.' }));
    expect(await db().jobEvent.count({ where: { companyId: ref.companyId } })).to.equal(2);
    expect((await auditOf(ref.companyId)).filter(({ action }) => action === 'job.approved')).to.have.length(1);
  });

  it('only the person who decided undoes it, only the latest decision, and only while the job is as it left it', async () => {
    type Ref = Awaited<ReturnType<typeof newJob>>['ref'];
    for (const decide of [approveJob, (ctx: Context, job: Ref) => denyJob(ctx, { ...job, reason: 'Engano.' })]) {
      const { ref, writer, id, statusOf } = await newJob();
      const { version } = await decide(by(1), ref);
      await expectRefused('nothing_to_undo', () => undoReview(by(2), ref));
      await expectRefused('job_changed', () => undoReview(by(1), { ...ref, version: `${version}x` }));
      expect((await undoReview(by(1), { ...ref, version })).status).to.equal('pending');
      const { denialReason } = await db().job.findFirstOrThrow({ where: { id: ref.jobId } });
      expect(denialReason).to.equal(null);
      await decide(by(1), ref);
      await expectRefused('job_changed', () => undoReview(by(1), { ...ref, version }));
      await writer.withdraw(id);
      await expectRefused('nothing_to_undo', () => undoReview(by(1), ref));
      expect(await statusOf()).to.equal('inactive');
    }
    const { ref } = await newJob('sandbox');
    await expectRefused('sandbox_job', () => undoReview(by(1), ref));
  });

  it('an approval of a job that has expired since is undone', async () => {
    const { ref } = await newJob('production', { valid_until: inDays(1) });
    await approveJob(by(1), ref);
    const undone = await later(3 * 86_400_000, () => undoReview(by(1), ref));
    expect(undone.status).to.equal('pending');
  });

  it('only pending jobs can be reviewed, and one of ten simultaneous reviews succeeds', async () => {
    const { ref, statusOf } = await newJob();
    const decisions = Array.from({ length: 10 }, (_, i) =>
      i % 2 ? approveJob(by(i), ref) : denyJob(by(i), { ...ref, reason: 'Incompleto.' }),
    );
    const outcomes = await Promise.allSettled(decisions);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).to.have.length(1);
    expect(await expectRefused('not_pending', () => approveJob(by(99), ref))).to.include(await statusOf());
  });

  it('approving a job whose last day has passed says that it is expired', async () => {
    for (const [days, status, said] of [
      [1, 'active', 'Approved and published: {{title}}.'],
      [-1, 'expired', 'Approved, but not published, because its last day has passed: {{title}}.'],
    ] as const) {
      const { ref } = await newJob();
      await db().job.updateMany({ where: { companyId: ref.companyId }, data: { validUntil: new Date(inDays(days)) } });
      const { done, shown } = await approveJob.answer(actionContext(), ref);
      expect([done?.text, shown.status]).to.deep.equal([said, status]);
    }
  });

  it('a PATCH does not judge again what equals the stored value', async () => {
    const { id, writer, ref, acme } = await newJob('sandbox', fullJob());
    const where = { companyId: ref.companyId };
    const passed = inDays(-3);
    await db().job.updateMany({
      where,
      data: { validUntil: new Date(passed), body: 'Um\nDois', categoryId: 3 },
    });
    const whole = { ...fullJob(), body: 'Um\nDois', category_id: 3, valid_until: passed };
    const { status, body } = await writer.patch(id, { ...whole, title: 'Pintor' });
    expect([status, body.data?.title, body.data?.body]).to.deep.equal([200, 'Pintor', 'Um\nDois']);
    const withUnknown = await writer.patch(id, { ...whole, colour: 'red' });
    expect(withUnknown.body.error.details).to.have.all.keys('colour');
    expect((await writer.patch(id, { ...whole, status: body.data?.status })).body.error.details).to.have.all.keys(
      'status',
    );
    // RestClient would miss the digit.
    await db().job.updateMany({ where, data: { contactPhone: 'abc' } });
    const headers = {
      Authorization: `Bearer ${await acme.secret('sandbox', 'write')}`,
      'Content-Type': 'application/json',
    };
    const resent = {
      method: 'PATCH',
      headers,
      body: JSON.stringify({ ...whole, contact_phone: 'abc', salary_max: 1600 }),
    };
    expect((await fetch(`${addressOf(server())}/sandbox/v1/jobs/${id}`, resent)).status).to.equal(200);
    await db().job.updateMany({ where, data: { contactPhone: '1' } });
    const others = { ...whole, valid_until: inDays(-2), category_id: 4 };
    expect((await writer.patch(id, others)).body.error.details).to.have.all.keys('valid_until', 'category_id');
  });

  it('a PATCH reads its job once, whatever it changes', async () => {
    const { id, ref, acme } = await newJob('sandbox', fullJob());
    await db().job.updateMany({ where: { companyId: ref.companyId }, data: { contactPhone: 'abc' } });
    let reads = 0;
    const at = await startApp(
      {},
      {
        db: afterTheGate(
          (query) => query(),
          (statement) => {
            if (/\bFROM jobs\b/.test(statement.text)) reads += 1;
            return db().rows(statement);
          },
        ),
      },
    );
    const headers = {
      Authorization: `Bearer ${await acme.secret('sandbox', 'write')}`,
      'Content-Type': 'application/json',
    };
    // The phone breaks the contract, but is not judged: it equals the stored one.
    for (const fields of [{ title: 'Pintora' }, { contact_phone: 'abc' }, { contact_phone: 'abc', title: 'Pintor' }]) {
      reads = 0;
      const sent = { method: 'PATCH', headers, body: JSON.stringify(fields) };
      const { status } = await fetch(`${addressOf(at)}/sandbox/v1/jobs/${id}`, sent);
      expect([status, reads], JSON.stringify(fields)).to.deep.equal([200, 1]);
    }
  });

  it('a denial stores the reason; a PATCH, even of nothing, sends the job back to review and clears it', async () => {
    const { id, writer, ref } = await newJob();
    const reasonOf = async () => (await db().job.findFirstOrThrow({ where: { id: ref.jobId } })).denialReason;
    await denyJob(actionContext(), { ...ref, reason: ' Falta o salário. ' });
    expect((await writer.get(`/jobs/${id}`)).body.data).to.include({ status: 'denied', is_active: false });
    expect(await reasonOf()).to.equal('Falta o salário.');
    expect((await lastAudit(ref.companyId)).details).to.deep.equal({ job_id: id, reason: 'Falta o salário.' });
    for (const _ of ['changed', 'the same']) {
      expect((await writer.patch(id, { salary_min: 1000 })).body.data.status).to.equal('pending');
      expect(await reasonOf()).to.equal(null);
      await denyJob(actionContext(), { ...ref, reason: 'Falta o salário.' });
    }
  });

  it('a withdrawal keeps the reason of a denial; repeating it adds no entry to the audit trail', async () => {
    const { ref } = await newJob();
    await denyJob(actionContext(), { ...ref, reason: 'Falta o salário.' });
    for (const _ of [1, 2]) await withdrawCompanyJob(actionContext(), ref);
    const { status, denialReason } = await db().job.findFirstOrThrow({ where: { id: ref.jobId } });
    expect([status, denialReason]).to.deep.equal(['inactive', 'Falta o salário.']);
    const actions = (await auditOf(ref.companyId)).map(({ action }) => action);
    expect(actions.slice(-2)).to.deep.equal(['job.denied', 'job.withdrawn']);
  });

  it('a sandbox job can be neither approved nor denied', async () => {
    const { ref, statusOf } = await newJob('sandbox');
    for (const review of [
      () => approveJob(actionContext(), ref),
      () => denyJob(actionContext(), { ...ref, reason: 'x' }),
    ])
      await expectRefused('sandbox_job', review);
    expect(await statusOf()).to.equal('pending');
  });
});

// parity/idempotency.test.ts tests its key and its posting.
it('removeJob deletes the job, and records the reason but none of its text', async () => {
  const { id, writer, ref } = await newJob();
  await removeJob(actionContext(), { ...ref, reason: 'A pedido.' });
  expect((await writer.get(`/jobs/${id}`)).status).to.equal(404);
  const details = { job_id: id, reason: 'A pedido.' };
  expect(await lastAudit(ref.companyId)).to.deep.include({ action: 'job.removed', details });
  await expectRefused('unknown_job', () => removeJob(actionContext(), ref));
});

describe('locateJob, locateCredential', () => {
  it('finds the company by the id alone, and refuses an unknown id or one that several companies use', async () => {
    const { ref, acme } = await newJob('sandbox');
    const { jobId, companyId } = ref;
    const unknown = 9_000_000_000_000n;
    expect(await locateJob(actionContext(), { jobId })).to.deep.equal(ref);
    await expectRefused('unknown_job', () => locateJob(actionContext(), { jobId: unknown }));
    const where = { companyId: (await newJob('sandbox')).acme.id };
    await db().jobEvent.deleteMany({ where });
    await db().job.updateMany({ where, data: { id: jobId } });
    await expectRefused('several_jobs', () => locateJob(actionContext(), { jobId }));
    expect(await locateJob(actionContext(), { jobId, companyId })).to.deep.equal(ref);
    const { credentialId } = await acme.issue('sandbox', 'read');
    expect(await locateCredential(actionContext(), { credentialId })).to.deep.equal({ credentialId, companyId });
    await expectRefused('unknown_credential', () => locateCredential(actionContext(), { credentialId: unknown }));
  });
});

/** A company and an app with a recorded log; `requests` are those of the company's request log. */
async function logged() {
  const acme = await newCompany();
  const { log, lines } = recordedLog();
  const { server, settle } = await startWholeApp({}, { log });
  const requests = async () => {
    await settle();
    return (await listRequests(actionContext(), { companyId: acme.id, environment: 'sandbox' })).items;
  };
  return { acme, server, lines, requests, secret: await acme.secret('sandbox', 'read') };
}

describe('the request log', () => {
  it('has the trace context of the header, or over MCP of the message, like the log and the request’s page', async () => {
    const { acme, server, lines, requests, secret } = await logged();
    const trace = (letter: string) => `00-${letter.repeat(32)}-00f067aa0ba902b7-01`;
    const asReader = new RestClient(server, 'sandbox', secret);
    await asReader.get('/account', { traceparent: trace('a') });
    await asReader.get('/account', { traceparent: 'not one' });
    const asAgent = new ModernMcpClient(server, 'sandbox', secret);
    const _meta = { ...modernMeta, traceparent: trace('b') };
    await asAgent.request('tools/call', { name: 'get_account', _meta }, { traceparent: trace('a') });
    await new McpClient(server, 'sandbox', secret).request('ping', { _meta: { traceparent: 'not one' } });
    const entries = await requests();
    const seen = [null, trace('b'), null, trace('a')];
    expect(entries.map(({ traceparent }) => traceparent)).to.deep.equal(seen);
    const own = lines.filter(({ requestId }) => entries.some((entry) => entry.requestId === requestId));
    expect(own.map(({ traceparent = null }) => traceparent).reverse()).to.deep.equal(seen);
    const page = await (await asPerson(acme)).get(`/requests/sandbox/${entries[1]?.requestId}`);
    expect(textOf(page)).to.include('b'.repeat(32));
  });

  it('has each tool call of a batch', async () => {
    const { server, requests, secret } = await logged();
    const call = (id: number, name: string, given: object) =>
      ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } }) as const;
    const batch = [call(1, 'get_account', {}), call(2, 'get_job', { id: 1_000_000 })];
    await new McpClient(server, 'sandbox', secret).post(batch, { 'MCP-Protocol-Version': '2025-03-26' });
    const entries = (await requests()).map(({ operation, status }) => `${operation} ${status}`);
    expect(entries).to.deep.equal(['getJob 404', 'getAccount 200']);
  });
});
