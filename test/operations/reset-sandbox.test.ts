import { expect } from 'chai';
import { resetSandbox } from '../../src/operations/sandbox/reset-sandbox.ts';
import { lastAudit } from '../helper/audit-trail.ts';
import { actionContext, db, newCompany } from '../helper/fixtures.ts';
import { freshKey } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

describe('resetSandbox', () => {
  it('deletes sandbox jobs and keys and restores the capacity; credentials, production and other companies stay', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    const clients = [
      await acme.writer('sandbox'),
      await acme.writer('production'),
      await other.writer('sandbox'),
    ] as const;
    const [asWriter, inProduction, asStranger] = clients;
    const key = freshKey();
    for (const client of clients) await client.create(minimalJob, key);
    await asWriter.create(minimalJob);
    expect(await resetSandbox(actionContext(), { companyId: acme.id })).to.deep.equal({ jobs: 2, keys: 2 });
    expect((await asWriter.get('/jobs')).body.meta.total).to.equal(0);
    expect((await asWriter.get('/account')).body.data.jobs).to.include({ used: 0, remaining: 100 });
    expect((await inProduction.get('/jobs')).body.meta.total).to.equal(1);
    expect((await inProduction.get('/account')).body.data.jobs.used).to.equal(1);
    expect((await asStranger.get('/jobs')).body.meta.total).to.equal(1);
    expect((await asWriter.create({ ...minimalJob, title: 'Outro' }, key)).status).to.equal(201);
    expect((await inProduction.create(minimalJob, key)).status).to.equal(200);
    const details = { jobs: 2, keys: 2 };
    expect(await lastAudit(acme.id)).to.deep.include({ action: 'sandbox.reset', details });
  });

  it('with simultaneous creates, the count always equals the remaining jobs and keys', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer('sandbox');
    for (let round = 0; round < 4; round++) {
      const creates = Array.from({ length: 12 }, () => asWriter.create(minimalJob));
      const resets = Array.from({ length: 2 }, () => resetSandbox(actionContext(), { companyId: acme.id }));
      const answers = await Promise.all(creates);
      await Promise.all(resets);
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(12).fill(201));
      const where = { companyId: acme.id, environment: 'sandbox' } as const;
      const [jobs, keys] = [await db().job.count({ where }), await db().idempotencyKey.count({ where })];
      const usage = await db().postingUsage.findFirstOrThrow({ where: { companyId: acme.id, allowance: 'sandbox' } });
      expect({ jobs, keys, used: usage.used }).to.deep.equal({ jobs, keys: jobs, used: jobs });
    }
  });
});
