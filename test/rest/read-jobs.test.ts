import { expect } from 'chai';
import { db, newCompany } from '../helper/fixtures.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';

describe('listJobs', () => {
  it('newest first, 25 per page by default, with meta', async () => {
    const asWriter = await (await newCompany()).writer('sandbox');
    const ids: number[] = [];
    for (let n = 0; n < 28; n++) ids.push((await asWriter.create(minimalJob)).body.data.id);
    ids.reverse();
    const first = await asWriter.get('/jobs');
    expect(first.body.data.map(({ id }: { id: number }) => id)).to.deep.equal(ids.slice(0, 25));
    expect(first.body.meta).to.deep.equal({ current_page: 1, per_page: 25, total: 28, last_page: 2 });
    const second = await asWriter.get('/jobs?page=2&per_page=10');
    expect(second.body.data.map(({ id }: { id: number }) => id)).to.deep.equal(ids.slice(10, 20));
    expect(second.body.meta).to.deep.equal({ current_page: 2, per_page: 10, total: 28, last_page: 3 });
    const beyond = await asWriter.get('/jobs?page=1000000');
    expect(beyond.body.data).to.deep.equal([]);
  });

  it('an empty list has one empty page', async () => {
    const asReader = await (await newCompany()).reader('sandbox');
    const { body } = await asReader.get('/jobs');
    expect(body).to.deep.equal({ data: [], meta: { current_page: 1, per_page: 25, total: 0, last_page: 1 } });
  });

  it('status selects the jobs that show it', async () => {
    const acme = await newCompany({ autoPublish: true });
    const asWriter = await acme.writer('production');
    const active = (await asWriter.create(minimalJob)).body.data.id;
    const inactive = (await asWriter.create(minimalJob)).body.data.id;
    await asWriter.withdraw(inactive);
    const expired = (await asWriter.create({ ...minimalJob, valid_until: inDays(1) })).body.data.id;
    await db().job.updateMany({
      where: { companyId: acme.id, id: expired },
      data: { validUntil: new Date(`${inDays(-1)}T00:00:00Z`) },
    });
    const ids = async (status: string) =>
      (await asWriter.get(`/jobs?status=${status}`)).body.data.map(({ id }: { id: number }) => id);
    expect(await ids('active')).to.deep.equal([active]);
    expect(await ids('inactive')).to.deep.equal([inactive]);
    expect(await ids('expired')).to.deep.equal([expired]);
    expect(await ids('pending')).to.deep.equal([]);
  });
});
