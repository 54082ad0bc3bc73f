import type { Message, MessageParams } from './message.ts';

export const unclearText = 'Write {{number}} or {{other}}: it can be read as both.';
export const tooPreciseText = 'Write {{number}}, or a number with fewer decimal places.';

/**
 * A text that is refused before its value is known, and what to write instead: 12.000 is twelve thousand in some countries and twelve in
 * others.
 */
export class Unclear {
  readonly message: Message;

  constructor(text: string, params: MessageParams = {}) {
    this.message = { text, params };
  }
}

const charactersMax = 40;
const group = String.raw`\d{1,3}`;
/** `spaced` separates thousands by spaces or apostrophes, `grouped` by points or commas that cannot be the decimal sign. */
const spaced = new RegExp(`^${group}(?:[ '’]\\d{3})+(?:[.,]\\d+)?$`);
const grouped = new RegExp(`^${group}(?:(?:,\\d{3})+\\.\\d+|(?:\\.\\d{3})+,\\d+|(?:,\\d{3}){2,}|(?:\\.\\d{3}){2,})$`);
/** Around a number that may have decimal places. */
const currency = /^(?:€|EUR) ?| ?(?:€|EUR)$/gi;
const plain = /^\d+(?:[.,]\d*)?$|^[.,]\d+$/;
/** Read only as `writtenNumber` writes it: few people mean 1000 by 1e3. */
const scientific = /^\d(?:[.,]\d+)?e[+-]\d{1,3}$/;
const either = /^([1-9]\d{0,2})[.,](\d{3})$/;

/**
 * Reads a number that a person typed, in any form in which pages write numbers: 1 234,50 or 1,234.50 or 1234.5. Returns NaN for other text,
 * and `Unclear` for a text with two meanings, unless the field takes only whole numbers and only one of the meanings is a whole number.
 * `placesMax` is how many decimal places the field takes. What `Unclear` offers has a decimal point, for the page to write in its language.
 */
export function typedNumber(typed: string, placesMax?: number): number | Unclear {
  const text = typed
    .slice(0, charactersMax + 1)
    .trim()
    .replaceAll(/\s/g, ' ');
  const [, sign = '', digits = ''] = /^([-−]?)(.*)$/.exec(placesMax === 0 ? text : text.replace(currency, '')) ?? [];
  const number = (written: string): number => Number(`${sign && '-'}${written}`);
  if (scientific.test(digits)) {
    const value = number(digits.replace(',', '.'));
    return writtenNumber(value, '.') === text.replace(',', '.') ? value : Number.NaN;
  }
  const [, thousands, rest] = either.exec(digits) ?? [];
  if (thousands && rest) {
    const isTooPrecise = placesMax !== undefined && rest.replace(/0{1,3}$/, '').length > placesMax;
    if (isTooPrecise && placesMax === 0) return number(thousands + rest);
    const whole = `${sign}${thousands}${rest}`;
    if (isTooPrecise) return new Unclear(tooPreciseText, { number: whole });
    const decimals = `.${rest.endsWith('0') ? rest.slice(0, 2) : `${rest}0`}`;
    return new Unclear(unclearText, { number: whole, other: `${sign}${thousands}${placesMax === 0 ? '' : decimals}` });
  }
  if (typed.length > charactersMax || ![spaced, grouped, plain].some((known) => known.test(digits))) return Number.NaN;
  // The last point or comma is the decimal sign, unless the same sign occurs more than once.
  const last = /[.,](?=[^.,]*$)/.exec(digits)?.[0] ?? '';
  const [whole = '', decimals] = last && digits.split(last).length === 2 ? digits.split(last) : [digits];
  return number(`${whole.replaceAll(/\D/g, '')}.${decimals ?? ''}`);
}

const written = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 20 });

/** Writes a finite number with a decimal sign, such that `typedNumber` reads the same number: 1500,5. */
export function writtenNumber(value: number, decimalSign: string): string {
  const plainText = written.format(value);
  // Many digits are written with an exponent: 1.5e-30.
  const text = plainText.length <= charactersMax && Number(plainText) === value ? plainText : String(value);
  return (either.test(text.replace('-', '')) ? `${text}0` : text).replace('.', decimalSign);
}
