import { Piscina } from 'piscina';
import type { Purified } from './purify.ts';
import type { SanitizerSettings } from './settings.ts';
import type { Begun, Task } from './worker.ts';

/** `deadline` and `died`: the body ended its worker. `late`: no worker began in time. */
export type Outcome = Purified | { kind: 'deadline' } | { kind: 'died' } | { kind: 'late' };

export interface Pool {
  /** Never throws. `beginBy` is a time of `performance.now()`. */
  run(html: string, beginBy: number): Promise<Outcome>;
  /** Resolves when every worker has loaded the parser. */
  warm(): Promise<void>;
  /** Workers that were ended by a body. */
  ended(): number;
  close(): Promise<void>;
}

type PoolSettings = Pick<SanitizerSettings, 'runningMax' | 'deadlineMs' | 'workerHeapMb'>;

// Beside this file and in its own form: worker.ts when run by tsx, worker.js when compiled.
const workerUrl = new URL(`./worker${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url);

function openPiscina({ runningMax, workerHeapMb }: PoolSettings): Piscina {
  const threads = runningMax + 1;
  return new Piscina({
    filename: workerUrl.href,
    minThreads: threads,
    maxThreads: threads,
    idleTimeout: Number.POSITIVE_INFINITY,
    // With atomics the worker's event loop never turns between two bodies, and jsdom's memory grows without end.
    atomics: 'disabled',
    recordTiming: false,
    // A worker needs none of the service's secrets.
    env: {},
    // A wide nursery: most of the time went to scavenges of DOM nodes.
    resourceLimits: { maxOldGenerationSizeMb: workerHeapMb, maxYoungGenerationSizeMb: 48, stackSizeMb: 4 },
  });
}

/** Workers start with the first body or with `warm`, not with the service. */
export function openPool(settings: PoolSettings): Pool {
  const begun = new Map<number, () => void>();
  let piscina: Piscina | undefined;
  let numbers = 0;
  let ended = 0;

  function workers(): Piscina {
    if (piscina) return piscina;
    piscina = openPiscina(settings);
    piscina.on('message', (message: Begun) => begun.get(message.begun)?.());
    // A worker that fails outside of a body is replaced; the next body tells if that does not help.
    piscina.on('error', () => {});
    return piscina;
  }

  async function run(html: string, beginBy: number): Promise<Outcome> {
    const number = numbers++;
    const abort = new AbortController();
    let hasBegun = false;
    let timer = setTimeout(() => abort.abort(), Math.max(0, beginBy - performance.now()));
    begun.set(number, () => {
      hasBegun = true;
      clearTimeout(timer);
      timer = setTimeout(() => abort.abort(), settings.deadlineMs);
    });
    try {
      const task: Task = { number, html };
      return (await workers().run(task, { signal: abort.signal })) as Purified;
    } catch {
      if (!hasBegun) return { kind: 'late' };
      ended += 1;
      return { kind: abort.signal.aborted ? 'deadline' : 'died' };
    } finally {
      clearTimeout(timer);
      begun.delete(number);
    }
  }

  return {
    run,
    async warm() {
      const { minThreads } = workers().options;
      const beginBy = performance.now() + 60_000;
      await Promise.all(Array.from({ length: minThreads }, () => run('<p>warm</p>', beginBy)));
    },
    ended: () => ended,
    async close() {
      await piscina?.destroy();
    },
  };
}
