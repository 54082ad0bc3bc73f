import { expect } from 'chai';
import type { JobStatus } from '../../src/operations/jobs/job.ts';
import { db, newCompany } from '../helper/fixtures.ts';
import { freshKey } from '../helper/rest-client.ts';
import { fullJob, inDays, minimalJob } from '../helper/sample-jobs.ts';

/** A production job in this status, and how it is shown. */
async function jobIn(status: JobStatus, { autoPublish = false, fields = {} } = {}) {
  const acme = await newCompany({ autoPublish });
  const asWriter = await acme.writer('production');
  const { id } = (await asWriter.create(minimalJob)).body.data;
  await db().job.updateMany({ where: { companyId: acme.id }, data: { status, ...fields } });
  return { acme, asWriter, id, shown: async () => (await asWriter.get(`/jobs/${id}`)).body.data };
}

describe('updateJob', () => {
  it('only the supplied fields change; absent, null and empty are three things', async () => {
    const asWriter = await (await newCompany()).writer();
    const before = (await asWriter.create(fullJob())).body.data;
    const patch = { requirements: null, language_requirements: [] };
    const { status, body } = await asWriter.patch(before.id, patch);
    expect(status).to.equal(200);
    expect(body.data).to.deep.equal({ ...before, ...patch, updated_at: body.data.updated_at });
    expect((await asWriter.get(`/jobs/${before.id}`)).body.data).to.deep.equal(body.data);
  });

  it('a salary within a millionth of a cent is that cent, in the rules and in a change; its key is bound to the JSON as sent', async () => {
    const asWriter = await (await newCompany()).writer();
    const [job, key] = [{ ...minimalJob, salary_min: 0.1 + 0.2, salary_max: 0.3 }, freshKey()];
    const { status, body } = await asWriter.create(job, key);
    expect([status, body.data.salary_min, body.data.salary_max]).to.deep.equal([201, '0.30', '0.30']);
    for (const salary_min of [0.3, 0.300_000_01, 0.299_999_99])
      expect((await asWriter.patch(body.data.id, { salary_min })).body.data, String(salary_min)).to.deep.equal(
        body.data,
      );
    expect((await asWriter.create(job, key)).status).to.equal(200);
    expect((await asWriter.create({ ...job, salary_min: 0.3 }, key)).status).to.equal(409);
    for (const [sent, stored] of [
      [99_999_999.99, '99999999.99'],
      [99_999_998.75 + 1e-8, '99999998.75'],
      [33_333_333.33 - 1e-8, '33333333.33'],
      [1250.500_000_01, '1250.50'],
      [1e-8, '0.00'],
      [-0, '0.00'],
    ] as const)
      expect((await asWriter.create({ ...minimalJob, salary_max: sent })).body.data.salary_max).to.equal(stored);
  });

  it('the status after a change follows the table of section 3', async () => {
    const rows: [from: JobStatus, to: JobStatus, toIfAutoPublish: JobStatus][] = [
      ['active', 'pending', 'active'],
      ['pending', 'pending', 'pending'],
      ['inactive', 'inactive', 'inactive'],
      ['expired', 'expired', 'expired'],
      ['denied', 'pending', 'pending'],
    ];
    for (const [from, ...to] of rows)
      for (const autoPublish of [false, true]) {
        const { asWriter, id } = await jobIn(from, { autoPublish });
        const { data } = (await asWriter.patch(id, { title: 'Mudado' })).body;
        const status = to[Number(autoPublish)];
        expect(data, `${from}, auto-publish ${autoPublish}`).to.include({ title: 'Mudado', status });
      }
  });

  it('a job past its last day is not republished by a new date', async () => {
    const fields = { validUntil: new Date(`${inDays(-1)}T00:00:00Z`) };
    const { asWriter, id } = await jobIn('active', { autoPublish: true, fields });
    expect((await asWriter.patch(id, { title: 'Mudado' })).body.data.status).to.equal('expired');
    const { data } = (await asWriter.patch(id, { valid_until: inDays(9) })).body;
    expect(data).to.include({ status: 'expired', valid_until: inDays(9) });
  });

  it('simultaneous changes of different fields are all kept', async () => {
    const { asWriter, id, shown } = await jobIn('pending');
    const patches = [{ title: 'Novo' }, { requirements: 'R' }, { remote_policy: 'P' }, { experience_years: 3 }];
    const answers = await Promise.all(patches.map((patch) => asWriter.patch(id, patch)));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    expect(await shown()).to.include(Object.assign({}, ...patches));
  });

  it('production: a job moves only to a district where the company may publish, and may stay where it is', async () => {
    const { acme, asWriter, id } = await jobIn('pending');
    await db().allowedDistrict.create({ data: { companyId: acme.id, districtId: 11 } });
    for (const [district_id, status] of [
      [12, 403],
      [minimalJob.district_id, 200],
      [11, 200],
    ])
      expect((await asWriter.patch(id, { district_id })).status).to.equal(status);
  });
});

it('withdrawJob makes any job inactive with 204, and it stays so when repeated', async () => {
  for (const status of ['pending', 'active', 'expired', 'denied', 'inactive'] as const) {
    const { asWriter, id, shown } = await jobIn(status);
    expect((await asWriter.withdraw(id)).status, status).to.equal(204);
    const once = await shown();
    expect(once).to.include({ status: 'inactive', is_active: false });
    expect((await asWriter.withdraw(id)).status).to.equal(204);
    expect(await shown()).to.deep.equal(once);
  }
});
