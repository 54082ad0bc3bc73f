/** Resolves when `start` calls `done`. If `signal` aborts first, calls the function that `start` returned, and rejects with the reason. */
function abortable(signal: AbortSignal, start: (done: () => void) => () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = start(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}

export const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  abortable(signal, (done) => {
    const timer = setTimeout(done, milliseconds);
    return () => clearTimeout(timer);
  });

/** Runs at most `size` calls at once, and queues the others in order. Throws a TypeError if `size` is below 1. */
export function queueOf(size: number): <T>(signal: AbortSignal, run: () => Promise<T>) => Promise<T> {
  if (!(size >= 1)) throw new TypeError('concurrency must be at least 1');
  const waiting = new Set<() => void>();
  let free = size;
  return async (signal, run) => {
    if (free > 0) free--;
    else
      await abortable(signal, (enter) => {
        waiting.add(enter);
        return () => waiting.delete(enter);
      });
    try {
      return await run();
    } finally {
      // Hands the place to the next waiting call, so that a later call cannot take it first.
      const [next] = waiting;
      if (next && waiting.delete(next)) next();
      else free++;
    }
  };
}
