import { unavailable } from '../domain/errors.ts';
import type { SanitizerSettings } from './settings.ts';

/** Gives a place back; call it once. */
export type Release = () => void;

export interface Turns {
  /** Waits for a place until `waitMs` have passed. Throws 503 when too many wait, the wait is too long, or after `close`. */
  take(companyId: bigint): Promise<Release>;
  figures(): { running: number; waiting: number };
  close(): void;
}

interface Waiter {
  admit: () => void;
  refuse: (error: Error) => void;
}

interface Lane {
  running: number;
  waiting: Waiter[];
}

type TurnSettings = Pick<
  SanitizerSettings,
  'runningMax' | 'runningPerCompanyMax' | 'waitingMax' | 'waitingPerCompanyMax' | 'waitMs'
>;

const retrySeconds = 2;
const busy = () => unavailable('sanitizer', 'Too many job bodies are being checked; send the request again.', retrySeconds);
const busyCompany = () =>
  unavailable('sanitizer', 'Your company has too many bodies being checked; send fewer at the same time.', retrySeconds);
const closed = () => unavailable('draining', 'The service is shutting down; send the request again.', retrySeconds);

/** Places shared fairly: each company has a lane of its own, and the lane that was served longest ago goes first. */
export function openTurns(settings: TurnSettings): Turns {
  const lanes = new Map<bigint, Lane>();
  let running = 0;
  let waiting = 0;
  let isClosed = false;

  const isReady = ([, lane]: [bigint, Lane]): boolean =>
    lane.waiting.length > 0 && lane.running < settings.runningPerCompanyMax;

  function admitNext(): void {
    while (running < settings.runningMax) {
      const next = [...lanes].find(isReady);
      if (!next) return;
      const [companyId, lane] = next;
      // A Map keeps the order of insertion: set again, the lane stands last.
      lanes.delete(companyId);
      lanes.set(companyId, lane);
      running += 1;
      lane.running += 1;
      lane.waiting[0]?.admit();
    }
  }

  function release(companyId: bigint, lane: Lane): void {
    running -= 1;
    lane.running -= 1;
    forget(companyId, lane);
    admitNext();
  }

  function forget(companyId: bigint, lane: Lane): void {
    if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(companyId);
  }

  function wait(companyId: bigint, lane: Lane): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        lane.waiting.splice(lane.waiting.indexOf(waiter), 1);
        waiting -= 1;
        forget(companyId, lane);
      };
      const waiter: Waiter = {
        admit: () => {
          leave();
          resolve();
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      const timer = setTimeout(() => waiter.refuse(busy()), settings.waitMs);
      lane.waiting.push(waiter);
      waiting += 1;
      admitNext();
    });
  }

  return {
    async take(companyId) {
      if (isClosed) throw closed();
      const lane = lanes.get(companyId) ?? { running: 0, waiting: [] };
      if (lane.waiting.length >= settings.waitingPerCompanyMax) throw busyCompany();
      if (waiting >= settings.waitingMax) throw busy();
      lanes.set(companyId, lane);
      await wait(companyId, lane);
      return () => release(companyId, lane);
    },
    figures: () => ({ running, waiting }),
    close() {
      isClosed = true;
      for (const waiter of [...lanes.values()].flatMap((lane) => lane.waiting)) waiter.refuse(closed());
    },
  };
}
