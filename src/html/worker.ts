import { setPriority } from 'node:os';
import { parentPort, threadId, workerData } from 'node:worker_threads';
import { loadPurify, type Purified, type Purify } from './purify.ts';
import { areTurnsClosed, enterTurn, leaveTurn, startedBefore } from './start-turn.ts';
import { systemThreadId } from './thread-clock.ts';
import { warmUpBody, warmUpRounds } from './warm-up.ts';

/** What a pool gives each of its workers. */
export interface WorkerData {
  readonly turnMemory: SharedArrayBuffer;
  /** How many the pool has at the same time. */
  readonly threads: number;
}

/** A body for a worker. */
export interface Task {
  number: number;
  html: string;
}

/** `loaded`: the parser is there. `begun`: the task of that number begins, and its deadline counts from now. */
export type WorkerMessage =
  | { kind: 'loaded'; threadId: number }
  | { kind: 'begun'; number: number; thread: string | undefined };

const niceness = 15;
const thread = systemThreadId();
const { turnMemory, threads }: WorkerData = workerData;
const turn = new Int32Array(turnMemory);
// Whoever starts the service waits for its first workers; one that replaces another must not be felt.
const isReplacement = startedBefore(turn) >= threads;
if (isReplacement) bePolite();

/** The event loop and the database go first where cores are short; Linux counts niceness by thread. */
function bePolite(): void {
  if (thread !== undefined) setPriority(Number(thread), niceness);
}

const tell = (message: WorkerMessage): void => parentPort?.postMessage(message);

async function loadInTurn(): Promise<(() => Purify) | undefined> {
  enterTurn(turn);
  try {
    return areTurnsClosed(turn) ? undefined : await loadPurify();
  } finally {
    leaveTurn(turn);
  }
}

/** Undefined where the pool closes meanwhile. */
async function load(): Promise<{ purify: Purify; createPurify: () => Purify } | undefined> {
  const createPurify = await loadInTurn();
  const purify = createPurify?.();
  // Compiled code is some five times as fast: an honest body must not be the one that is slow before that.
  for (let round = 0; round < warmUpRounds && !areTurnsClosed(turn); round++) purify?.(warmUpBody);
  bePolite();
  tell({ kind: 'loaded', threadId });
  return createPurify && purify && { purify, createPurify };
}

const loading = load();

/** The task function of the pool. */
export default async function run({ number, html }: Task): Promise<Purified> {
  const loaded = await loading;
  tell({ kind: 'begun', number, thread });
  const purified = loaded?.purify(html) ?? { kind: 'unparsable' };
  // An error may have left DOMPurify or the window half-way.
  if (loaded && purified.kind === 'unparsable') loaded.purify = loaded.createPurify();
  return purified;
}
