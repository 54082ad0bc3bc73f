import { expect } from 'chai';
import fc from 'fast-check';
import { dayIn, startOfDay } from '../../src/domain/dates.ts';

describe('startOfDay', () => {
  const begins = (timeZone: string, day: string): string => startOfDay(timeZone, day).toISOString();

  it('is midnight in the time zone, in summer and in winter', () => {
    expect(begins('Europe/Lisbon', '2026-01-15')).to.equal('2026-01-15T00:00:00.000Z');
    expect(begins('Europe/Lisbon', '2026-07-15')).to.equal('2026-07-14T23:00:00.000Z');
    expect(begins('Pacific/Kiritimati', '2026-07-15')).to.equal('2026-07-14T10:00:00.000Z');
    expect(begins('Pacific/Pago_Pago', '2026-07-15')).to.equal('2026-07-15T11:00:00.000Z');
    expect(begins('Asia/Kathmandu', '2026-07-15')).to.equal('2026-07-14T18:15:00.000Z');
  });

  it('the day begins later if the clocks skip midnight', () => {
    expect(begins('Africa/Cairo', '2026-04-24')).to.equal('2026-04-23T22:00:00.000Z');
  });

  it('is the first instant of its day in any time zone', () => {
    const zones = fc.constantFrom('Europe/Lisbon', 'Atlantic/Azores', 'America/New_York', 'Asia/Tokyo', 'Africa/Cairo');
    const days = fc.date({ min: new Date('2000-01-02'), max: new Date('2040-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(zones, days, (timeZone, date) => {
        const day = date.toISOString().slice(0, 10);
        const start = startOfDay(timeZone, day);
        expect(dayIn(timeZone, start)).to.equal(day);
        expect(dayIn(timeZone, new Date(start.getTime() - 1)) < day).to.equal(true);
      }),
    );
  });
});
