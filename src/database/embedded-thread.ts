import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { DatabaseError, firstLine } from './database-errors.ts';
import type { WorkerInput, WorkerReply, WorkerRequest } from './embedded-worker.ts';

/** How many more heartbeats (ten minutes) a thread may miss before `migrated()`: a migration may rewrite a large table in one statement. */
const migratingMisses = 120;

/** How long `close` waits for the checkpoint. */
const closeTimeoutMs = 10_000;

/**
 * The time between heartbeats. A thread that leaves `missesMax` heartbeats unanswered counts as stuck. No request waits that long for a
 * statement.
 */
export const heartbeatMs = 5000;
const missesMax = 3;

const never = new Promise<never>(() => undefined);

export interface Thread {
  /** Resolves with the error if the database dies or hangs before `close`. */
  readonly lost: Promise<Error>;
  /** Call after migrating: from then on, no statement takes long. */
  migrated(): void;
  /** Writes a checkpoint and ends the thread. */
  close(): Promise<void>;
}

const causeOf = (error: Error): string =>
  /EMFILE|ENFILE/.test(firstLine(error)) ? 'raise the limit of open files' : 'is its disk full?';

/** Resolves when the database accepts connections; rejects if it cannot start. */
export async function startThread(workerData: WorkerInput, beatMs: number): Promise<Thread> {
  const worker = new Worker(new URL('./embedded-worker.js', import.meta.url), { workerData });
  const died = new Promise<Error>((resolve) => {
    worker.once('error', (error) =>
      resolve(new DatabaseError(`the embedded database failed (${causeOf(error)}): ${firstLine(error)}`)),
    );
    worker.once('exit', (code) => resolve(new DatabaseError(`the embedded database ended (${code})`)));
  });
  await new Promise<void>((resolve, reject) => {
    void died.then(reject);
    worker.on('message', (reply: WorkerReply) => reply === 'ready' && resolve());
  });
  const left = { misses: missesMax + migratingMisses, max: missesMax + migratingMisses };
  const lost = Promise.race([died, stuck(worker, beatMs, left)]);
  const migrated = () => {
    left.misses = missesMax;
    left.max = missesMax;
  };
  let isClosing = false;
  const close = async (): Promise<void> => {
    isClosing = true;
    worker.postMessage('close' satisfies WorkerRequest);
    // Terminating a stuck worker is like a crash: acknowledged writes are kept.
    await Promise.race([lost, sleep(closeTimeoutMs, undefined, { ref: false })]);
    await worker.terminate();
  };
  return { lost: lost.then((error) => (isClosing ? never : error)), migrated, close };
}

/**
 * Resolves when the thread has missed `left.max` heartbeats in a row, for example because the disk is full: a backend that cannot write
 * its WAL loops forever in WebAssembly. Counts heartbeats and not time, because the machine may have slept.
 */
function stuck(worker: Worker, everyMs: number, left: { misses: number; max: number }): Promise<Error> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (left.misses === 0) {
        clearInterval(timer);
        resolve(new DatabaseError('the embedded database no longer responds; check whether its disk is full'));
        return;
      }
      left.misses -= 1;
      worker.postMessage('beat' satisfies WorkerRequest);
    }, everyMs).unref();
    worker.on('message', (reply: WorkerReply) => {
      if (reply === 'beaten') left.misses = left.max;
    });
    worker.once('exit', () => clearInterval(timer));
  });
}
