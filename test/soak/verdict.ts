import { quantile } from '../faults/fault.ts';
import { measures, type Sample, type Table } from './sample.ts';

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
  return Object.entries(measures).flatMap(([name, measure]) => {
    if (!('tolerance' in measure)) return [];
    const [share, amount] = measure.tolerance;
    const values = samples.map((sample) => sample[name as keyof typeof measures]);
    const second = quantile(values.slice(quarter, 2 * quarter), 0.5);
    const last = quantile(values.slice(-quarter), 0.5);
    return { measure: name, second, last, most: second * (1 + share) + amount };
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
