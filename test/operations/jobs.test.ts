import type { Server } from 'node:http';
import { expect } from 'chai';
import type { Context } from '../../src/context.ts';
import type { Actor } from '../../src/domain/actor.ts';
import { locateCredential } from '../../src/operations/credentials/people/list-credentials.ts';
import { approveJob, denyJob, resubmitJob, undoReview } from '../../src/operations/jobs/people/review-job.ts';
import { locateJob, showJob } from '../../src/operations/jobs/people/show-job.ts';
import { withdrawCompanyJob } from '../../src/operations/jobs/people/withdraw-company-job.ts';
import { listRequests } from '../../src/operations/requests/people/list-requests.ts';
import { addressOf } from '../helper/address.ts';
import { auditOf, lastAudit } from '../helper/audit-trail.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import {
  actionContext,
  administratorActor,
  db,
  later,
  newCompany,
  newJob,
  server,
  startApp,
  startWholeApp,
} from '../helper/fixtures.ts';
import { afterTheGate } from '../helper/gated-database.ts';
import { McpClient, ModernMcpClient, modernMeta } from '../helper/mcp-client.ts';
import { asPerson, textOf } from '../helper/page-client.ts';
import { recordedLog } from '../helper/recorded-log.ts';
import { RestClient } from '../helper/rest-client.ts';
import { fullJob, inDays } from '../helper/sample-jobs.ts';

let administrators: Actor[];
const by = (number: number) => actionContext(administrators[number]);

before(async () => {
  administrators = await Promise.all(Array.from({ length: 10 }, administratorActor));
});

/** The answer to a PATCH that the contract's client would not send. */
async function patchStatus(at: Server, secret: string, id: number, fields: object): Promise<number> {
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
  const sent = { method: 'PATCH', headers, body: JSON.stringify(fields) };
  return (await fetch(`${addressOf(at)}/sandbox/v1/jobs/${id}`, sent)).status;
}

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
      const usage = () => db().postingUsage.findMany({ where: { companyId: ref.companyId } });
      const used = await usage();
      const { version } = await decide(by(1), ref);
      await expectRefused('nothing_to_undo', () => undoReview(by(2), ref));
      await expectRefused('changed', () => undoReview(by(1), { ...ref, version: `${version}x` }));
      expect((await undoReview(by(1), { ...ref, version })).status).to.equal('pending');
      const { denialReason } = await db().job.findFirstOrThrow({ where: { id: ref.jobId } });
      expect([denialReason, await usage()]).to.deep.equal([null, used]);
      await decide(by(1), ref);
      await expectRefused('changed', () => undoReview(by(1), { ...ref, version }));
      await writer.withdraw(id);
      await expectRefused('nothing_to_undo', () => undoReview(by(1), ref));
      expect(await statusOf()).to.equal('inactive');
    }
  });

  it('a sandbox job has no review', async () => {
    const { ref, statusOf } = await newJob('sandbox');
    for (const review of [approveJob, undoReview, resubmitJob])
      await expectRefused('sandbox_job', () => review(by(1), ref));
    await expectRefused('sandbox_job', () => denyJob(by(1), { ...ref, reason: 'x' }));
    expect(await statusOf()).to.equal('pending');
  });

  it('only pending jobs can be reviewed, and one of ten simultaneous reviews succeeds', async () => {
    const { ref, statusOf } = await newJob();
    const decisions = Array.from({ length: 10 }, (_, i) =>
      i % 2 ? approveJob(by(i), ref) : denyJob(by(i), { ...ref, reason: 'Incompleto.' }),
    );
    const outcomes = await Promise.allSettled(decisions);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).to.have.length(1);
    expect(await expectRefused('not_pending', () => approveJob(by(9), ref))).to.include(await statusOf());
    const told = await expectRefused('not_pending', () => approveJob(actionContext(), ref));
    expect(told, 'the operator reads who decided').to.match(/: (approved|denied) by administrator:\d+ at \d{4}-/);
  });

  it('approving a job whose last day has passed says that it is expired; the approval can be undone', async () => {
    for (const [days, status, said] of [
      [1, 'active', 'Approved and published: {{title}}.'],
      [-1, 'expired', 'Approved, but not published, because its last day has passed: {{title}}.'],
    ] as const) {
      const { ref } = await newJob();
      await db().job.updateMany({ where: { companyId: ref.companyId }, data: { validUntil: new Date(inDays(days)) } });
      const { done, shown } = await approveJob.answer(actionContext(), ref);
      expect([done?.text, shown.status]).to.deep.equal([said, status]);
      // Also if it has expired since.
      const undone = await later(3 * 86_400_000, () => undoReview(actionContext(), ref));
      expect(undone.status).to.equal('pending');
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
    // RestClient would miss the digit, and refuse the brackets.
    const [contactPhone, externalApplicationUrl] = ['abc', 'https://a.pt/?ids[]=1'];
    await db().job.updateMany({ where, data: { contactPhone, externalApplicationUrl } });
    const secret = await acme.secret('sandbox', 'write');
    const old = { contact_phone: contactPhone, external_application_url: externalApplicationUrl };
    const resent = { ...whole, ...old, salary_max: 1600 };
    expect(await patchStatus(server(), secret, id, resent)).to.equal(200);
    const { external_application_url: url } = fullJob();
    await db().job.updateMany({ where, data: { contactPhone: '1', externalApplicationUrl: String(url) } });
    const others = { ...whole, valid_until: inDays(-2), category_id: 4 };
    expect((await writer.patch(id, others)).body.error.details).to.have.all.keys('valid_until', 'category_id');
  });

  it('a PATCH reads its job once, whatever it changes', async () => {
    const { id, ref, acme } = await newJob('sandbox', fullJob());
    await db().job.updateMany({ where: { companyId: ref.companyId }, data: { contactPhone: 'abc' } });
    let reads = 0;
    const counted = afterTheGate((query, text) => {
      if (/\bFROM jobs\b/.test(text)) reads += 1;
      return query();
    });
    const at = await startApp({}, { db: counted });
    const secret = await acme.secret('sandbox', 'write');
    // The phone breaks the contract, but is not judged: it equals the stored one.
    for (const fields of [{ title: 'Pintora' }, { contact_phone: 'abc' }, { contact_phone: 'abc', title: 'Pintor' }]) {
      reads = 0;
      const status = await patchStatus(at, secret, id, fields);
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

  it('sending a published job again as it was sent, sanitized or not, leaves it published, and adds no event', async () => {
    const body = '<h1>Oficina</h1><div onclick="x()">Procura-se</div>';
    const sent = { ...fullJob, body, valid_until: inDays(9), salary_min: 1200, salary_max: 1500.5 };
    const { id, writer, ref } = await newJob('production', sent);
    await approveJob(actionContext(), ref);
    const before = await writer.get(`/jobs/${id}`);
    const events = () => db().jobEvent.count({ where: { jobId: ref.jobId } });
    const eventsBefore = await events();
    for (const again of [
      sent,
      { title: before.body.data.title },
      { body: before.body.data.body },
      { salary_max: 1500.5 },
    ]) {
      const { status, headers, body: answer } = await writer.patch(id, again);
      expect([status, answer.data, headers.etag]).to.deep.equal([200, before.body.data, before.headers.etag]);
    }
    expect([before.body.data.status, await events()]).to.deep.equal(['active', eventsBefore]);
    expect((await writer.patch(id, { ...sent, title: 'Outro' })).body.data.status).to.equal('pending');
  });

  it('a withdrawal keeps the reason of a denial, which is shown while the job is denied', async () => {
    const { ref } = await newJob();
    await denyJob(actionContext(), { ...ref, reason: 'Falta o salário.' });
    expect((await showJob(actionContext(), ref)).denialReason).to.equal('Falta o salário.');
    await withdrawCompanyJob(actionContext(), ref);
    expect((await showJob(actionContext(), ref)).denialReason).to.equal(null);
    const { status, denialReason } = await db().job.findFirstOrThrow({ where: { id: ref.jobId } });
    expect([status, denialReason]).to.deep.equal(['inactive', 'Falta o salário.']);
  });
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
