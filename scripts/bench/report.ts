import type { Figures, Ratio } from './figures.ts';

const columns = ['', 'requests/s', 'slowest', 'fastest', 'p50 ms', 'p99 ms', 'CPU µs/request', 'answers', 'failures'];

/** The figures as a table by operation, with the ratios below; every line is at most 120 characters wide. */
export function renderReport(notes: readonly string[], figures: readonly Figures[], ratios: readonly Ratio[]): string {
  const operations = [...new Set(figures.map(({ operation }) => operation))];
  const tables = operations.map((operation) => {
    const rows = figures.filter((row) => row.operation === operation).map(cells);
    const compared = ratios.filter((ratio) => ratio.operation === operation).map(renderRatio);
    return [operation, ...alignRight([columns, ...rows]), ...compared].join('\n');
  });
  return [notes.join('\n'), ...tables].join('\n\n');
}

function cells(row: Figures): string[] {
  const cpu = row.cpuMicrosecondsPerRequest;
  return [
    row.server,
    whole(row.requestsPerSecond),
    whole(Math.min(...row.rounds)),
    whole(Math.max(...row.rounds)),
    row.p50Ms.toFixed(1),
    row.p99Ms.toFixed(1),
    cpu === undefined ? '-' : whole(cpu),
    whole(row.answers),
    whole(row.failures),
  ];
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');

const renderRatio = ({ name, value, aim }: Ratio): string =>
  `  ${name}: ${value.toFixed(2)} (aim: at least ${aim.toFixed(2)}, ${value >= aim ? 'met' : 'missed'})`;

/** The first column to the left, all others to the right. */
export function alignRight(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? `  ${cell.padEnd(widths[0] ?? 0)}` : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
}
