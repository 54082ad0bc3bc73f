import { readFileSync } from 'node:fs';

/** The result of a fault: figures for people, and the broken promises. */
export interface Outcome {
  readonly figures: string;
  /** Empty if every promise was kept. */
  readonly broken: readonly string[];
}

/** Whether each promise was kept, by the promise's text. */
export type Promises = Readonly<Record<string, boolean>>;

/** Thrown for a fault that this machine cannot run; the message says why. */
export class Skipped extends Error {}

/** For `catch`: skips a test that this machine cannot run. */
export const skipIn =
  (test: Mocha.Context) =>
  (error: unknown): never => {
    if (error instanceof Skipped) test.skip();
    throw error;
  };

export type Scale = 'full' | 'short';

/** How long a recovery or a refusal may take. The short run is among other tests, on machines of a quarter of the speed too. */
export const secondsMax: Readonly<Record<Scale, number>> = { full: 5, short: 20 };

export interface Fault {
  readonly name: string;
  /** The promise that must hold. */
  readonly promise: string;
  /** Injects the fault into its own service; in `short` mode only a few times. Throws Skipped if the machine lacks something. */
  run(scale: Scale): Promise<Outcome>;
}

export const outcome = (figures: string, ...promises: readonly Promises[]): Outcome => ({
  figures,
  broken: promises.flatMap((kept) => Object.entries(kept).flatMap(([promise, isKept]) => (isKept ? [] : [promise]))),
});

/** Several outcomes as one. */
export const together = (outcomes: readonly Outcome[]): Outcome => ({
  figures: outcomes.map(({ figures }) => figures).join('\n  '),
  broken: outcomes.flatMap(({ broken }) => broken),
});

/** Kept if this list is empty; otherwise its first items are reported. */
export const none = (what: string, found: readonly string[]): Promises => ({
  [[`no ${what}`, ...found.slice(0, 5)].join('; ')]: found.length === 0,
});

/** The memory of a process in MB: resident now, or its maximum. */
export const memoryMb = (pid: number, what: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

export const whole = (value: number): string => Math.round(value).toLocaleString('en');

/** The value that `share` of the values do not exceed. NaN for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
