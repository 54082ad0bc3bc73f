import { processorMs } from './thread-clock.ts';

/** What a thread does for one body. */
export interface Work {
  /** Processor time so far, in milliseconds; undefined where the system does not tell it. */
  usedMs(): number | undefined;
  stop(): void;
}

/**
 * Calls `onPassed` when the thread has worked for `limitMs` of its own processor time: a body is not refused because the machine is
 * busy with others. Where that time is not known it is never called.
 */
export function watchWork(limitMs: number, thread: string | undefined, onPassed: () => void): Work {
  const usedBefore = processorMs(thread);

  function usedMs(): number | undefined {
    const usedNow = processorMs(thread);
    return usedBefore === undefined || usedNow === undefined ? undefined : usedNow - usedBefore;
  }

  let timer: NodeJS.Timeout | undefined;
  function look(): void {
    const used = usedMs();
    if (used === undefined) return;
    const leftMs = limitMs - used;
    if (leftMs <= 1) onPassed();
    else timer = setTimeout(look, leftMs);
  }
  look();
  return { usedMs, stop: () => clearTimeout(timer) };
}
