import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

export interface Consumed {
  /** The window is used up. */
  readonly refused: boolean;
  readonly remaining: number;
  /** Until the window ends, at least 1. */
  readonly seconds: number;
}

/** Counts against a limit; a window that is used up is an outcome, not an error. */
export async function consume(limiter: RateLimiterAbstract, key: string, points: number): Promise<Consumed> {
  try {
    return toConsumed(await limiter.consume(key, points), false);
  } catch (error) {
    if (error instanceof RateLimiterRes) return toConsumed(error, true);
    throw error;
  }
}

const toConsumed = ({ remainingPoints, msBeforeNext }: RateLimiterRes, refused: boolean): Consumed => ({
  refused,
  remaining: remainingPoints,
  seconds: Math.max(Math.ceil(msBeforeNext / 1000), 1),
});
