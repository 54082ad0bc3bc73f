import type { SanitizerSettings } from './settings.ts';
import { processorMs } from './thread-clock.ts';

type DeadlineSettings = Pick<SanitizerSettings, 'deadlineMs' | 'deadlineWallMs'>;

/**
 * Calls `onPassed` when the thread has worked for `deadlineMs`, or `deadlineWallMs` have passed. Counting its own processor time keeps
 * honest bodies from being refused when the machine is busy with others; where it is not known, time on the wall counts alone.
 * Returns what stops it.
 */
export function startDeadline(
  settings: DeadlineSettings,
  thread: string | undefined,
  onPassed: () => void,
): () => void {
  const begunAt = performance.now();
  const usedBefore = processorMs(thread);

  function leftMs(): number {
    const wall = performance.now() - begunAt;
    const usedNow = processorMs(thread);
    const used = usedBefore === undefined || usedNow === undefined ? wall : usedNow - usedBefore;
    return Math.min(settings.deadlineMs - used, settings.deadlineWallMs - wall);
  }

  function look(): void {
    const left = leftMs();
    if (left <= 1) onPassed();
    else timer = setTimeout(look, left);
  }

  let timer = setTimeout(look, settings.deadlineMs);
  return () => clearTimeout(timer);
}
