import { expect } from 'chai';
import fc from 'fast-check';
import { addDays, addMonths, type Day, dayToDate, startOfDay } from '../../src/domain/dates.ts';
import { endComplimentary, grantComplimentary } from '../../src/operations/companies/people/grant-complimentary.ts';
import { endSubscription, setSubscription } from '../../src/operations/companies/people/set-subscription.ts';
import { type EnvironmentAccess, showCompany } from '../../src/operations/companies/people/show-company.ts';
import { addPlan, changePlan } from '../../src/operations/plans/people/change-plan.ts';
import { seedReference } from '../../src/operations/reference/people/seed-reference.ts';
import { lastAudit } from '../helper/audit-trail.ts';
import { refusalOf } from '../helper/expect-refused.ts';
import { actionContext, db, later, newCompany, startApp } from '../helper/fixtures.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

/** The operator's context, `days` later. */
function inDays(days: number) {
  const ctx = actionContext();
  return { ...ctx, now: new Date(ctx.now.getTime() + days * 86_400_000), today: addDays(ctx.today, days) };
}

describe('complimentary grants', () => {
  it("a new limit keeps the first day, so that this month's postings stay counted; after an end it restarts", async () => {
    const { id: companyId } = await newCompany({ plan: null });
    const { startedOn } = await grantComplimentary(actionContext(), { companyId, limit: 1, until: inDays(60).today });
    const second = await grantComplimentary(inDays(10), { companyId, limit: -1 });
    expect(second).to.deep.equal({ monthlyLimit: -1, startedOn, expiresOn: null });
    expect((await lastAudit(companyId)).details).to.deep.equal({
      monthly_limit: -1,
      started_on: startedOn,
      until: null,
    });
    await grantComplimentary(actionContext(), { companyId, limit: 5, until: inDays(0).today });
    const next = await grantComplimentary(inDays(1), { companyId, limit: 5 });
    expect(next.startedOn).to.equal(inDays(1).today);
  });

  it('take nothing away: an equal plan stays the source in both environments; a plan without production is opened by the grant', async () => {
    for (const [plan, limit, expected] of [
      ['Especial', 1, { limit: -1, access_type: 'subscription', used: 2 }],
      ['Especial', -1, { limit: -1, access_type: 'subscription', used: 2 }],
      ['Pro', -1, { limit: -1, access_type: 'complimentary', used: 2 }],
      ['Gratuito', 2, { limit: 2, access_type: 'complimentary', used: 2 }],
    ] as const) {
      const acme = await newCompany({ plan });
      await grantComplimentary(actionContext(), { companyId: acme.id, limit });
      const writer = await acme.writer('production');
      for (let n = 0; n < 2; n++) expect((await writer.create(minimalJob)).status, `${plan} ${limit}`).to.equal(201);
      const { jobs, access_type } = (await writer.get('/account')).body.data;
      expect({ ...jobs, access_type }).to.include(expected);
      expect((await (await acme.reader('sandbox')).get('/account')).body.data).to.include({ access_type });
      const { access, accessType } = await showCompany(actionContext(), { companyId: acme.id });
      expect([access.production.kind, accessType]).to.deep.equal(['open', access_type]);
    }
  });

  it('last to the end of their last day; ending one closes production', async () => {
    const acme = await newCompany({ plan: null });
    const reader = await acme.reader('production');
    const companyId = acme.id;
    await grantComplimentary(actionContext(), { companyId, limit: 5, until: inDays(0).today });
    expect((await reader.get('/account')).status).to.equal(200);
    await endComplimentary(actionContext(), { companyId });
    expect((await reader.get('/account')).body.error.details.reason).to.equal('plan');
  });
});

type OpenAccess = Extract<EnvironmentAccess, { kind: 'open' }>;

describe('a limit that is given anew keeps the postings of its month and of no other, from whatever day it counts', () => {
  const on = (today: Day) => ({ ...actionContext(), now: new Date(`${today}T12:00:00Z`), today });
  const limits = {
    complimentary: {
      give: (day: Day, companyId: bigint, time: number) => grantComplimentary(on(day), { companyId, limit: 3 + time }),
      end: (day: Day, companyId: bigint) => endComplimentary(on(day), { companyId }),
    },
    subscription: {
      give: (day: Day, companyId: bigint, time: number) =>
        setSubscription(on(day), { companyId, plan: time > 1 ? 'VIP' : 'Pro' }),
      end: (day: Day, companyId: bigint) => endSubscription(on(day), { companyId }),
    },
  };
  const years = fc.constantFrom(2027, 2028);
  const firstDays = fc.constantFrom('01-28', '01-29', '01-30', '01-31', '02-28', '03-31', '10-15', '12-31');
  const draw = [years, firstDays, fc.nat(14), fc.integer({ min: -4, max: 1 })] as const;

  for (const allowance of ['complimentary', 'subscription'] as const)
    it(allowance, async () => {
      const { give, end } = limits[allowance];
      const isKept = fc.asyncProperty(...draw, async (year, firstDay, months, daysAfterEnd) => {
        const { id: companyId } = await newCompany({ plan: null });
        const access = async (day: Day) => (await showCompany(on(day), { companyId })).access.production as OpenAccess;
        const startedOn = `${year}-${firstDay}`;
        await give(startedOn, companyId, 0);
        const { period } = (await access(addMonths(startedOn, months))).entitlement;
        const [start = '', last = ''] = [period?.start, period?.end];
        const counted = { companyId, allowance, periodStart: dayToDate(start), used: 2 };
        await db().postingUsage.createMany({ data: [counted] });
        const day = addDays(last, daysAfterEnd);
        for (const again of [1, 2]) {
          await end(day, companyId);
          await give(day, companyId, again);
          expect((await access(day)).used, `${start} to ${last}, ${day}, ${again}`).to.equal(day > last ? 0 : 2);
        }
      });
      await fc.assert(isKept, { numRuns: 60 });
    });
});

describe('setSubscription', () => {
  it('a change of plan keeps the first day of the current subscription; after an end it restarts', async () => {
    const { id: companyId } = await newCompany({ plan: 'Pro' });
    const changed = await setSubscription(inDays(40), { companyId, plan: 'vip' });
    expect(changed).to.deep.equal({ plan: 'VIP', startedOn: inDays(0).today, until: null });
    expect(await endSubscription(inDays(41), { companyId })).to.deep.equal({ plan: null });
    const again = await setSubscription(inDays(50), { companyId, plan: 'Pro' });
    expect(again).to.deep.equal({ plan: 'Pro', startedOn: inDays(50).today, until: null });
  });

  it('with another first day, or after an end, keeps the period’s count', async () => {
    const acme = await newCompany({ plan: 'Pro' });
    const writer = await acme.writer('production');
    const used = async () => (await writer.get('/account')).body.data.jobs.used;
    const companyId = acme.id;
    for (let n = 0; n < 2; n++) expect((await writer.create(minimalJob)).status).to.equal(201);
    await setSubscription(actionContext(), { companyId, plan: 'Pro', startedOn: inDays(-10).today });
    expect(await used()).to.equal(2);
    expect((await writer.create(minimalJob)).status).to.equal(201);
    await endSubscription(actionContext(), { companyId });
    await setSubscription(actionContext(), { companyId, plan: 'VIP' });
    expect(await used()).to.equal(3);
    await setSubscription(actionContext(), { companyId, plan: 'VIP', startedOn: inDays(-10).today });
    expect(await used()).to.equal(3);
  });

  it('refuses a first day of another century and a last day in the past, both at once', async () => {
    const { id: companyId } = await newCompany({ plan: null });
    const days = { startedOn: '1026-11-29', until: inDays(-1).today };
    const { faults } = await refusalOf(setSubscription(actionContext(), { companyId, plan: 'Pro', ...days }));
    expect(faults.map(([field]) => field)).to.deep.equal(['startedOn', 'until']);
  });

  it('counts a create in its month, and none in the next', async () => {
    const acme = await newCompany({ plan: null });
    await setSubscription(actionContext(), { companyId: acme.id, plan: 'Pro', startedOn: inDays(-40).today });
    const writer = await acme.writer('production');
    expect((await writer.create(minimalJob)).status).to.equal(201);
    const used = async () => (await writer.get('/account')).body.data.jobs.used;
    expect(await used()).to.equal(1);
    expect(await later(32 * 86_400_000, used)).to.equal(0);
  });

  it('lasts to the end of its last day, and counts months from the given first day', async () => {
    const acme = await newCompany({ plan: null });
    const reader = await acme.reader('production');
    const [startedOn, today] = [inDays(-40).today, inDays(0).today];
    await setSubscription(actionContext(), { companyId: acme.id, plan: 'Pro', startedOn, until: today });
    const account = await reader.get('/account');
    expect(account.body.data.jobs.period_start).to.equal(addMonths(startedOn, 1));
    const { endsAt } = await db().subscription.findUniqueOrThrow({ where: { companyId: acme.id } });
    expect(endsAt).to.deep.equal(startOfDay('Europe/Lisbon', inDays(1).today));
    const details = { plan: 'Pro', started_on: startedOn, until: today };
    expect(await lastAudit(acme.id)).to.deep.include({ action: 'subscription.set', details });
  });
});

it('the end of a subscription and of a credential is the first instant without access', async () => {
  const acme = await newCompany({ plan: 'Pro' });
  const { secret } = await acme.issue('production', 'read');
  const endsAt = new Date(Math.ceil(actionContext().now.getTime() / 1000) * 1000);
  const apps = [new Date(endsAt.getTime() - 1), endsAt].map((at) => startApp({}, { clock: () => at }));
  const statuses = async () =>
    Promise.all(
      apps.map(async (app) => (await new RestClient(await app, 'production', secret).get('/account')).status),
    );
  const where = { companyId: acme.id };
  await db().subscription.update({ where, data: { endsAt } });
  expect(await statuses()).to.deep.equal([200, 403]);
  await db().credential.updateMany({ where, data: { expiresAt: endsAt } });
  expect(await statuses()).to.deep.equal([200, 401]);
});

describe('reference data', () => {
  it('a changed plan holds for its subscribers at once', async () => {
    const name = `Plano ${process.pid}`;
    const plan = await addPlan(actionContext(), { name, limit: 3, apiEligible: true });
    const reader = await (await newCompany({ plan: name })).reader('production');
    const statusOf = async () => (await reader.get('/account')).status;
    expect([plan.id > 0, await statusOf()]).to.deep.equal([true, 200]);
    await changePlan(actionContext(), { planId: BigInt(plan.id), apiEligible: false });
    expect(await statusOf()).to.equal(403);
  });

  it('simultaneously added plans get different ids, and the same name adds one plan', async () => {
    const names = ['Um', 'Dois', 'um', 'DOIS', 'Três'];
    const added = await Promise.allSettled(names.map((name) => addPlan(actionContext(), { name, limit: 1 })));
    const ids = added.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
    expect([ids.length, new Set(ids).size]).to.deep.equal([3, 3]);
    for (const one of added) if (one.status === 'rejected') expect(one.reason.code).to.equal('plan_exists');
  });

  it('a seed inserts missing rows and keeps rows that people have changed', async () => {
    const used = (await db().job.findMany({ select: { categoryId: true } })).map(({ categoryId }) => categoryId ?? 0);
    const unused = await db().category.findFirstOrThrow({ where: { parentId: { not: null }, id: { notIn: used } } });
    const where = { id: unused.id };
    const { id, name } = await db().category.findFirstOrThrow({ where: { parentId: null } });
    const rename = (to: string) => db().category.update({ where: { id }, data: { name: to } });
    const renamed = await rename('Another name');
    await db().category.delete({ where });
    try {
      for (const inserted of [1, 0]) expect(await seedReference(actionContext(), {})).to.deep.equal({ inserted });
      expect(await db().category.findUnique({ where })).to.deep.equal(unused);
      expect(await db().category.findUnique({ where: { id } })).to.deep.equal(renamed);
    } finally {
      await rename(name);
    }
  });
});
