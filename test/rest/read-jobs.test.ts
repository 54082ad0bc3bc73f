import { expect } from 'chai';
import { clock, db, newCompany } from '../helper/fixtures.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';

const dayMs = 86_400_000;

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

  it('wrong and unknown parameters answer 422 and name them all', async () => {
    const asReader = await (await newCompany()).reader('sandbox');
    const wrong = [
      'page=0',
      'page=-1',
      'page=1.5',
      'page=1e1',
      'page=abc',
      'page=',
      'per_page=0',
      'per_page=101',
      'status=denied',
      'status=',
      'page=1&page=2',
      'sort=id',
      '__proto__=1',
    ];
    for (const query of wrong) {
      const { status, body } = await asReader.get(`/jobs?${query}`);
      expect(status, query).to.equal(422);
      expect(Object.keys(body.error.details), query).to.deep.equal([query.split('=')[0]]);
    }
    const all = await asReader.get('/jobs?page=0&per_page=101&status=x&other=1');
    expect(all.body.error.details).to.have.all.keys('page', 'per_page', 'status', 'other');
  });
});

describe('getJob', () => {
  it('an invalid or unknown id gets 404', async () => {
    const asReader = await (await newCompany()).reader('sandbox');
    for (const id of [
      '0',
      '-1',
      '1.5',
      '1e3',
      'abc',
      '0x10',
      '007',
      '99999999999999999999',
      '9223372036854775807',
      '9007199254740991',
      '%31',
      '%',
      '%00',
      '1%2F2',
    ]) {
      const { status, body } = await asReader.get(`/jobs/${id}`);
      expect(status, id).to.equal(404);
      expect(body.error.details, id).to.have.keys('reason');
    }
  });

  it('an active job shows as expired from the day after its last, in the service’s time zone', async () => {
    const acme = await newCompany({ autoPublish: true });
    const asWriter = await acme.writer('production');
    const { id } = (await asWriter.create({ ...minimalJob, valid_until: inDays(2) })).body.data;
    try {
      clock.aheadMs = 2 * dayMs;
      expect((await asWriter.get(`/jobs/${id}`)).body.data).to.include({ status: 'active', is_active: true });
      clock.aheadMs = 3 * dayMs;
      expect((await asWriter.get(`/jobs/${id}`)).body.data).to.include({ status: 'expired', is_active: false });
    } finally {
      clock.aheadMs = 0;
    }
  });
});

describe('isolation', () => {
  it('a job of another company, or of the other environment, does not exist for any operation', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    const { id } = (await (await acme.writer('sandbox')).create(minimalJob)).body.data;
    const strangers = [
      await other.writer('sandbox'),
      await other.writer('production'),
      await acme.writer('production'),
    ];
    for (const asStranger of strangers) {
      expect((await asStranger.get(`/jobs/${id}`)).status).to.equal(404);
      expect((await asStranger.patch(id, { title: 'Minha' })).status).to.equal(404);
      expect((await asStranger.withdraw(id)).status).to.equal(404);
      expect((await asStranger.get('/jobs')).body.meta.total).to.equal(0);
    }
    expect((await (await acme.reader('sandbox')).get(`/jobs/${id}`)).body.data).to.include({
      title: 'Eletricista',
      status: 'pending',
    });
  });
});
