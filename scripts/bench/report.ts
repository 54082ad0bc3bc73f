import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';

/** The first line of every report: date, versions and machine. */
export const machineNote = (database: string): string =>
  `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${database}, ` +
  `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'}`;

export function spreadOf(latenciesMs: readonly number[]) {
  const sorted = [...latenciesMs].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { answers: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), slowestMs: at(1) };
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

/** The aim of a figure. */
export interface Aim {
  readonly is: 'at least' | 'at most' | 'below';
  readonly bound: number;
}

/** Undefined without an aim. */
export function isMet(value: number, aim: Aim | undefined): boolean | undefined {
  if (!aim) return undefined;
  if (aim.is === 'at least') return value >= aim.bound;
  return aim.is === 'at most' ? value <= aim.bound : value < aim.bound;
}

/** As `0.95 (aim: at least 0.5, met)` */
export function judged(value: number, aim: Aim | undefined, digits = 2): string {
  if (!aim) return `${value.toFixed(digits)} (no aim)`;
  return `${value.toFixed(digits)} (aim: ${aim.is} ${aim.bound}, ${isMet(value, aim) ? 'met' : 'missed'})`;
}

export const whole = (value: number | undefined): string =>
  value === undefined || Number.isNaN(value) ? '-' : Math.round(value).toLocaleString('en');

const widthsOf = (rows: readonly (readonly string[])[]): number[] =>
  (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));

/** The first column to the left, all others to the right. */
export function alignRight(rows: readonly (readonly string[])[]): string[] {
  const widths = widthsOf(rows);
  const pad = (cell: string, column: number) =>
    column === 0 ? `  ${cell.padEnd(widths[0] ?? 0)}` : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join('  '));
}

export function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = widthsOf(rows);
  const line = (row: readonly string[]) =>
    `| ${row.map((text, index) => text.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  const [header = [], ...others] = rows;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('\n');
}

/** Prints the notes and the parts with an empty line between them, and writes `figures` to the file of `--json`. */
export function publish(
  notes: readonly string[],
  parts: readonly (readonly string[])[],
  json: string | undefined,
  figures: object,
): void {
  console.log([notes, ...parts].map((lines) => lines.join('\n')).join('\n\n'));
  if (json) writeFileSync(json, `${JSON.stringify({ notes, ...figures }, null, 2)}\n`);
}
