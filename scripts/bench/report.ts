export function spreadOf(latenciesMs: readonly number[]) {
  const sorted = [...latenciesMs].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { answers: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), slowestMs: at(1) };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

export const whole = (value: number): string => (Number.isNaN(value) ? '-' : Math.round(value).toLocaleString('en'));

/** As `27.1 (below 100: met)` */
export const judged = (value: number, bound: number, digits = 1): string =>
  `${value.toFixed(digits)} (below ${bound}: ${value < bound ? 'met' : 'missed'})`;

/** A table whose first row is its heading. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((text, index) => text.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  const [header = [], ...others] = rows;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('\n');
}
