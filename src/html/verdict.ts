import { type ApiError, invalid, unavailable } from '../domain/errors.ts';
import { bodyBytesMax, bodyCharactersMax } from '../domain/job-rules.ts';
import { hasVisibleText, isWithinLimits } from './body-limits.ts';
import { opensTooManyTags } from './open-tags.ts';
import type { Outcome } from './pool.ts';

const refusals = {
  empty: 'Must contain text that can be read, not only tags and white space.',
  input: `Must have at most ${bodyCharactersMax} characters and ${bodyBytesMax} UTF-8 bytes.`,
  long: `Must have at most ${bodyCharactersMax} characters and ${bodyBytesMax} UTF-8 bytes after sanitizing; close your tags or shorten it.`,
  open: 'Too many tags are open at once; close your tags and nest them less deeply.',
  slow: 'This HTML takes too long to check; close your tags in order and use fewer of them.',
  unparsable: 'This HTML cannot be parsed; simplify it and close your tags in order.',
};

/** 422 on `body`; the message says what the client should do. */
export const refused = (reason: keyof typeof refusals): ApiError => invalid([['body', refusals[reason]]]);

/** The HTML of an outcome that may be stored. Throws 422 on `body`, or 503 when no worker was done with it in time. */
export function acceptedHtml(outcome: Outcome): string {
  if (outcome.kind === 'late') {
    throw unavailable('sanitizer', 'The body could not be checked in time; send the request again.', 2);
  }
  if (outcome.kind === 'long') throw refused('long');
  if (outcome.kind === 'deadline') throw refused('slow');
  if (outcome.kind !== 'clean') throw refused('unparsable');
  if (!isWithinLimits(outcome.html)) throw refused('long');
  // What is refused when it is sent must not be an answer either.
  if (opensTooManyTags(outcome.html)) throw refused('open');
  if (!hasVisibleText(outcome.html)) throw refused('empty');
  return outcome.html;
}
