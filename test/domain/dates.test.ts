import { expect } from 'chai';
import fc from 'fast-check';
import { dayIn, startOfDay } from '../../src/domain/dates.ts';

describe('startOfDay', () => {
  it('is midnight in the time zone, in summer and in winter, or later if the clocks skip it', () => {
    for (const [timeZone, day, start] of [
      ['Europe/Lisbon', '2026-01-15', '2026-01-15T00:00:00.000Z'],
      ['Europe/Lisbon', '2026-07-15', '2026-07-14T23:00:00.000Z'],
      ['Pacific/Kiritimati', '2026-07-15', '2026-07-14T10:00:00.000Z'],
      ['Pacific/Pago_Pago', '2026-07-15', '2026-07-15T11:00:00.000Z'],
      ['Asia/Kathmandu', '2026-07-15', '2026-07-14T18:15:00.000Z'],
      ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    ] as const)
      expect(startOfDay(timeZone, day).toISOString(), timeZone).to.equal(start);
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
