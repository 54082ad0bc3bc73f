import { expect } from 'chai';
import { addDays, addMonths, startOfDay } from '../../src/domain/dates.ts';
import { endComplimentary, grantComplimentary } from '../../src/operations/companies/grant-complimentary.ts';
import { endSubscription, setSubscription } from '../../src/operations/companies/set-subscription.ts';
import { setPlan } from '../../src/operations/plans/set-plan.ts';
import { seedReference } from '../../src/operations/reference/seed-reference.ts';
import { auditOf, lastAudit } from '../helper/audit-trail.ts';
import { actionContext, db, newCompany } from '../helper/fixtures.ts';

/** The operator's context, `days` later. */
function later(days: number) {
  const ctx = actionContext();
  return { ...ctx, now: new Date(ctx.now.getTime() + days * 86_400_000), today: addDays(ctx.today, days) };
}

describe('grantComplimentary', () => {
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
});

describe('setPlan, listPlans', () => {
  it('simultaneously created plans get different ids, and one name makes one plan', async () => {
    const names = ['Um', 'Dois', 'um', 'DOIS', 'Três'];
    const plans = await Promise.all(names.map((name) => setPlan(actionContext(), { name, limit: 1 })));
    expect(new Set(plans.map((plan) => plan.id)).size).to.equal(3);
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
