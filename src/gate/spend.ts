import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

export interface Spent {
  readonly refused: boolean;
  readonly remaining: number;
  /** Until the window ends, at least 1. */
  readonly seconds: number;
}

/** Counts in a window; one that is used up is an outcome, not an error. */
export async function spend(limiter: RateLimiterAbstract, key: string, points: number): Promise<Spent> {
  try {
    return spent(await limiter.consume(key, points), false);
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return spent(refused, true);
    throw refused;
  }
}

const spent = ({ remainingPoints, msBeforeNext }: RateLimiterRes, refused: boolean): Spent => ({
  refused,
  remaining: remainingPoints,
  seconds: secondsOf(msBeforeNext),
});

export const secondsOf = (ms: number): number => Math.max(Math.ceil(ms / 1000), 1);
