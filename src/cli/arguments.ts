import { InvalidArgumentError } from 'commander';

/** An id of the service: a positive whole number that JSON can carry. */
export function parseId(text: string): bigint {
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))) return BigInt(text);
  throw new InvalidArgumentError('It must be an id: a whole number from 1.');
}

export function parseWholeNumber(text: string): number {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

/** Ids separated by commas; an empty text is none. */
export function parseIds(text: string): number[] {
  return text.trim() === '' ? [] : text.split(',').map((part) => Number(parseId(part.trim())));
}
