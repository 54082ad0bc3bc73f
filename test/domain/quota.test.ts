import { expect } from 'chai';
import fc from 'fast-check';
import { addDays, addMonths } from '../../src/domain/dates.ts';
import { type AccessFacts, entitlementOf, monthlyPeriod, remaining } from '../../src/domain/eligibility.ts';

describe('monthlyPeriod', () => {
  it('runs from the anchor’s day of the month (or the last day of a short month) to the day before the next', () => {
    for (const [anchor, today, start, end] of [
      ['2026-01-15', '2026-01-15', '2026-01-15', '2026-02-14'],
      ['2026-01-15', '2026-03-14', '2026-02-15', '2026-03-14'],
      ['2025-12-01', '2026-02-28', '2026-02-01', '2026-02-28'],
      ['2026-01-31', '2026-02-27', '2026-01-31', '2026-02-27'],
      ['2026-01-31', '2026-02-28', '2026-02-28', '2026-03-30'],
      ['2024-01-31', '2024-02-29', '2024-02-29', '2024-03-30'],
    ] as const)
      expect(monthlyPeriod(anchor, today), `${anchor} ${today}`).to.deep.equal({ start, end });
    expect([addMonths('2026-03-31', 1), addMonths('2026-03-31', -1)]).to.deep.equal(['2026-04-30', '2026-02-28']);
  });

  it('every day from the anchor on is in exactly one period, and periods have no gaps', () => {
    const anchors = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(anchors, fc.nat({ max: 3000 }), (date, days) => {
        const anchor = date.toISOString().slice(0, 10);
        const today = addDays(anchor, days);
        const period = monthlyPeriod(anchor, today);
        expect(period.start <= today && today <= period.end).to.equal(true);
        expect(monthlyPeriod(anchor, period.start)).to.deep.equal(period);
        expect(monthlyPeriod(anchor, addDays(period.end, 1)).start).to.equal(addDays(period.end, 1));
      }),
    );
  });
});

it('a grant never takes away: the larger source counts, the subscription if equal, in its own period', () => {
  const time = { today: '2026-11-24', timeZone: 'Europe/Lisbon' };
  const { today } = time;
  const limit = fc.oneof(fc.constant(-1), fc.nat({ max: 3 }));
  const startedOn = fc.nat({ max: 400 }).map((days) => addDays(today, -days));
  const plans = fc.option(
    fc.record({
      name: fc.constant('Pro'),
      postingLimit: limit,
      apiEligible: fc.boolean(),
      startedOn,
      endsAt: fc.constant(null),
    }),
  );
  const grants = fc.option(fc.record({ monthlyLimit: limit, startedOn, expiresOn: fc.constant(null) }));
  const postings = (of: number | undefined) =>
    of === -1 ? Number.POSITIVE_INFINITY : (of ?? Number.NEGATIVE_INFINITY);
  fc.assert(
    fc.property(plans, grants, (plan, grant) => {
      const eligible = plan?.apiEligible ? plan : null;
      if (!eligible && !grant) return;
      const facts: AccessFacts = { verified: true, suspended: false, approved: true, plan, grant };
      const isByGrant = postings(grant?.monthlyLimit) > postings(eligible?.postingLimit);
      const accessType = isByGrant ? 'complimentary' : 'subscription';
      const production = entitlementOf('production', facts, time);
      expect(production).to.include({ accessType, allowance: accessType });
      expect(production.limit).to.equal(isByGrant ? grant?.monthlyLimit : eligible?.postingLimit);
      const anchor = (isByGrant ? grant : eligible)?.startedOn ?? '';
      expect(production.period).to.deep.equal(monthlyPeriod(anchor, today));
      expect(entitlementOf('sandbox', facts, time)).to.include({ accessType, limit: 100 });
    }),
  );
});

it('remaining is never negative, and -1 without a limit', () => {
  expect([remaining(5, 2), remaining(5, 9), remaining(0, 0), remaining(-1, 7)]).to.deep.equal([3, 0, 0, -1]);
});
