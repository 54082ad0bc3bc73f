import { expect } from 'chai';
import fc from 'fast-check';
import { dayIn, instantsOf, minuteText, startOfDay } from '../../src/domain/dates.ts';

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

describe('instantsOf', () => {
  const iso = (zone: string, minute: string) => instantsOf(zone, minute).map((at) => at.toISOString().slice(0, 16));

  it('is one instant, none in the hour that the clocks skip, and two in the one that they repeat', () => {
    for (const [zone, minute, ...instants] of [
      ['Europe/Lisbon', '2026-01-15T10:42', '2026-01-15T10:42'],
      ['Europe/Lisbon', '2026-07-15 10:42', '2026-07-15T09:42'],
      ['Europe/Lisbon', '2026-03-29T01:00'],
      ['Europe/Lisbon', '2026-03-29T01:59'],
      ['Europe/Lisbon', '2026-03-29T02:00', '2026-03-29T01:00'],
      ['Europe/Lisbon', '2026-10-25T00:59', '2026-10-24T23:59'],
      ['Europe/Lisbon', '2026-10-25T01:00', '2026-10-25T00:00', '2026-10-25T01:00'],
      ['Europe/Lisbon', '2026-10-25T02:00', '2026-10-25T02:00'],
      ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45', '2026-04-04T15:15'],
      ['Pacific/Apia', '2011-12-30T12:00'],
      ['Europe/Lisbon', '2026-10-25T01:30+01:00', '2026-10-25T00:30'],
      ['Europe/Lisbon', '2026-10-25T01:30Z', '2026-10-25T01:30'],
    ] as const)
      expect(iso(zone, minute), `${zone} ${minute}`).to.deep.equal(instants);
  });

  it('finds every minute by its text, and only it', () => {
    const zones = fc.constantFrom('Europe/Lisbon', 'Atlantic/Azores', 'America/St_Johns', 'Asia/Tokyo', 'Africa/Cairo');
    const minutes = fc.integer({ min: Date.UTC(2000) / 60_000, max: Date.UTC(2040) / 60_000 });
    // An hour around the changes of Lisbon's clocks, in most years.
    const near = fc.tuple(
      fc.integer({ min: 2000, max: 2039 }),
      fc.constantFrom(2, 9),
      fc.integer({ min: 23, max: 31 }),
      fc.nat(300),
    );
    const all = fc.oneof(
      minutes,
      near.map(([year, month, day, minute]) => Date.UTC(year, month, day, -1, minute) / 60_000),
    );
    fc.assert(
      fc.property(zones, all, (zone, minute) => {
        const at = new Date(minute * 60_000);
        expect(instantsOf(zone, minuteText(zone, at))).to.deep.equal([at]);
      }),
    );
  });
});
