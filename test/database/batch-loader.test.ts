import { expect } from 'chai';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../src/database/open.ts';
import type { Tenant } from '../../src/domain/environment.ts';
import { decideJob } from '../../src/queries/change-job.ts';
import { findJob } from '../../src/queries/jobs.ts';
import { clock, db, newCompany } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

/** The real database, with the statements that went to it; `fail` makes the next one find it gone. */
function watched() {
  const seen = { statements: 0, fail: false };
  const rows = <T>(statement: Prisma.Sql): Promise<T[]> => {
    seen.statements += 1;
    return seen.fail ? Promise.reject(new Error('gone')) : db().rows<T>(statement);
  };
  // The loaders use nothing else.
  const over = { batchMax: db().batchMax, rows } as Db;
  return { over, seen };
}

async function companyWithJobs(count: number): Promise<{ tenant: Tenant; ids: bigint[] }> {
  const company = await newCompany();
  const writer = await company.writer();
  const ids: bigint[] = [];
  for (let i = 0; i < count; i++) ids.push(BigInt((await writer.create(minimalJob)).body.data.id));
  return { tenant: { companyId: company.id, environment: 'sandbox' }, ids };
}

describe('batchLoader', () => {
  it('sends lookups of several companies as one query, and each gets only its own result', async () => {
    const [one, other] = [await companyWithJobs(3), await companyWithJobs(3)];
    const { over, seen } = watched();
    const found = await Promise.all([
      ...one.ids.map((id) => findJob(over, one.tenant, id)),
      ...other.ids.map((id) => findJob(over, one.tenant, id)),
      ...one.ids.map((id) => findJob(over, { ...one.tenant, environment: 'production' }, id)),
      ...other.ids.map((id) => findJob(over, other.tenant, id)),
      ...one.ids.map((id) => findJob(over, one.tenant, id)),
    ]);
    const ids = [...one.ids, ...Array(6).fill(undefined), ...other.ids, ...one.ids];
    expect(found.map((job) => job && BigInt(job.id))).to.deep.equal(ids);
    // Of fifteen lookups three are for the same keys.
    expect(seen.statements).to.equal(over.batchMax === 1 ? 15 : 1);
  });

  it('sees what was committed before the lookup', async () => {
    const { tenant, ids } = await companyWithJobs(1);
    const [id] = ids as [bigint];
    const { over, seen } = watched();
    expect((await findJob(over, tenant, id))?.status).to.equal('pending');
    const decided = { decision: 'withdrawn', revision: 1, actor: 'operator', now: clock.now() } as const;
    expect((await decideJob(db(), tenant, id, decided)).refusals).to.deep.equal([]);
    expect((await findJob(over, tenant, id))?.status).to.equal('inactive');
    expect(seen.statements).to.equal(2);
  });

  it('fails all lookups of a batch together; the next batch queries again', async () => {
    const { tenant, ids } = await companyWithJobs(2);
    const { over, seen } = watched();
    seen.fail = true;
    const outcomes = await Promise.allSettled(ids.map((id) => findJob(over, tenant, id)));
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    seen.fail = false;
    expect((await findJob(over, tenant, ids[0] as bigint))?.id).to.equal(Number(ids[0]));
  });
});
