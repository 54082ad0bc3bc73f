import { expect } from 'chai';
import fc from 'fast-check';
import { addDays, addMonths, dayIn } from '../../src/domain/dates.ts';
import { monthlyPeriod, remaining } from '../../src/domain/eligibility.ts';

describe('monthlyPeriod', () => {
  it('runs from the anchor’s day of the month to the day before the next', () => {
    expect(monthlyPeriod('2026-01-15', '2026-01-15')).to.deep.equal({ start: '2026-01-15', end: '2026-02-14' });
    expect(monthlyPeriod('2026-01-15', '2026-03-14')).to.deep.equal({ start: '2026-02-15', end: '2026-03-14' });
    expect(monthlyPeriod('2025-12-01', '2026-02-28')).to.deep.equal({ start: '2026-02-01', end: '2026-02-28' });
  });

  it('a period anchored on the 31st begins on the last day of a short month', () => {
    expect(monthlyPeriod('2026-01-31', '2026-02-27')).to.deep.equal({ start: '2026-01-31', end: '2026-02-27' });
    expect(monthlyPeriod('2026-01-31', '2026-02-28')).to.deep.equal({ start: '2026-02-28', end: '2026-03-30' });
    expect(monthlyPeriod('2024-01-31', '2024-02-29')).to.deep.equal({ start: '2024-02-29', end: '2024-03-30' });
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

describe('remaining', () => {
  it('is never negative, and -1 without a limit', () => {
    expect([remaining(5, 2), remaining(5, 9), remaining(0, 0), remaining(-1, 7)]).to.deep.equal([3, 0, 0, -1]);
  });
});

describe('dayIn', () => {
  it('is the calendar day in the time zone, also when the clocks change', () => {
    expect(dayIn('Europe/Lisbon', new Date('2026-07-01T23:30:00Z'))).to.equal('2026-07-02');
    expect(dayIn('Europe/Lisbon', new Date('2026-12-31T23:59:59Z'))).to.equal('2026-12-31');
    expect(dayIn('Atlantic/Azores', new Date('2026-07-01T23:30:00Z'))).to.equal('2026-07-01');
  });

  it('addMonths uses the last day of a short month', () => {
    expect(addMonths('2026-03-31', 1)).to.equal('2026-04-30');
    expect(addMonths('2026-03-31', -1)).to.equal('2026-02-28');
  });
});
