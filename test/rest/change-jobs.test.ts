import { expect } from 'chai';
import type { JobStatus } from '../../src/domain/job.ts';
import { db, newCompany, type TestCompany } from '../helper/fixtures.ts';
import { fullJob, inDays, minimalJob } from '../helper/sample-jobs.ts';

const setStatus = (company: TestCompany, status: JobStatus) =>
  db().job.updateMany({ where: { companyId: company.id }, data: { status } });

describe('updateJob', () => {
  it('only the supplied fields change; absent, null and empty are three things', async () => {
    const asWriter = await (await newCompany()).writer('sandbox');
    const before = (await asWriter.create(fullJob())).body.data;
    const { status, body } = await asWriter.patch(before.id, { requirements: null, language_requirements: [] });
    expect(status).to.equal(200);
    const { updated_at } = body.data;
    expect(body.data).to.deep.equal({ ...before, requirements: null, language_requirements: [], updated_at });
    expect((await asWriter.get(`/jobs/${before.id}`)).body.data).to.deep.equal(body.data);
  });

  it('the status after a change follows the table of section 3', async () => {
    const rows: [from: JobStatus, autoPublish: boolean, to: JobStatus][] = [
      ['active', false, 'pending'],
      ['active', true, 'active'],
      ['pending', false, 'pending'],
      ['pending', true, 'pending'],
      ['inactive', false, 'inactive'],
      ['inactive', true, 'inactive'],
      ['expired', false, 'expired'],
      ['expired', true, 'expired'],
      ['denied', false, 'pending'],
      ['denied', true, 'pending'],
    ];
    for (const [from, autoPublish, to] of rows) {
      const acme = await newCompany({ autoPublish });
      const asWriter = await acme.writer('production');
      const { id } = (await asWriter.create(minimalJob)).body.data;
      await setStatus(acme, from);
      const { body } = await asWriter.patch(id, { title: 'Mudado' });
      expect(body.data, `${from}, auto-publish ${autoPublish}`).to.include({ title: 'Mudado', status: to });
    }
  });

  it('a job past its last day is not republished by a new date', async () => {
    const acme = await newCompany({ autoPublish: true });
    const asWriter = await acme.writer('production');
    const { id } = (await asWriter.create({ ...minimalJob, valid_until: inDays(1) })).body.data;
    await db().job.updateMany({
      where: { companyId: acme.id },
      data: { validUntil: new Date(`${inDays(-1)}T00:00:00Z`) },
    });
    expect((await asWriter.patch(id, { title: 'Mudado' })).body.data.status).to.equal('expired');
    expect((await asWriter.patch(id, { valid_until: inDays(9) })).body.data).to.include({
      status: 'expired',
      valid_until: inDays(9),
    });
  });

  it('simultaneous changes of different fields are all kept', async () => {
    const asWriter = await (await newCompany()).writer('sandbox');
    const { id } = (await asWriter.create(minimalJob)).body.data;
    const patches = [{ title: 'Novo' }, { requirements: 'R' }, { remote_policy: 'P' }, { experience_years: 3 }];
    const answers = await Promise.all(patches.map((patch) => asWriter.patch(id, patch)));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    expect((await asWriter.get(`/jobs/${id}`)).body.data).to.include(Object.assign({}, ...patches));
  });

  it('production: a move to a district where the company may not publish gets 403', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer('production');
    const { id } = (await asWriter.create(minimalJob)).body.data;
    await db().allowedDistrict.create({ data: { companyId: acme.id, districtId: 11 } });
    expect((await asWriter.patch(id, { district_id: 12 })).body.error.details.reason).to.equal('permission');
    expect((await asWriter.patch(id, { district_id: minimalJob.district_id })).status).to.equal(200);
    expect((await asWriter.patch(id, { district_id: 11 })).status).to.equal(200);
  });
});

describe('withdrawJob', () => {
  it('any job becomes inactive with 204, and stays so when repeated', async () => {
    for (const status of ['pending', 'active', 'expired', 'denied', 'inactive'] as const) {
      const acme = await newCompany();
      const asWriter = await acme.writer('production');
      const { id } = (await asWriter.create(minimalJob)).body.data;
      await setStatus(acme, status);
      expect((await asWriter.withdraw(id)).status, status).to.equal(204);
      const once = (await asWriter.get(`/jobs/${id}`)).body.data;
      expect(once).to.include({ status: 'inactive', is_active: false });
      expect((await asWriter.withdraw(id)).status).to.equal(204);
      expect((await asWriter.get(`/jobs/${id}`)).body.data).to.deep.equal(once);
    }
  });

  it('does not return the usage', async () => {
    const asWriter = await (await newCompany()).writer('production');
    const { id } = (await asWriter.create(minimalJob)).body.data;
    await asWriter.withdraw(id);
    expect((await asWriter.get('/account')).body.data.jobs.used).to.equal(1);
  });
});
