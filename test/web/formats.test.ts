import { expect } from 'chai';
import { agoText, instantText, numberText } from '../../src/web/texts/formats.ts';

it('how long ago something was: hours below two days, then days of the calendar of the time zone, then months', () => {
  const now = new Date('2026-11-26T21:46:00Z');
  for (const [at, english, portuguese] of [
    ['2026-11-26T21:46:00Z', 'now', 'agora'],
    ['2026-11-26T21:45:30Z', '30 seconds ago', 'há 30 segundos'],
    ['2026-11-26T20:46:01Z', '59 minutes ago', 'há 59 minutos'],
    ['2026-11-25T23:59:00Z', '21 hours ago', 'há 21 horas'],
    ['2026-11-24T22:19:00Z', '47 hours ago', 'há 47 horas'],
    ['2026-11-24T21:46:00Z', '2 days ago', 'há 2 dias'],
    ['2026-11-24T00:00:00Z', '2 days ago', 'há 2 dias'],
    ['2026-11-23T23:59:00Z', '3 days ago', 'há 3 dias'],
    ['2026-11-28T21:45:00Z', 'in 47 hours', 'dentro de 47 horas'],
    ['2026-11-28T23:59:00Z', 'in 2 days', 'dentro de 2 dias'],
    ['2026-11-29T00:00:00Z', 'in 3 days', 'dentro de 3 dias'],
    ['2026-10-27T21:47:00Z', '30 days ago', 'há 30 dias'],
    ['2026-10-27T21:46:00Z', '1 month ago', 'há 1 mês'],
    ['2027-11-26T21:46:00Z', 'in 1 year', 'dentro de 1 ano'],
  ] as const)
    expect([
      agoText(new Date(at), now, 'en-GB', 'Europe/Lisbon'),
      agoText(new Date(at), now, 'pt-PT', 'Europe/Lisbon'),
    ]).to.deep.equal([english, portuguese]);
  // The last minute of one day in Lisbon is another day in Tokyo.
  expect(agoText(new Date('2026-11-23T23:59:00Z'), now, 'en-GB', 'Asia/Tokyo')).to.equal('3 days ago');
  expect(agoText(new Date('2026-11-23T14:59:00Z'), now, 'en-GB', 'Asia/Tokyo')).to.equal('4 days ago');
});

it('a number is shown with all its decimal places', () => {
  for (const [number, english, portuguese] of [
    [999_999.999999, '999,999.999999', '999 999,999999'],
    [0.000001, '0.000001', '0,000001'],
    [12_000, '12,000', '12 000'],
  ] as const) {
    expect(numberText(number, 'en-GB')).to.equal(english);
    expect(numberText(number, 'pt-PT').replaceAll(/\s/g, ' ')).to.equal(portuguese);
  }
});

it('an instant is shown with its zone if the clocks show its minute twice', () => {
  const shown = (at: string, locale: string, zone = 'Europe/Lisbon') =>
    instantText(new Date(at), locale, zone, 'short');
  expect(shown('2027-10-31T00:30:00Z', 'en-GB')).to.equal('31 Oct 2027, 01:30:00 WEST');
  expect(shown('2027-10-31T01:30:00Z', 'pt-PT')).to.equal('31/10/2027, 01:30:00 WET');
  expect(shown('2027-10-31T02:00:00Z', 'en-GB')).to.equal('31 Oct 2027, 02:00');
  expect(shown('2027-10-31T01:30:00Z', 'en-GB', 'UTC')).to.equal('31 Oct 2027, 01:30');
});
