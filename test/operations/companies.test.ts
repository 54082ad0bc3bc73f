import { expect } from 'chai';
import { dateToDay } from '../../src/domain/dates.ts';
import {
  approveCompany,
  changeCompany,
  reinstateCompany,
  suspendCompany,
} from '../../src/operations/companies/change-company.ts';
import { createCompany } from '../../src/operations/companies/create-company.ts';
import { setDistricts } from '../../src/operations/companies/set-districts.ts';
import { auditOf, lastAudit } from '../helper/audit-trail.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, db, newCompany } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const nobody = 9_000_000_000_000n;

describe('createCompany', () => {
  it('a company with only a name is not verified, not approved, does not auto-publish and has no plan', async () => {
    const ctx = actionContext();
    const { companyId } = await createCompany(ctx, { name: '  Oficina do Sul ' });
    const company = await db().company.findUniqueOrThrow({ where: { id: companyId }, include: { subscription: true } });
    expect(company).to.deep.include({
      name: 'Oficina do Sul',
      verified: false,
      autoPublish: false,
      subscription: null,
    });
    expect(company).to.include({ suspendedAt: null, productionApprovedAt: null });
    expect(await auditOf(companyId)).to.deep.equal([
      {
        actor: 'operator',
        action: 'company.created',
        details: { verified: false, auto_publish: false, production_approved: false, plan: null },
      },
    ]);
  });

  it("the subscription begins today; the plan's name is not case-sensitive", async () => {
    const ctx = actionContext();
    const { companyId } = await createCompany(ctx, { name: 'A', plan: 'especial' });
    const include = { plan: true };
    const subscription = await db().subscription.findUniqueOrThrow({ where: { companyId }, include });
    expect(subscription.plan.name).to.equal('Especial');
    expect(dateToDay(subscription.startedOn)).to.equal(ctx.today);
  });

  it('an unknown plan or a name that is blank, too long or has a line break is refused and creates nothing', async () => {
    const before = await db().company.count();
    await expectRefused('unknown_plan', async () => createCompany(actionContext(), { name: 'A', plan: 'Nenhum' }));
    for (const name of ['', '  ', 'x'.repeat(256), 'a\nb', '\ud800'])
      await expectRefused('invalid_input', async () => createCompany(actionContext(), { name }));
    expect(await db().company.count()).to.equal(before);
  });
});

describe('approveCompany, suspendCompany, reinstateCompany', () => {
  it('approval opens production; a second approval changes and records nothing', async () => {
    const acme = await newCompany({ approved: false });
    const asReader = await acme.reader('production');
    expect((await asReader.get('/jobs')).body.error.details.reason).to.equal('approval');
    await approveCompany(actionContext({ kind: 'administrator', id: 7n }), { companyId: acme.id });
    expect((await asReader.get('/jobs')).status).to.equal(200);
    const entries = await auditOf(acme.id);
    expect(entries.at(-1)).to.include({ actor: 'administrator:7', action: 'company.approved' });
    await approveCompany(actionContext(), { companyId: acme.id });
    expect(await auditOf(acme.id)).to.deep.equal(entries);
  });

  it('a suspended company has no access to either environment until it is reinstated', async () => {
    const acme = await newCompany();
    const readers = [await acme.reader('production'), await acme.reader('sandbox')];
    await suspendCompany(actionContext(), { companyId: acme.id });
    for (const reader of readers) expect((await reader.get('/jobs')).status).to.equal(403);
    await reinstateCompany(actionContext(), { companyId: acme.id });
    for (const reader of readers) expect((await reader.get('/jobs')).status).to.equal(200);
    const actions = (await auditOf(acme.id)).map(({ action }) => action);
    expect(actions).to.include.members(['company.suspended', 'company.reinstated']);
  });

  it('an unknown company is refused', async () => {
    for (const act of [approveCompany, suspendCompany, reinstateCompany])
      expect(await expectRefused('unknown_company', () => act(actionContext(), { companyId: nobody }))).to.include(
        `${nobody}`,
      );
  });
});

describe('changeCompany', () => {
  it('changes only the given flags', async () => {
    const acme = await newCompany({ verified: false, autoPublish: true });
    const after = await changeCompany(actionContext(), { companyId: acme.id, verified: true });
    expect(after).to.deep.equal({ verified: true, autoPublish: true });
    expect((await lastAudit(acme.id)).details).to.deep.equal({ verified: true, auto_publish: true });
    await expectRefused('invalid_input', async () => changeCompany(actionContext(), { companyId: acme.id }));
  });
});

describe('setDistricts', () => {
  it('limits where production jobs may be published; an empty list allows all districts again', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer('production');
    const set = await setDistricts(actionContext(), { companyId: acme.id, districts: [11, 1, 11] });
    expect(set.districtIds).to.deep.equal([1, 11]);
    expect((await asWriter.create({ ...minimalJob, district_id: 13 })).body.error.details.reason).to.equal(
      'permission',
    );
    expect((await asWriter.create({ ...minimalJob, district_id: 11 })).status).to.equal(201);
    await setDistricts(actionContext(), { companyId: acme.id, districts: [] });
    expect((await asWriter.create({ ...minimalJob, district_id: 13 })).status).to.equal(201);
  });

  it('an unknown district is refused and does not change the list', async () => {
    const acme = await newCompany();
    await setDistricts(actionContext(), { companyId: acme.id, districts: [2] });
    await expectRefused('unknown_district', () =>
      setDistricts(actionContext(), { companyId: acme.id, districts: [3, 999] }),
    );
    const rows = await db().allowedDistrict.findMany({ where: { companyId: acme.id } });
    expect(rows.map((row) => row.districtId)).to.deep.equal([2]);
  });
});
