import { processorMs } from './thread-clock.ts';

/** `processorMs` is how long the thread may work; `endBy` a time of `performance.now()`. */
interface Deadline {
  processorMs: number;
  endBy: number;
}

/**
 * Calls `onPassed` when the thread has worked for `processorMs`, or at `endBy`. Counting its own processor time keeps
 * honest bodies from being refused when the machine is busy with others; where it is not known, time on the wall counts alone.
 * Returns what stops it and tells how long the thread has worked.
 */
export function startDeadline(deadline: Deadline, thread: string | undefined, onPassed: () => void): () => number {
  const begunAt = performance.now();
  const usedBefore = processorMs(thread);

  function usedMs(): number {
    const usedNow = processorMs(thread);
    return usedBefore === undefined || usedNow === undefined ? performance.now() - begunAt : usedNow - usedBefore;
  }

  const leftMs = (): number => Math.min(deadline.processorMs - usedMs(), deadline.endBy - performance.now());

  function look(): void {
    const left = leftMs();
    if (left <= 1) onPassed();
    else timer = setTimeout(look, left);
  }

  let timer = setTimeout(look, leftMs());
  return () => {
    clearTimeout(timer);
    return usedMs();
  };
}
