import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { type Consumed, secondsOf } from './consume.ts';

interface Waiting {
  readonly points: number;
  readonly settle: (consumed: Promise<Consumed>) => void;
}

/**
 * Counts of one key that come while another of it is on its way travel together, in the order in which they came: a flood of one
 * company waits for no lock of its own, and takes one connection instead of many. The counts are those of one after another.
 */
export class BatchedLimiter {
  readonly #limiter: RateLimiterAbstract;
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(limiter: RateLimiterAbstract) {
    this.#limiter = limiter;
  }

  consume(key: string, points: number): Promise<Consumed> {
    return new Promise((resolve) => {
      const one = { points, settle: resolve };
      const others = this.#waiting.get(key);
      if (others) others.push(one);
      else void this.#send(key, [one]);
    });
  }

  async #send(key: string, first: Waiting[]): Promise<void> {
    for (let sent = first; sent.length > 0; sent = this.#waiting.get(key) ?? []) {
      this.#waiting.set(key, []);
      const counted = this.#count(key, sent);
      for (const [index, { settle }] of sent.entries()) settle(counted.then((all) => share(all, sent, index)));
      await counted.catch(() => undefined);
    }
    this.#waiting.delete(key);
  }

  #count(key: string, sent: readonly Waiting[]): Promise<Counted> {
    const points = sent.reduce((sum, one) => sum + one.points, 0);
    const counted = ({ consumedPoints, msBeforeNext }: RateLimiterRes, refused: boolean): Counted => ({
      // A key that is blocked in memory was not counted, and says so with a zero.
      before: refused && consumedPoints === 0 ? Number.POSITIVE_INFINITY : consumedPoints - points,
      limit: this.#limiter.points,
      seconds: secondsOf(msBeforeNext),
    });
    return this.#limiter.consume(key, points).then(
      (result) => counted(result, false),
      (refused: unknown) => {
        if (refused instanceof RateLimiterRes) return counted(refused, true);
        throw refused;
      },
    );
  }
}

interface Counted {
  /** What the window held already. */
  readonly before: number;
  readonly limit: number;
  readonly seconds: number;
}

function share({ before, limit, seconds }: Counted, sent: readonly Waiting[], index: number): Consumed {
  const after = sent.slice(0, index + 1).reduce((sum, one) => sum + one.points, before);
  return { refused: after > limit, remaining: Math.max(limit - after, 0), seconds };
}
