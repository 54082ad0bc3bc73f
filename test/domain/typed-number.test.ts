import { expect } from 'chai';
import { tooPreciseText, typedNumber, Unclear, writtenNumber } from '../../src/domain/typed-number.ts';
import { numberText } from '../../src/web/texts/formats.ts';

describe('a number that a person types', () => {
  it('is read if it has one meaning, however it is written', () => {
    for (const [text, value] of [
      ['1234', 1234],
      [' 1234.5 ', 1234.5],
      ['1 234,50', 1234.5],
      ['1\u00a0234,50', 1234.5],
      ['1\u202f234\u202f567', 1_234_567],
      ["1'234.50", 1234.5],
      ['1.234,50', 1234.5],
      ['1,234.50', 1234.5],
      ['1.234.567', 1_234_567],
      ['1,234,567', 1_234_567],
      ['1,234,567.5', 1_234_567.5],
      ['99 999 999,99', 99_999_999.99],
      ['0.500', 0.5],
      ['0,5', 0.5],
      [',5', 0.5],
      ['12,', 12],
      ['1234.500', 1234.5],
      ['12.0000', 12],
      ['-1', -1],
      ['−2,5', -2.5],
      ['007', 7],
      ['1 500,50 €', 1500.5],
      ['€1,500.50', 1500.5],
      ['1500 EUR', 1500],
    ] as const)
      expect(typedNumber(text), text).to.equal(value);
  });

  it('is asked about if it has two meanings, and each that is offered has one', () => {
    for (const [text, placesMax, readings, values] of [
      ['12.000', undefined, ['12000', '12.00'], [12_000, 12]],
      ['12,000', 2, ['12000', '12.00'], [12_000, 12]],
      ['12,500', 1, ['12500', '12.50'], [12_500, 12.5]],
      ['1.234', undefined, ['1234', '1.2340'], [1234, 1.234]],
      ['1.234', 3, ['1234', '1.2340'], [1234, 1.234]],
      ['-1.250', 2, ['-1250', '-1.25'], [-1250, -1.25]],
      ['12.000', 0, ['12000', '12'], [12_000, 12]],
    ] as const) {
      const read = typedNumber(text, placesMax);
      expect(read, text).to.be.instanceOf(Unclear);
      const { number: one, other } = (read as Unclear).message.params ?? {};
      expect([one, other]).to.deep.equal(readings);
      expect(readings.map((reading) => typedNumber(reading, placesMax))).to.deep.equal(values);
    }
    expect(typedNumber('12.345', 0), 'only one is a whole number').to.equal(12_345);
    const { text, params } = (typedNumber('12,345', 2) as Unclear).message;
    expect([text, params]).to.deep.equal([tooPreciseText, { number: '12345' }]);
  });

  it('is nothing if it has no meaning', () => {
    const nothing = [
      '',
      '-',
      '.',
      ',',
      'x',
      '1e3',
      '1e+3',
      '1e-400',
      '0x10',
      '1 2',
      '12 00',
      '1,23,456',
      '1.234.5',
      '1,234,56',
      '1.2.3',
      '--1',
      '∞',
    ];
    expect(typedNumber('3 €', 0), 'a count').to.be.NaN;
    for (const text of [
      ...nothing,
      '€',
      '5 $',
      '€ 5 €€',
      '1,5.5',
      '1 234 5',
      '1234 567',
      '9'.repeat(41),
      `${'1 '.repeat(50_000)}`,
    ])
      expect(typedNumber(text), text.slice(0, 20)).to.be.NaN;
  });

  it('can be typed as pages write it in both languages, unless that has two meanings', () => {
    for (const locale of ['en-GB', 'pt-PT'])
      for (const value of [0, 7, 50, 999, 9999.5, 12_345.67, 1_234_567, 99_999_999.99])
        expect(typedNumber(numberText(value, locale)), `${locale} ${value}`).to.equal(value);
  });

  it('is written such that it is read again', () => {
    for (const sign of ['.', ','])
      for (const value of [
        0,
        7,
        -2.5,
        1500.5,
        1.125,
        -12.125,
        1200.125,
        12_345.67,
        0.1,
        1e-7,
        1.5e-7,
        -1e-15,
        999_999.999_999_999,
        1.2345678901234566e-7,
        -1e-300,
        5e-324,
        123_456_789_012_345_680,
        1e21,
        -Number.MAX_VALUE,
      ])
        expect(typedNumber(writtenNumber(value, sign)), writtenNumber(value, sign)).to.equal(value);
    expect(writtenNumber(1500.5, ',')).to.equal('1500,5');
  });
});
