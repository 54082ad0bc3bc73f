export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Waits; rejects with the reason of `signal` as soon as that is aborted. */
export const sleep: Sleep = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
