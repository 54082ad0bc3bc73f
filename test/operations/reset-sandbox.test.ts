import { expect } from 'chai';
import { resetSandbox } from '../../src/operations/sandbox/reset-sandbox.ts';
import { actionContext, db, newCompany } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

describe('resetSandbox', () => {
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
