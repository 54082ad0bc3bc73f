import type { Worker } from 'node:worker_threads';
import type { WorkerReply, WorkerRequest } from './embedded-worker.ts';
import { StoreError } from './open-error.ts';

/** A statement may hold the thread for as long as this times `missesMax`; no request waits for one that long. */
export const heartbeatMs = 5000;
const missesMax = 3;

/**
 * Resolves when the thread leaves question after question unanswered: a backend that could not write its log (a full disk) turns in
 * WebAssembly for ever. Counted in questions and not in time, because a machine may have slept.
 */
export function stuck(worker: Worker, everyMs: number): Promise<Error> {
  return new Promise((resolve) => {
    let misses = 0;
    const timer = setInterval(() => {
      if (misses === missesMax) {
        clearInterval(timer);
        resolve(new StoreError('the embedded database answers nothing any more; look whether its disk is full'));
        return;
      }
      misses += 1;
      worker.postMessage('beat' satisfies WorkerRequest);
    }, everyMs).unref();
    worker.on('message', (reply: WorkerReply) => {
      if (reply === 'beaten') misses = 0;
    });
    worker.once('exit', () => clearInterval(timer));
  });
}
