import { attempt, type Fetch, partsOf } from './attempt.ts';
import { pauseSeconds } from './pause.ts';
import { settle } from './settle.ts';
import type { Sleep } from './sleep.ts';

export interface Persistence {
  readonly fetch: Fetch;
  readonly sleep: Sleep;
  readonly retries: number;
  readonly timeoutSeconds: number;
  readonly pauseSecondsMax: number;
}

/**
 * `fetch` that asks again after 429, 5xx and no answer. Every operation may be repeated: a create carries its idempotency key,
 * a second DELETE changes nothing, and a PATCH sets the same fields again, as one that was late would.
 */
export function persistentFetch(persistence: Persistence): (request: Request) => Promise<Response> {
  const { fetch, sleep, retries, timeoutSeconds, pauseSecondsMax } = persistence;
  return async (request) => {
    const parts = await partsOf(request);
    for (let repeats = 0; ; repeats++) {
      const outcome = await attempt(fetch, parts, request.signal, timeoutSeconds);
      const pause = pauseSeconds(outcome, repeats, pauseSecondsMax, Math.random(), new Date());
      if (pause === undefined || repeats >= retries) return settle(outcome, parts, new Date());
      await sleep(pause * 1000, request.signal);
    }
  };
}
