import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { WorkerInput, WorkerReply, WorkerRequest } from './embedded-worker.ts';
import { DatabaseError, firstLine } from './errors.ts';

/** How long a stop waits for the checkpoint. */
const closeMs = 10_000;

/** A statement may hold the thread for as long as this times `missesMax`; no request waits for one that long. */
export const heartbeatMs = 5000;
const missesMax = 3;

const never = new Promise<never>(() => undefined);

export interface Thread {
  /** Resolves if the database dies, or answers nothing any more, while it should run. */
  readonly lost: Promise<Error>;
  /** Writes a checkpoint and ends the thread. */
  close(): Promise<void>;
}

/** Resolves once the database takes connections; rejects where it cannot start. */
export async function startThread(workerData: WorkerInput, beatMs: number): Promise<Thread> {
  const worker = new Worker(new URL('./embedded-worker.js', import.meta.url), { workerData });
  const died = new Promise<Error>((resolve) => {
    worker.once('error', (error) =>
      resolve(new DatabaseError(`the embedded database failed (is its disk full?): ${firstLine(error)}`)),
    );
    worker.once('exit', (code) => resolve(new DatabaseError(`the embedded database ended (${code})`)));
  });
  const replied = (wanted: WorkerReply): Promise<void> =>
    new Promise((resolve, reject) => {
      void died.then(reject);
      worker.on('message', (reply: WorkerReply) => reply === wanted && resolve());
    });
  await replied('ready');
  const lost = Promise.race([died, stuck(worker, beatMs)]);
  let isClosing = false;
  const close = async (): Promise<void> => {
    isClosing = true;
    const closed = replied('closed').catch(() => undefined);
    worker.postMessage('close' satisfies WorkerRequest);
    // A worker that is stuck is ended as a crash would: what was acknowledged stays.
    await Promise.race([closed, lost, sleep(closeMs, undefined, { ref: false })]);
    await worker.terminate();
  };
  return { lost: lost.then((error) => (isClosing ? never : error)), close };
}

/**
 * Resolves when the thread leaves question after question unanswered: a backend that could not write its log (a full disk) turns in
 * WebAssembly for ever. Counted in questions and not in time, because a machine may have slept.
 */
function stuck(worker: Worker, everyMs: number): Promise<Error> {
  return new Promise((resolve) => {
    let misses = 0;
    const timer = setInterval(() => {
      if (misses === missesMax) {
        clearInterval(timer);
        resolve(new DatabaseError('the embedded database answers nothing any more; look whether its disk is full'));
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
