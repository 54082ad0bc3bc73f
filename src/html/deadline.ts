import { processorMs } from './thread-clock.ts';

/** `processorMs` is how long the thread may work; `endBy` a time of `performance.now()`. */
interface Deadline {
  processorMs: number;
  endBy: number;
}

/**
 * Calls `onPassed` when the thread has worked for `processorMs`, or at `endBy`. Counting its own processor time keeps
 * honest bodies from being refused when the machine is busy with others; where it is not known, time on the wall counts alone.
 * Returns what stops it.
 */
export function startDeadline(deadline: Deadline, thread: string | undefined, onPassed: () => void): () => void {
  const begunAt = performance.now();
  const usedBefore = processorMs(thread);

  function leftMs(): number {
    const wall = performance.now() - begunAt;
    const usedNow = processorMs(thread);
    const used = usedBefore === undefined || usedNow === undefined ? wall : usedNow - usedBefore;
    return Math.min(deadline.processorMs - used, deadline.endBy - begunAt - wall);
  }

  function look(): void {
    const left = leftMs();
    if (left <= 1) onPassed();
    else timer = setTimeout(look, left);
  }

  let timer = setTimeout(look, leftMs());
  return () => clearTimeout(timer);
}
