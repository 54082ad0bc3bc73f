import { type Aimed, aimOf, type Part, type Protocol, protocols, rivals, twin } from './comparisons.ts';
import type { Round } from './load.ts';
import type { Measured } from './operations.ts';
import { routeOf, toolOf } from './questions.ts';
import { alignRight, isMet, judged, markdownTable, median, spreadOf, sum, whole } from './report.ts';

export type Figures = ReturnType<typeof figuresOf>;
type Ratio = ReturnType<typeof ratiosOf>[number];

/** What all rounds of one operation on one server came to. */
export function figuresOf(
  operationId: Measured,
  { protocol, part, name }: { protocol: Protocol; part: Part | 'own'; name: string },
  rounds: readonly Round[],
) {
  const spread = spreadOf(rounds.flatMap(({ latenciesMs }) => latenciesMs));
  const speeds = rounds.map(({ requestsPerSecond }) => requestsPerSecond);
  return {
    operationId,
    protocol,
    part,
    server: protocol === 'mcp' ? `${name} over MCP` : name,
    /** Median of the rounds. */
    requestsPerSecond: median(speeds),
    rounds: speeds,
    ...spread,
    /** Of the server's process over all rounds; NaN where it cannot be read. */
    cpuMicrosecondsPerRequest: sum(rounds.map((round) => round.cpuMicroseconds)) / spread.answers,
    failures: sum(rounds.map((round) => round.failures)),
    wrongStatuses: [...new Set(rounds.flatMap((round) => round.wrongStatuses))],
  };
}

/** Requests a second of this service against those of each rival over the same protocol, and over MCP to itself over REST. */
export function ratiosOf(figures: readonly Figures[]) {
  const ownOf = ({ operationId }: Figures, protocol: Protocol) =>
    figures.find((row) => row.operationId === operationId && row.protocol === protocol && row.part === 'own');
  const ratio = (own: Figures | undefined, rival: Figures | undefined, held: Aimed) => {
    if (!own || !rival) return [];
    const { operationId, protocol } = own;
    const value = own.requestsPerSecond / rival.requestsPerSecond;
    return [{ operationId, protocol, rival: rival.server, column: held.column, value, aim: aimOf(held, operationId) }];
  };
  return figures.flatMap((row) => {
    if (row.part !== 'own') return ratio(ownOf(row, row.protocol), row, rivals[row.part]);
    return row.protocol === 'mcp' ? ratio(row, ownOf(row, 'rest'), twin) : [];
  });
}

const heading = ['', 'requests/s', 'slowest', 'fastest', 'p50 ms', 'p99 ms', 'CPU µs/request', 'answers', 'failures'];

/** The figures as a table for each operation, with the ratios below. */
export function tablesOf(figures: readonly Figures[], ratios: readonly Ratio[]): string[][] {
  return [...new Set(figures.map(({ operationId }) => operationId))].map((operationId) => [
    `${routeOf(operationId)}, ${toolOf(operationId)}`,
    ...alignRight([heading, ...figures.filter((row) => row.operationId === operationId).map(cells)]),
    ...ratios
      .filter((ratio) => ratio.operationId === operationId)
      .map(({ protocol, rival, value, aim }) => `  ${protocol} / ${rival}: ${judged(value, aim)}`),
  ]);
}

const cells = (row: Figures): string[] => [
  row.server,
  whole(row.requestsPerSecond),
  whole(Math.min(...row.rounds)),
  whole(Math.max(...row.rounds)),
  row.p50Ms.toFixed(1),
  row.p99Ms.toFixed(1),
  whole(row.cpuMicrosecondsPerRequest),
  whole(row.answers),
  whole(row.failures),
];

/** All ratios as one Markdown table, a row for each operation and protocol; an aim that was missed is named. */
export function markdownOf(figures: readonly Figures[], ratios: readonly Ratio[]): string {
  const order = [...Object.values(rivals), twin].map(({ column }) => column);
  const columns = order.filter((column) => ratios.some((ratio) => ratio.column === column));
  const rows = protocols.flatMap((protocol) =>
    figures
      .filter((row) => row.part === 'own' && row.protocol === protocol)
      .map(({ operationId, requestsPerSecond }) => {
        const name = protocol === 'rest' ? routeOf(operationId) : toolOf(operationId);
        const own = ratios.filter((ratio) => ratio.operationId === operationId && ratio.protocol === protocol);
        return [
          `\`${name}\``,
          whole(requestsPerSecond),
          ...columns.map((column) => cell(own.find((ratio) => ratio.column === column))),
        ];
      }),
  );
  return markdownTable([['operation', 'requests/s', ...columns], ...rows]);
}

function cell(ratio: Ratio | undefined): string {
  if (!ratio) return '';
  const value = ratio.value.toFixed(2);
  return isMet(ratio.value, ratio.aim) === false ? `${value} (aim ${ratio.aim?.bound})` : value;
}
