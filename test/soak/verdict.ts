import { quantile } from '../faults/fault.ts';
import type { Sample, Table } from './sample.ts';

/** How much the median of the last quarter may exceed that of the second: by a share and an amount. */
const tolerances = {
  p50Ms: [0.5, 5],
  // Other programs share the machine.
  p99Ms: [1, 50],
  cpuMs: [0.2, 0.5],
  residentMb: [0.1, 20],
  heapMb: [0.15, 10],
  externalMb: [0.15, 10],
  // Most are connections of clients.
  descriptors: [0.2, 20],
  connections: [0, 4],
  sessions: [0.2, 20],
  limits: [0.2, 20],
} as const satisfies Partial<Record<keyof Sample, readonly [share: number, amount: number]>>;

type Measure = keyof typeof tolerances;

export interface Comparison {
  readonly measure: string;
  readonly second: number;
  readonly last: number;
  readonly most: number;
}

const grows = ({ last, most }: Comparison): boolean => !(last <= most);

/** Medians of the second and the last quarter of the samples. */
export function compareQuarters(samples: readonly Sample[]): Comparison[] {
  const quarter = Math.floor(samples.length / 4);
  const median = (part: readonly Sample[], measure: Measure) =>
    quantile(
      part.map((sample) => sample[measure]),
      0.5,
    );
  return (Object.keys(tolerances) as Measure[]).map((measure) => {
    const [share, amount] = tolerances[measure];
    const second = median(samples.slice(quarter, 2 * quarter), measure);
    const last = median(samples.slice(-quarter), measure);
    return { measure, second, last, most: second * (1 + share) + amount };
  });
}

/** Below this a table is mostly its first pages. */
const judgedBytes = 1024 * 1024;
const bytesPerRowMore = 0.25;

/** Bytes per row at half time and at the end: a table may grow by its rows only. */
export function compareTables(half: readonly Table[], end: readonly Table[]): Comparison[] {
  return end.flatMap(({ name, rows, bytes }) => {
    const before = half.find((table) => table.name === name);
    if (!before || bytes < judgedBytes) return [];
    const [second, last] = [before.bytes / Math.max(before.rows, 1), bytes / Math.max(rows, 1)];
    return { measure: `bytes per row of ${name}`, second, last, most: second * (1 + bytesPerRowMore) };
  });
}

const decimals = (value: number): string => value.toFixed(value < 100 ? 1 : 0);

export const lineOf = (comparison: Comparison): string =>
  `${comparison.measure}: ${decimals(comparison.second)} -> ${decimals(comparison.last)}, at most ` +
  `${decimals(comparison.most)}${grows(comparison) ? ': GROWS' : ''}`;

export const growing = (comparisons: readonly Comparison[]): string[] => comparisons.filter(grows).map(lineOf);
