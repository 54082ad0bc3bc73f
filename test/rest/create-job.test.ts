import { expect } from 'chai';
import { clock, db, newCompany } from '../helper/fixtures.ts';
import { freshKey } from '../helper/rest-client.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';

describe('createJob', () => {
  it('the six required fields create a job, with Location and every other field null or false', async () => {
    for (const [environment, autoPublish, location, status] of [
      ['sandbox', true, '/sandbox/v1/jobs', 'pending'],
      ['production', false, '/v1/jobs', 'pending'],
      ['production', true, '/v1/jobs', 'active'],
    ] as const) {
      const asWriter = await (await newCompany({ name: 'Oficina do Norte', autoPublish })).writer(environment);
      const created = await asWriter.create(minimalJob);
      const job = created.body.data;
      expect([created.status, created.headers.location]).to.deep.equal([201, `${location}/${job.id}`]);
      const { id: _, created_at: __, updated_at: ___, ...others } = job;
      const set = { status, is_active: status === 'active', is_anonymous: false, company_name: 'Oficina do Norte' };
      const sent = Object.keys({ ...minimalJob, ...set });
      expect(others).to.include({ ...minimalJob, ...set, salary_negotiable: false });
      const left = Object.entries(others).filter(([name]) => !sent.includes(name) && name !== 'salary_negotiable');
      for (const [name, value] of left) expect(value, name).to.equal(null);
      expect((await asWriter.get(`/jobs/${job.id}`)).body.data).to.deep.equal(job);
    }
  });

  it('a category must be an active child of an active area, and the district must exist: 422 on each', async () => {
    const asWriter = await (await newCompany()).writer();
    const inactive = await db().category.findFirstOrThrow({ where: { active: false, parentId: { not: null } } });
    const ofInactiveArea = await db().category.findFirstOrThrow({ where: { active: true, parent: { active: false } } });
    for (const category_id of [1, inactive.id, ofInactiveArea.id, 999_999, 2 ** 40]) {
      const { status, body } = await asWriter.create({ ...minimalJob, category_id, district_id: 99 });
      expect(status, String(category_id)).to.equal(422);
      expect(body.error.details).to.have.keys('category_id', 'district_id');
    }
  });

  it('an anonymous job hides the name of its company', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer();
    const { id } = (await asWriter.create(minimalJob)).body.data;
    await db().job.updateMany({ where: { companyId: acme.id }, data: { isAnonymous: true } });
    expect((await asWriter.get(`/jobs/${id}`)).body.data).to.include({ company_name: null, is_anonymous: true });
  });

  it('again: a withdrawn job is replayed as it is, even after its date has passed', async () => {
    const asWriter = await (await newCompany()).writer();
    const key = freshKey();
    const job = { ...minimalJob, valid_until: inDays(1) };
    const { id } = (await asWriter.create(job, key)).body.data;
    await asWriter.withdraw(id);
    clock.aheadMs = 3 * 86_400_000;
    const { status, headers, body } = await asWriter.create(job, key);
    expect([status, headers['idempotent-replayed']]).to.deep.equal([200, 'true']);
    expect(body.data).to.include({ id, status: 'inactive' });
    expect((await asWriter.create(job)).status, 'a new job with that date').to.equal(422);
  });
});
