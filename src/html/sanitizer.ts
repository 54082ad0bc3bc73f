import { hasVisibleText, isWithinLimits } from './body-limits.ts';
import { opensTooManyTags } from './open-tags.ts';
import { Pool } from './pool.ts';
import { defaultSettings, type SanitizerSettings } from './settings.ts';
import { Turns } from './turns.ts';
import { acceptedHtml, refused } from './verdict.ts';

interface SanitizerFigures {
  running: number;
  waiting: number;
  /** Workers ended by a body since the start. */
  ended: number;
}

export interface Sanitizer {
  /**
   * The sanitized HTML of a job body; sanitizing it again changes nothing. Throws 422 on `body` for what is too long, too deep,
   * too slow, not parsable or without visible text, and 503 when too many bodies wait, the company's have cost too much or the machine
   * is busy. Slow is what uses a worker's processor for too long, never what waits. Answers within four seconds.
   */
  sanitize(companyId: bigint, html: string): Promise<string>;
  /** Starts the workers, which else start with the first body that has markup; resolves when they are ready. */
  warm(): Promise<void>;
  /** Figures for operators. */
  figures(): SanitizerFigures;
  /** Ends the workers; bodies that still wait are refused with 503. */
  close(): Promise<void>;
}

/** A sanitizer with its own worker threads; `settings` override the defaults. */
export function openSanitizer(settings: Partial<SanitizerSettings> = {}): Sanitizer {
  const all = { ...defaultSettings(), ...settings };
  const pool: Pool = new Pool(all, () => turns.wake());
  const turns = new Turns(all, () => pool.free());
  const underWay = new Map<string, Promise<string>>();

  async function purify(companyId: bigint, html: string): Promise<string> {
    const calledAt = performance.now();
    pool.start();
    const release = await turns.take(companyId);
    // After a long wait for the first worker, a body still has its time.
    const endBy = Math.max(calledAt + all.answerMs, performance.now() + Math.min(all.deadlineMs, all.answerMs));
    const outcome = await pool.run(html, endBy, (ms) => turns.charge(companyId, ms));
    release();
    return acceptedHtml(outcome);
  }

  return {
    async sanitize(companyId, html) {
      if (!isWithinLimits(html)) throw refused('input');
      if (!/[<&]/.test(html)) {
        if (!hasVisibleText(html)) throw refused('empty');
        return html;
      }
      if (opensTooManyTags(html)) throw refused('open');
      // Repetitions of one create come with the same body: it is purified once for all of them.
      const key = `${companyId} ${html}`;
      const known = underWay.get(key);
      if (known !== undefined) return known;
      const purified = purify(companyId, html).finally(() => underWay.delete(key));
      underWay.set(key, purified);
      return purified;
    },
    warm: () => pool.warm(),
    figures: () => ({ ...turns.figures(), ended: pool.ended() }),
    async close() {
      turns.close();
      await pool.close();
    },
  };
}
