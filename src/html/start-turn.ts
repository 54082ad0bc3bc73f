const free = 0;
const taken = 1;

// A worker may end while it holds the turn; the others must not wait for it for ever.
const patienceMs = 5_000;

/** What the workers of a pool share: whose turn it is, how many there have been, and whether the pool closes. */
export const createTurn = (): SharedArrayBuffer => new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);

/** How many workers of the pool have started before this one, which counts itself. */
export const startedBefore = (turn: Int32Array): number => Atomics.add(turn, 1, 1);

/** From now on no worker of the pool begins to load. */
export const closeTurns = (turn: Int32Array): void => void Atomics.store(turn, 2, 1);

export const areTurnsClosed = (turn: Int32Array): boolean => Atomics.load(turn, 2) === 1;

/**
 * Blocks the calling worker until no other worker loads. One at a time the first is ready soonest, and workers that replace
 * ended ones leave a core to the event loop.
 */
export function enterTurn(turn: Int32Array): void {
  const giveUpAt = performance.now() + patienceMs;
  while (Atomics.compareExchange(turn, 0, free, taken) === taken) {
    const left = giveUpAt - performance.now();
    if (left <= 0) return;
    Atomics.wait(turn, 0, taken, left);
  }
}

export function leaveTurn(turn: Int32Array): void {
  Atomics.store(turn, 0, free);
  Atomics.notify(turn, 0, 1);
}
