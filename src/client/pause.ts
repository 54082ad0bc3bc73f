import type { Outcome } from './attempt.ts';
import { retryAfterSeconds } from './retry-after.ts';

const firstSeconds = 0.5;

/**
 * How long to wait before the next attempt; undefined where another one cannot help. Never less than Retry-After asks, and
 * where that is more than `secondsMax` the caller had better know at once. `chance` (0 to 1) keeps many clients apart.
 */
export function pauseSeconds(
  outcome: Outcome,
  repeats: number,
  secondsMax: number,
  chance: number,
  now: Date,
): number | undefined {
  if (outcome.kind === 'answer') {
    const { status, headers } = outcome.response;
    if (status !== 429 && status < 500) return undefined;
    const asked = retryAfterSeconds(headers, now);
    if (asked !== undefined) return asked > secondsMax ? undefined : asked + chance * firstSeconds;
  }
  const longest = Math.min(secondsMax, firstSeconds * 2 ** repeats);
  return (longest / 2) * (1 + chance);
}
