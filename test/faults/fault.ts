import { readFileSync } from 'node:fs';

/** The result of a fault: figures for people, and the broken promises. */
export interface Outcome {
  readonly figures: string;
  /** Empty if every promise was kept. */
  readonly broken: readonly string[];
}

/** A fault that this machine cannot run, and why. */
export class Skipped extends Error {}

export interface Fault {
  readonly name: string;
  /** Injects the fault into a service of its own, in `short` only a few times. Throws Skipped if the machine lacks something. */
  run(scale: 'full' | 'short'): Promise<Outcome>;
}

/** Several outcomes as one. */
export const together = (outcomes: readonly Outcome[]): Outcome => ({
  figures: outcomes.map(({ figures }) => figures).join('\n  '),
  broken: outcomes.flatMap(({ broken }) => broken),
});

/** The memory of a process in MB: resident now, or the most that it was. */
export const memoryMb = (pid: number, what: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** The promises of `held` that are false, by their names. */
export const brokenOf = (held: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(held).flatMap(([promise, holds]) => (holds ? [] : [promise]));

export const whole = (value: number): string => Math.round(value).toLocaleString('en');

/** The value that `share` of the values do not exceed; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
