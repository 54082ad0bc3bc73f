/** Returns the value below which the given share (0 to 1) of the values lies. A share of 0.5 gives the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en');

/** Returns a value with its verdict, such as `27.1 (below 100: met)`. */
export const judged = (value: number, bound: number, digits = 1): string =>
  `${value.toFixed(digits)} (below ${bound}: ${value < bound ? 'met' : 'missed'})`;

/** Prints a Markdown table whose first row is its heading. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const rule = widths.map((width) => '-'.repeat(width));
  for (const row of [rows[0] ?? [], rule, ...rows.slice(1)])
    console.log(`| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`);
  console.log();
}
