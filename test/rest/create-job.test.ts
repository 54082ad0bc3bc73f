import { expect } from 'chai';
import { clock, db, newCompany } from '../helper/fixtures.ts';
import { freshKey } from '../helper/rest-client.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';

describe('createJob', () => {
  it('the six required fields create a pending job, with Location and every other field null or false', async () => {
    const acme = await newCompany({ name: 'Oficina do Norte' });
    const asWriter = await acme.writer('sandbox');
    const created = await asWriter.create(minimalJob);
    expect(created.status).to.equal(201);
    const job = created.body.data;
    expect(created.headers.location).to.equal(`/sandbox/v1/jobs/${job.id}`);
    expect(job).to.include({ ...minimalJob, status: 'pending', is_active: false, is_anonymous: false });
    expect(job.company_name).to.equal('Oficina do Norte');
    expect(job).to.include({ salary_negotiable: false, salary_min: null, valid_until: null, education_details: null });
    expect((await asWriter.get(`/jobs/${job.id}`)).body.data).to.deep.equal(job);
  });

  it('the largest salary keeps its cents', async () => {
    const asWriter = await (await newCompany()).writer('sandbox');
    const { body } = await asWriter.create({ ...minimalJob, salary_min: 0.07, salary_max: 99999999.99 });
    expect(body.data).to.include({ salary_min: '0.07', salary_max: '99999999.99' });
  });

  it('production: with auto-publish the job is active, without it pending; the sandbox never publishes', async () => {
    const trusted = await newCompany({ autoPublish: true });
    const published = await (await trusted.writer('production')).create(minimalJob);
    expect(published.body.data).to.include({ status: 'active', is_active: true });
    expect(published.headers.location).to.equal(`/v1/jobs/${published.body.data.id}`);
    expect((await (await trusted.writer('sandbox')).create(minimalJob)).body.data.status).to.equal('pending');
    const other = await newCompany({ autoPublish: false });
    expect((await (await other.writer('production')).create(minimalJob)).body.data.status).to.equal('pending');
  });

  it('a category must be an active child of an active area, and the district must exist: 422 on each', async () => {
    const asWriter = await (await newCompany()).writer('sandbox');
    const inactiveChild = await db().category.findFirstOrThrow({ where: { active: false, parentId: { not: null } } });
    const ofInactiveArea = await db().category.findFirstOrThrow({ where: { active: true, parent: { active: false } } });
    for (const category_id of [1, inactiveChild.id, ofInactiveArea.id, 999_999, 2 ** 40]) {
      const refused = await asWriter.create({ ...minimalJob, category_id, district_id: 99 });
      expect(refused.status, String(category_id)).to.equal(422);
      expect(refused.body.error.details).to.have.keys('category_id', 'district_id');
    }
  });

  it('an anonymous job hides the name of its company', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer('sandbox');
    const { id } = (await asWriter.create(minimalJob)).body.data;
    await db().job.updateMany({ where: { companyId: acme.id }, data: { isAnonymous: true } });
    expect((await asWriter.get(`/jobs/${id}`)).body.data).to.include({ company_name: null, is_anonymous: true });
  });
});

describe('createJob, idempotency', () => {
  it('key order, white space and the spelling of a number make no difference', async () => {
    const asWriter = await (await newCompany()).writer('sandbox');
    const key = freshKey();
    const first = await asWriter.create({ ...minimalJob, salary_min: 1000 }, key);
    expect(first.status).to.equal(201);
    const reversed = Object.fromEntries(Object.entries({ ...minimalJob, salary_min: 1000 }).reverse());
    const text = JSON.stringify(reversed, null, 4).replace('1000', '1e3');
    const again = await asWriter.send('POST', '/jobs', text, { 'Idempotency-Key': key });
    expect(again.status).to.equal(200);
    expect(again.body.data.id).to.equal(first.body.data.id);
  });

  it('a withdrawn job is replayed as it is; a replay works even after its date has passed', async () => {
    const asWriter = await (await newCompany()).writer('sandbox');
    const key = freshKey();
    const job = { ...minimalJob, valid_until: inDays(1) };
    const created = await asWriter.create(job, key);
    expect(created.status).to.equal(201);
    await asWriter.withdraw(created.body.data.id);
    try {
      clock.aheadMs = 3 * 86_400_000;
      const replayed = await asWriter.create(job, key);
      expect(replayed.status).to.equal(200);
      expect(replayed.headers['idempotent-replayed']).to.equal('true');
      expect(replayed.body.data).to.include({ id: created.body.data.id, status: 'inactive' });
      expect((await asWriter.create(job)).status, 'a new job with that date').to.equal(422);
    } finally {
      clock.aheadMs = 0;
    }
  });
});
