import { type Options, readSettings, type Settings } from './settings.ts';

/** What a bench gets besides its settings. */
export interface Run {
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /** What ends or drops something that the bench has started; done at the end, the last first. */
  undo(step: () => Promise<void>): void;
}

/** Runs a bench whose command is `npm run NAME`. A failure is one line and exit code 1. */
export async function runBench<O extends Options>(
  name: string,
  about: string,
  options: O,
  bench: (settings: Settings<O>, run: Run) => Promise<void>,
): Promise<void> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => interruption.abort(new Error(`ended by ${signal}`)));
  const steps: (() => Promise<void>)[] = [];
  const fail = (error: unknown) => {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  };
  try {
    const settings = readSettings(name, about, options);
    if (settings) await bench(settings, { signal: interruption.signal, undo: (step) => steps.unshift(step) });
  } catch (error) {
    fail(error);
  }
  for (const step of steps) await step().catch(fail);
}
