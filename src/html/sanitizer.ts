import { type ApiError, invalid, unavailable } from '../domain/errors.ts';
import { bodyBytesMax, bodyCharactersMax, hasVisibleText, isWithinLimits } from './body-limits.ts';
import { opensTooManyTags } from './open-tags.ts';
import { type Outcome, Pool } from './pool.ts';
import { defaultSettings, type SanitizerSettings } from './settings.ts';
import { Turns } from './turns.ts';

export interface SanitizerFigures {
  running: number;
  waiting: number;
  /** Workers ended by a body since the start. */
  ended: number;
}

export interface Sanitizer {
  /**
   * The sanitized HTML of a job body; sanitizing it again changes nothing. Throws 422 on `body` for what is too long, too deep,
   * too slow, not parsable or without visible text, and 503 when too many bodies wait. Answers within two seconds.
   */
  sanitize(companyId: bigint, html: string): Promise<string>;
  /** Starts the workers, which else start with the first body that has markup; resolves when they are ready. */
  warm(): Promise<void>;
  /** Figures for operators. */
  figures(): SanitizerFigures;
  /** Ends the workers; bodies that still wait are refused with 503. */
  close(): Promise<void>;
}

const refusals = {
  empty: 'Must contain text that can be read, not only tags and white space.',
  input: `Must have at most ${bodyCharactersMax} characters and ${bodyBytesMax} UTF-8 bytes.`,
  long: `Must have at most ${bodyCharactersMax} characters and ${bodyBytesMax} UTF-8 bytes after sanitizing; close your tags or shorten it.`,
  open: 'Too many tags are open at once; close your tags and nest them less deeply.',
  slow: 'This HTML takes too long to check; close your tags in order and use fewer of them.',
  unparsable: 'This HTML cannot be parsed; simplify it and close your tags in order.',
};

const refused = (reason: keyof typeof refusals): ApiError => invalid([['body', refusals[reason]]]);

function checked(outcome: Outcome): string {
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

/** A sanitizer with its own worker threads; `settings` override the defaults. */
export function openSanitizer(settings: Partial<SanitizerSettings> = {}): Sanitizer {
  const all = { ...defaultSettings(), ...settings };
  const pool: Pool = new Pool(all, () => turns.wake());
  const turns = new Turns(all, () => pool.loaded());
  return {
    async sanitize(companyId, html) {
      if (!isWithinLimits(html)) throw refused('input');
      if (!/[<&]/.test(html)) {
        if (!hasVisibleText(html)) throw refused('empty');
        return html;
      }
      if (opensTooManyTags(html)) throw refused('open');
      pool.start();
      const release = await turns.take(companyId);
      const outcome = await pool.run(html);
      if (outcome.kind === 'deadline' || outcome.kind === 'died') turns.suspects.add(companyId);
      release();
      return checked(outcome);
    },
    warm: () => pool.warm(),
    figures: () => ({ ...turns.figures(), ended: pool.ended() }),
    async close() {
      turns.close();
      await pool.close();
    },
  };
}
