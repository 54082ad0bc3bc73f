import { ownName } from './comparisons.ts';
import { type Figures, isMet, type Ratio } from './figures.ts';
import { routeOf, toolOf } from './questions.ts';

const columns = ['', 'requests/s', 'slowest', 'fastest', 'p50 ms', 'p99 ms', 'CPU µs/request', 'answers', 'failures'];

/** The figures as a table by operation, with the ratios below; every line is at most 120 characters wide. */
export function renderReport(notes: readonly string[], figures: readonly Figures[], ratios: readonly Ratio[]): string {
  const operations = [...new Set(figures.map(({ operationId }) => operationId))];
  const tables = operations.map((operationId) => {
    const rows = figures.filter((row) => row.operationId === operationId).map(cells);
    const compared = ratios.filter((ratio) => ratio.operationId === operationId).map(renderRatio);
    const title = `${routeOf(operationId)}, ${toolOf(operationId)}`;
    return [title, ...alignRight([columns, ...rows]), ...compared].join('\n');
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

function renderRatio(ratio: Ratio): string {
  const { protocol, rival, value, aim } = ratio;
  const judged = aim === undefined ? 'no aim' : `aim: at least ${aim.toFixed(2)}, ${isMet(ratio) ? 'met' : 'missed'}`;
  return `  ${ownName(protocol)} / ${rival}: ${value.toFixed(2)} (${judged})`;
}

/** The first column to the left, all others to the right. */
export function alignRight(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? `  ${cell.padEnd(widths[0] ?? 0)}` : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
}
