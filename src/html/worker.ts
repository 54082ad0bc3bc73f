import { parentPort, threadId, workerData } from 'node:worker_threads';
import { loadPurify, type Purified, type Purify } from './purify.ts';
import { enterTurn, leaveTurn } from './start-turn.ts';
import { systemThreadId } from './thread-clock.ts';
import { warmUpBody, warmUpRounds } from './warm-up.ts';

/** A body for a worker. */
export interface Task {
  number: number;
  html: string;
}

/** `loaded`: the parser is there. `begun`: the task of that number begins, and its deadline counts from now. */
export type WorkerMessage =
  | { kind: 'loaded'; threadId: number }
  | { kind: 'begun'; number: number; thread: string | undefined };

const thread = systemThreadId();

const tell = (message: WorkerMessage): void => parentPort?.postMessage(message);

async function load(): Promise<() => Purify> {
  const turn = new Int32Array(workerData as SharedArrayBuffer);
  enterTurn(turn);
  try {
    return await loadPurify();
  } finally {
    leaveTurn(turn);
  }
}

const loading = load().then((createPurify) => {
  const purify = createPurify();
  tell({ kind: 'loaded', threadId });
  warmUp(purify, warmUpRounds);
  return { purify, createPurify };
});

/** Compiled code is some five times as fast. In small steps, so that a body that comes meanwhile need not wait. */
function warmUp(purify: Purify, rounds: number): void {
  purify(warmUpBody);
  if (rounds > 1) setImmediate(() => warmUp(purify, rounds - 1));
}

/** The task function of the pool. */
export default async function run({ number, html }: Task): Promise<Purified> {
  const loaded = await loading;
  tell({ kind: 'begun', number, thread });
  const purified = loaded.purify(html);
  // An error may have left DOMPurify or the window half-way.
  if (purified.kind === 'unparsable') loaded.purify = loaded.createPurify();
  return purified;
}
