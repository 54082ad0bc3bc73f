import type { ListedPage, Shown } from '../operations/kit/declare.ts';

/** Control, format, surrogate and separator characters, which steer a terminal or mislead its reader. The line break is allowed. */
const steering = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Escapes characters that steer a terminal, as in \u{202e}. Line breaks stay. */
export const printable = (text: string): string =>
  text.replace(steering, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** Writes JSON on one line. Bigint ids become numbers, and characters that steer a terminal are escaped. */
export const jsonOf = (data: unknown): string =>
  JSON.stringify(data, (_name, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)).replace(
    steering,
    (character) => character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );

/** Writes each value on a line of its own. */
export const linesOf = (shown: Shown): string =>
  Object.entries(shown)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${cellOf(value)}`)
    .join('\n');

/** Writes a list's rows as a table, then what the list left out and how to get the next page. */
export function tableOf(
  columns: readonly (readonly [name: string, heading: string | undefined])[],
  rows: readonly Shown[],
  { page, last_page, total, searched, searched_from, left_out_nodes, near = [], next }: Shown,
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
  if (searched !== undefined)
    lines.push(`only the ${searched_from ?? 'newest'} ${searched} are searched, there are more`);
  if (left_out_nodes !== undefined)
    lines.push(`without the companies of nodes that do not answer: ${(left_out_nodes as number[]).join(', ')}`);
  for (const { id, name } of near as NonNullable<ListedPage['near']>) lines.push(`did you mean: ${id} ${cellOf(name)}`);
  if (typeof next === 'bigint') lines.push(`more: --before ${next}`);
  return lines.join('\n');
}

/** Writes a value on one line. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value instanceof Date) return value.toISOString();
  const text = typeof value === 'object' ? jsonOf(value) : String(value);
  return printable(text).replaceAll('\n', '\\u{a}');
}
