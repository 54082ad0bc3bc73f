import { expect } from 'chai';
import fc from 'fast-check';
import {
  dayIn,
  instantOf,
  instantsOf,
  isDay,
  isMinute,
  minuteText,
  requestTimeAt,
  startOfDay,
} from '../../src/domain/dates.ts';

describe('the day of a request', () => {
  it('is that of the time zone, and changes at its midnight to the millisecond', () => {
    for (const [timeZone, instant, day] of [
      ['Europe/Lisbon', '2026-01-15T23:59:59.999Z', '2026-01-15'],
      ['Europe/Lisbon', '2026-01-16T00:00:00.000Z', '2026-01-16'],
      ['Europe/Lisbon', '2026-07-15T22:59:59.999Z', '2026-07-15'],
      ['Europe/Lisbon', '2026-07-15T23:00:00.000Z', '2026-07-16'],
      ['Pacific/Kiritimati', '2026-07-15T23:00:00.000Z', '2026-07-16'],
      ['Pacific/Pago_Pago', '2026-07-15T23:00:00.000Z', '2026-07-15'],
      ['Asia/Kathmandu', '2026-07-15T18:14:59.999Z', '2026-07-15'],
      ['Asia/Kathmandu', '2026-07-15T18:15:00.000Z', '2026-07-16'],
    ] as const) {
      const now = new Date(instant);
      expect(requestTimeAt(now, timeZone), `${timeZone} ${instant}`).to.deep.equal({ now, today: day, timeZone });
    }
  });
});

it('isDay accepts existing days, written YYYY-MM-DD, and nothing else', () => {
  for (const text of ['2026-02-28', '2024-02-29', '2026-12-31', '0001-01-01']) expect(isDay(text), text).to.equal(true);
  const odd =
    '2026-02-29 2026-13-01 2026-00-10 2026-01-00 2026-1-01 2026-01-1 26-01-01 02026-01-01 2026-01-011 +02026-01-01';
  for (const text of [
    ...odd.split(' '),
    '',
    '2026-01-01T00:00',
    ' 2026-01-01',
    '2026-01-01\n',
    'x2026-01-01',
    'abcd-01-01',
  ])
    expect(isDay(text), text).to.equal(false);
});

it('isMinute accepts minutes of existing days from 1000 to 2999, with or without Z or an offset, and nothing else', () => {
  const minutes = '2026-02-28T00:00 2026-02-28T23:59 1000-01-01T10:42Z 2999-12-31T10:42-23:59 2026-02-28T10:42+01:00';
  for (const text of [...minutes.split(' '), '2026-02-28 10:42']) expect(isMinute(text), text).to.equal(true);
  const odd =
    '2026-02-28 2026-02-29T10:42 0999-01-01T10:42 3000-01-01T10:42 2026-02-28T24:00 2026-02-28T10:60 2026-02-28T10:42:00';
  for (const text of [...odd.split(' '), '', 'x', '2026-02-28T10:42+24:00', '2026-02-28T10:42+1'])
    expect(isMinute(text), text).to.equal(false);
});

describe('instantOf', () => {
  const iso = (text: string) => new Date(instantOf(text)).toISOString();

  it('is the millisecond of an RFC 3339 instant, rounded up; a leap second counts as the second after it', () => {
    for (const [text, instant] of [
      ['2026-11-26T10:42:07Z', '2026-11-26T10:42:07.000Z'],
      ['2026-11-26t10:42:07.5z', '2026-11-26T10:42:07.500Z'],
      ['2026-11-26T10:42:07.12+01:30', '2026-11-26T09:12:07.120Z'],
      ['2026-11-26T10:42:07.123-01:30', '2026-11-26T12:12:07.123Z'],
      ['2026-11-26T10:42:07.1230000Z', '2026-11-26T10:42:07.123Z'],
      ['2026-11-26T10:42:07.1230001Z', '2026-11-26T10:42:07.124Z'],
      ['2026-11-26T10:42:59.9999Z', '2026-11-26T10:43:00.000Z'],
      ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
      ['2017-01-01T00:59:60.5+01:00', '2017-01-01T00:00:00.500Z'],
    ] as const)
      expect(iso(text), text).to.equal(instant);
  });

  it('is NaN for other text, days that do not exist, and leap seconds within a day', () => {
    const odd =
      '2026-02-29T10:42:07Z 2026-11-26T24:00:00Z 2026-11-26T10:60:07Z 2026-11-26T10:42:61Z 2026-11-26T10:42:60Z 2026-11-26T10:42:07 ' +
      '2026-11-26T10:42Z 2026-11-26 2026-11-26T10:42:07.Z 2026-11-26T10:42:07+24:00 2026-11-26T10:42:07+1:00 x2026-11-26T10:42:07Z';
    for (const text of [...odd.split(' '), '', 'now', '2026-11-26 10:42:07Z', '2026-11-26T10:42:07Z '])
      expect(instantOf(text), text).to.be.NaN;
  });
});

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

  it('minuteText is the minute of the time zone, or of UTC with Z if the clocks show it twice', () => {
    const textOf = (instant: string) => minuteText('Europe/Lisbon', new Date(instant));
    expect(textOf('2026-07-15T09:42:59.999Z')).to.equal('2026-07-15T10:42');
    expect(textOf('2026-10-25T00:30:59.999Z')).to.equal('2026-10-25T00:30Z');
    expect(textOf('2026-10-25T01:30:00.000Z')).to.equal('2026-10-25T01:30Z');
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
