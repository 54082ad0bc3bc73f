import { expect } from 'chai';
import { approveJob } from '../../src/actions/approve-job.ts';
import { denyJob } from '../../src/actions/deny-job.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { freshKey } from '../helper/client.ts';
import { minimalJob } from '../helper/job.ts';
import { actionContext, db, newCompany, type TestCompany } from '../helper/world.ts';

const eventsOf = async (company: TestCompany, jobId: number): Promise<string[]> => {
  const where = { companyId: company.id, jobId: BigInt(jobId) };
  const events = await db().jobEvent.findMany({ where, orderBy: { id: 'asc' } });
  return events.map(({ kind, status, actor }) => `${kind} ${status} ${actor}`);
};

const credentialOf = async ({ id: companyId }: TestCompany): Promise<string> =>
  `credential:${(await db().credential.findFirstOrThrow({ where: { companyId } })).id}`;

const newJob = async (environment: Environment, autoPublish = false) => {
  const acme = await newCompany({ autoPublish });
  const asWriter = await acme.writer(environment);
  const key = freshKey();
  const { id } = (await asWriter.create(minimalJob, key)).body.data;
  return { acme, asWriter, key, id, credential: await credentialOf(acme) };
};

describe('the history of a job', () => {
  it('names each change with the status after it and who made it; a replay and a repeated DELETE add nothing', async () => {
    const { acme, asWriter, key, id, credential } = await newJob('sandbox');
    expect((await asWriter.create(minimalJob, key)).status).to.equal(200);
    await asWriter.patch(id, { title: 'Mudado' });
    await asWriter.withdraw(id);
    await asWriter.withdraw(id);
    expect(await eventsOf(acme, id)).to.deep.equal([
      `created pending ${credential}`,
      `updated pending ${credential}`,
      `withdrawn inactive ${credential}`,
    ]);
  });

  it('holds the verdicts of the review, with who gave them', async () => {
    const { acme, asWriter, id, credential } = await newJob('production');
    const review = { companyId: acme.id, environment: 'production', jobId: BigInt(id) } as const;
    await denyJob({ ...actionContext(), actor: 'administrator:7' }, { ...review, reason: 'Sem salário.' });
    await asWriter.patch(id, { title: 'Com salário' });
    await approveJob(actionContext(), review);
    expect(await eventsOf(acme, id)).to.deep.equal([
      `created pending ${credential}`,
      'denied denied administrator:7',
      `updated pending ${credential}`,
      'approved active operator',
    ]);
  });

  it('a job published at once begins active; what is refused leaves no event', async () => {
    const { acme, asWriter, id, credential } = await newJob('production', true);
    expect((await asWriter.patch(id, { title: '' })).status).to.equal(422);
    expect(await eventsOf(acme, id)).to.deep.equal([`created active ${credential}`]);
  });
});
