import { dayIn } from '../../src/domain/dates.ts';

const hoursMs = 3_600_000;
const dayOf = (ms: number): string => dayIn('Europe/Lisbon', new Date(ms));

// Midnight changes the outcome of tests, so a run that could reach midnight begins after it.
const startedAt = Date.now();
const shiftMs = dayOf(startedAt) === dayOf(startedAt + 2 * hoursMs) ? 0 : 2 * hoursMs;

/** The clock of every app under test; each test begins at the real time. */
export const clock = { now: (): Date => new Date(Date.now() + shiftMs + clock.aheadMs), aheadMs: 0 };

/** Runs `work` with the clock ahead of where it is. */
export async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
  clock.aheadMs += ms;
  try {
    return await work();
  } finally {
    clock.aheadMs -= ms;
  }
}
