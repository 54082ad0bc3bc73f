import { expect } from 'chai';
import { addDays, addMonths, startOfDay } from '../../src/domain/dates.ts';
import { endComplimentary, grantComplimentary } from '../../src/operations/companies/grant-complimentary.ts';
import { endSubscription, setSubscription } from '../../src/operations/companies/set-subscription.ts';
import { listPlans } from '../../src/operations/plans/list-plans.ts';
import { setPlan } from '../../src/operations/plans/set-plan.ts';
import { seedReference } from '../../src/operations/reference/seed-reference.ts';
import { auditOf, lastAudit } from '../helper/audit-trail.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, db, newCompany } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

/** The operator's context, `days` later. */
function later(days: number) {
  const ctx = actionContext();
  return { ...ctx, now: new Date(ctx.now.getTime() + days * 86_400_000), today: addDays(ctx.today, days) };
}

describe('grantComplimentary', () => {
  it('opens production without a plan, with its own limit', async () => {
    const acme = await newCompany({ plan: null });
    const asWriter = await acme.writer('production');
    expect((await asWriter.create(minimalJob)).body.error.details.reason).to.equal('plan');
    await grantComplimentary(actionContext(), { companyId: acme.id, limit: 1 });
    expect((await asWriter.create(minimalJob)).status).to.equal(201);
    expect((await asWriter.create(minimalJob)).body.error.details.reason).to.equal('quota');
    const { data } = (await asWriter.get('/account')).body;
    expect(data).to.deep.include({ access_type: 'complimentary', plan: null });
    expect(data.jobs).to.include({ limit: 1, used: 1, remaining: 0 });
  });

  it("a new limit for a current grant keeps its first day, so that this month's postings stay counted", async () => {
    const acme = await newCompany({ plan: null });
    const first = await grantComplimentary(actionContext(), {
      companyId: acme.id,
      limit: 1,
      until: later(60).today,
    });
    const second = await grantComplimentary(later(10), { companyId: acme.id, limit: -1 });
    expect(second).to.deep.equal({ monthlyLimit: -1, startedOn: first.startedOn, expiresOn: null });
    expect((await lastAudit(acme.id)).details).to.deep.equal({
      monthly_limit: -1,
      started_on: first.startedOn,
      until: null,
    });
  });

  it('a grant ends after its last day, and a new one begins on its own day', async () => {
    const acme = await newCompany({ plan: null });
    const { today } = actionContext();
    await grantComplimentary(actionContext(), { companyId: acme.id, limit: 5, until: today });
    expect((await (await acme.reader('production')).get('/account')).status).to.equal(200);
    const next = await grantComplimentary(later(1), { companyId: acme.id, limit: 5 });
    expect(next.startedOn).to.equal(later(1).today);
  });

  it('an invalid limit, and a last day that is past or does not exist, are refused', async () => {
    const { id: companyId } = await newCompany({ plan: null });
    const yesterday = later(-1).today;
    const grant = (monthlyLimit: number, lastDay?: string) => () =>
      expectRefused('invalid_input', async () =>
        grantComplimentary(actionContext(), { companyId, limit: monthlyLimit, until: lastDay }),
      );
    for (const limit of [-2, 1.5, Number.NaN, 2 ** 31]) await grant(limit)();
    for (const day of [yesterday, '2099-02-30', '2099-13-01', '2099-1-1', 'soon']) await grant(1, day)();
    expect(await db().complimentaryGrant.count({ where: { companyId } })).to.equal(0);
  });

  it('endComplimentary closes production; without a grant it records nothing', async () => {
    const acme = await newCompany({ plan: null });
    await grantComplimentary(actionContext(), { companyId: acme.id, limit: 5 });
    await endComplimentary(actionContext(), { companyId: acme.id });
    expect((await lastAudit(acme.id)).action).to.equal('grant.ended');
    expect((await (await acme.reader('production')).get('/account')).body.error.details.reason).to.equal('plan');
    const entries = await auditOf(acme.id);
    await endComplimentary(actionContext(), { companyId: acme.id });
    expect(await auditOf(acme.id)).to.deep.equal(entries);
  });
});

describe('setSubscription', () => {
  it('a change of plan keeps the first day of the current subscription; after an end it restarts', async () => {
    const { id: companyId } = await newCompany({ plan: 'Pro' });
    const { today } = actionContext();
    expect(await setSubscription(later(40), { companyId, plan: 'vip' })).to.deep.equal({
      plan: 'VIP',
      startedOn: today,
    });
    expect(await endSubscription(later(41), { companyId })).to.deep.equal({ plan: null });
    const again = await setSubscription(later(50), { companyId, plan: 'Pro' });
    expect(again).to.deep.equal({ plan: 'Pro', startedOn: later(50).today });
  });

  it('lasts to the end of its last day, and counts months from the given first day', async () => {
    const acme = await newCompany({ plan: null });
    const asReader = await acme.reader('production');
    const { today } = actionContext();
    const startedOn = later(-40).today;
    await setSubscription(actionContext(), { companyId: acme.id, plan: 'Pro', startedOn, until: today });
    expect((await asReader.get('/account')).body.data.jobs.period_start).to.equal(addMonths(startedOn, 1));
    const { endsAt } = await db().subscription.findUniqueOrThrow({ where: { companyId: acme.id } });
    expect(endsAt).to.deep.equal(startOfDay('Europe/Lisbon', later(1).today));
    const details = { plan: 'Pro', started_on: startedOn, until: today };
    expect(await lastAudit(acme.id)).to.deep.include({ action: 'subscription.set', details });
  });

  it('a first day in the future or a last day in the past is refused', async () => {
    const { id: companyId } = await newCompany({ plan: null });
    for (const days of [{ startedOn: later(1).today }, { until: later(-1).today }, { until: '2026-02-30' }])
      await expectRefused('invalid_input', async () =>
        setSubscription(actionContext(), { companyId, plan: 'Pro', ...days }),
      );
    expect(await db().subscription.count({ where: { companyId } })).to.equal(0);
  });

  it('production closes when the subscription ends', async () => {
    const acme = await newCompany({ plan: 'Pro' });
    const asReader = await acme.reader('production');
    await endSubscription(actionContext(), { companyId: acme.id });
    expect((await asReader.get('/account')).body.error.details.reason).to.equal('plan');
    await expectRefused('unknown_plan', () => setSubscription(actionContext(), { companyId: acme.id, plan: 'Nenhum' }));
  });
});

describe('setPlan, listPlans', () => {
  it('a new plan needs a limit and is not eligible by default; changes apply to subscribers immediately', async () => {
    await expectRefused('invalid_input', () => setPlan(actionContext(), { name: 'Mini', apiEligible: true }));
    const { outcome, limit, ...made } = await setPlan(actionContext(), { name: 'Mini', limit: 2 });
    expect({ outcome, limit }).to.deep.equal({ outcome: 'created', limit: 2 });
    expect(made).to.include({ name: 'Mini', apiEligible: false });
    expect(made.id).to.be.at.least(1000);
    const acme = await newCompany({ plan: 'Mini' });
    const asReader = await acme.reader('production');
    expect((await asReader.get('/account')).status).to.equal(403);
    expect((await setPlan(actionContext(), { name: 'mini', apiEligible: true })).outcome).to.equal('changed');
    await setPlan(actionContext(), { name: 'MINI', limit: -1 });
    expect((await asReader.get('/account')).body.data.jobs.limit).to.equal(-1);
    expect(await listPlans(actionContext())).to.deep.include({ ...made, postingLimit: -1, apiEligible: true });
  });

  it('simultaneously created plans get different ids, and one name makes one plan', async () => {
    const names = ['Um', 'Dois', 'um', 'DOIS', 'Três'];
    const plans = await Promise.all(names.map((name) => setPlan(actionContext(), { name, limit: 1 })));
    expect(new Set(plans.map((plan) => plan.id)).size).to.equal(3);
  });

  it('a limit below -1, a blank name and an empty change are refused', async () => {
    for (const change of [{ name: 'Pro', limit: -2 }, { name: ' ', limit: 1 }, { name: 'Pro' }])
      await expectRefused('invalid_input', async () => setPlan(actionContext(), change));
  });
});

describe('seedReference', () => {
  it('inserts missing rows and keeps rows that people have changed', async () => {
    const where = { id: 20 };
    const district = await db().district.findUniqueOrThrow({ where });
    const area = await db().category.findFirstOrThrow({ where: { parentId: null } });
    await db().category.update({ where: { id: area.id }, data: { name: 'Another name' } });
    await db().district.delete({ where });
    try {
      expect(await seedReference(actionContext(), {})).to.deep.equal({ inserted: 1 });
      expect(await seedReference(actionContext(), {})).to.deep.equal({ inserted: 0 });
      expect(await db().district.findUnique({ where })).to.deep.equal(district);
      expect(await db().category.findUnique({ where: { id: area.id } })).to.deep.equal({
        ...area,
        name: 'Another name',
      });
    } finally {
      await db().category.update({ where: { id: area.id }, data: { name: area.name } });
    }
  });
});
