import type { Shown } from '../operations/shown.ts';

/** JSON with ids as numbers, on one line. */
export const jsonOf = (data: unknown): string =>
  JSON.stringify(data, (_name, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));

/** One line for each value. */
export const linesOf = (shown: Shown): string =>
  Object.entries(shown)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${cellOf(value)}`)
    .join('\n');

/** A list's rows below their headings, and where the next page is. */
export function tableOf(
  columns: readonly (readonly [name: string, heading: string | undefined])[],
  rows: readonly Shown[],
  { page, last_page, total, next }: Shown,
): string {
  const headings = columns.map(([name, heading]) => heading ?? name);
  const cells = [headings, ...rows.map((row) => columns.map(([name]) => cellOf(row[name])))];
  const widths = headings.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const lines = cells.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  if (total !== undefined) lines.push(`page ${page} of ${last_page}, ${total} in all`);
  if (typeof next === 'bigint') lines.push(`more: --before ${next}`);
  return lines.join('\n');
}

/** One line, without characters that steer a terminal. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value instanceof Date) return value.toISOString();
  const text = typeof value === 'object' ? jsonOf(value) : String(value);
  return text.replace(/\p{Cc}/gu, ' ');
}
