import type { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { isDay, isInstant, isTime } from '../domain/dates.ts';

/** Formats that ajv-formats reads more loosely: an offset without a colon, a day of the year 0, a UUID as a URN (RFC 9562 section 4). */
const strict = {
  date: isDay,
  'date-time': isInstant,
  time: isTime,
  uuid: /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i,
} as const;

/** Adds the formats that a contract may have, for requests and for the contract's own examples. */
export function withFormats(ajv: Ajv): Ajv {
  formats.default(ajv);
  for (const [name, format] of Object.entries(strict)) ajv.addFormat(name, format);
  return ajv;
}
