import { expect } from 'chai';
import type { Environment } from '../../src/domain/environment.ts';
import { locateCredential } from '../../src/operations/credentials/list-credentials.ts';
import { removeJob } from '../../src/operations/jobs/remove-job.ts';
import { approveJob, denyJob } from '../../src/operations/jobs/review-job.ts';
import { locateJob } from '../../src/operations/jobs/show-job.ts';
import { lastAudit } from '../helper/audit-trail.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, db, newCompany } from '../helper/fixtures.ts';
import { freshKey } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

/** A pending job of a new company, and a client of that company. */
async function pendingJob(environment: Environment = 'production') {
  const acme = await newCompany();
  const asWriter = await acme.writer(environment);
  const key = freshKey();
  const { body } = await asWriter.create(minimalJob, key);
  const id: number = body.data.id;
  return { id, key, asWriter, job: { companyId: acme.id, environment, jobId: BigInt(id) } };
}

describe('approveJob', () => {
  it('only pending jobs are reviewed, and one of ten simultaneous reviews succeeds', async () => {
    const { job } = await pendingJob();
    const verdicts = Array.from({ length: 10 }, (_, i) =>
      i % 2 ? approveJob(actionContext(), job) : denyJob(actionContext(), { ...job, reason: 'Incompleto.' }),
    );
    const outcomes = await Promise.allSettled(verdicts);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).to.have.length(1);
    expect(await expectRefused('not_pending', () => approveJob(actionContext(), job))).to.match(/active|denied/);
  });
});

describe('denyJob', () => {
  it('stores the reason; a PATCH sends the job back to review and clears it', async () => {
    const { id, asWriter, job } = await pendingJob();
    await denyJob(actionContext(), { ...job, reason: ' Falta o salário. ' });
    expect((await asWriter.get(`/jobs/${id}`)).body.data).to.include({ status: 'denied', is_active: false });
    const denied = await db().job.findFirstOrThrow({ where: { id: job.jobId } });
    expect(denied.denialReason).to.equal('Falta o salário.');
    expect((await lastAudit(job.companyId)).details).to.deep.equal({ job_id: id, reason: 'Falta o salário.' });
    expect((await asWriter.patch(id, { salary_min: 1000 })).body.data.status).to.equal('pending');
    expect((await db().job.findFirstOrThrow({ where: { id: job.jobId } })).denialReason).to.equal(null);
  });
});

describe('removeJob', () => {
  for (const environment of ['production', 'sandbox'] as const)
    it(`${environment}: the job is deleted, its key stays reserved and its posting stays counted`, async () => {
      const { id, key, asWriter, job } = await pendingJob(environment);
      await removeJob(actionContext(), { ...job, reason: 'A pedido.' });
      expect((await asWriter.get(`/jobs/${id}`)).status).to.equal(404);
      expect((await asWriter.create(minimalJob, key)).status).to.equal(410);
      expect((await asWriter.get('/account')).body.data.jobs.used).to.equal(1);
      const details = { job_id: id, reason: 'A pedido.' };
      expect(await lastAudit(job.companyId)).to.deep.include({ action: 'job.removed', details });
      await expectRefused('unknown_job', () => removeJob(actionContext(), job));
    });

  it('no audit entry contains the text of a job', async () => {
    const { job } = await pendingJob();
    await removeJob(actionContext(), job);
    const entries = JSON.stringify((await lastAudit(job.companyId)).details);
    expect(entries).to.not.include(minimalJob.title);
  });
});

describe('locateJob, locateCredential', () => {
  it('finds the company by an id only, and refuses an unknown id', async () => {
    const { job } = await pendingJob('sandbox');
    const { jobId, companyId } = job;
    expect(await locateJob(actionContext(), { jobId })).to.deep.equal(job);
    await expectRefused('unknown_job', () => locateJob(actionContext(), { jobId: 9_000_000_000_000n }));
    const other = await pendingJob('sandbox');
    await db().jobEvent.deleteMany({ where: { companyId: other.job.companyId } });
    await db().job.updateMany({ where: { companyId: other.job.companyId }, data: { id: jobId } });
    await expectRefused('several_jobs', () => locateJob(actionContext(), { jobId }));
    expect(await locateJob(actionContext(), { jobId, companyId })).to.deep.equal(job);
    const { id } = await db().credential.findFirstOrThrow({ where: { companyId } });
    const ref = { credentialId: id, companyId };
    expect(await locateCredential(actionContext(), { credentialId: id })).to.deep.equal(ref);
    await expectRefused('unknown_credential', () =>
      locateCredential(actionContext(), { credentialId: 9_000_000_000_000n }),
    );
  });
});
