import { type Day, isDay } from '../domain/dates.ts';
import { invalidInput } from '../domain/errors.ts';
import { hasVisibleCharacter } from '../domain/job-rules.ts';

// Checks of what people type. Each returns the value to use, or throws `invalid_input`.

const control = /\p{Cc}/u;

/** One line of text, trimmed: not blank, not longer than `charactersMax`, without control characters. */
export function lineOf(field: string, text: string, charactersMax: number): string {
  const line = text.trim();
  if (!hasVisibleCharacter(line)) throw invalidInput(field, { kind: 'not_blank' });
  if (line.length > charactersMax) throw invalidInput(field, { kind: 'characters_max', max: charactersMax });
  if (control.test(line) || !line.isWellFormed()) throw invalidInput(field, { kind: 'plain_line' });
  return line;
}

/** The largest value of a 32-bit column. */
export const integerMax = 2_147_483_647;

export function wholeNumberOf(field: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw invalidInput(field, { kind: 'whole_number', min, max });
}

/** A calendar day from 1000 to 2999, written YYYY-MM-DD. */
export function dayOf(field: string, text: string): Day {
  if (/^[12]/.test(text) && isDay(text)) return text;
  throw invalidInput(field, { kind: 'day' });
}

/** An e-mail address, in lower case. */
export function emailOf(text: string): string {
  const email = lineOf('email', text, 255).toLowerCase();
  if (/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email)) return email;
  throw invalidInput('email', { kind: 'email' });
}
