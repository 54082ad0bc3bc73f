import { type Column, ownName } from './comparisons.ts';
import { type Figures, isMet, type Ratio } from './figures.ts';
import { routeOf, toolOf } from './questions.ts';
import { protocols } from './settings.ts';

const columns: Readonly<Record<Column, string>> = {
  floor: 'of the floor',
  validator: 'of express-openapi-validator',
  fastify: 'of Fastify',
  bare: 'of bare express',
  sdk: "of the SDK's stateless server on Prisma",
  layer: 'of the same on our operations',
  twin: 'of the same over REST',
};

/** All ratios as one Markdown table, a row for each operation and protocol; an aim that was missed is named. */
export function renderSummary(figures: readonly Figures[], ratios: readonly Ratio[]): string {
  const kept = (Object.keys(columns) as Column[]).filter((column) => ratios.some((ratio) => ratio.column === column));
  const header = ['operation', 'requests/s', ...kept.map((column) => columns[column])];
  const rows = protocols.flatMap((protocol) => {
    const ofProtocol = ratios.filter((ratio) => ratio.protocol === protocol);
    return [...new Set(ofProtocol.map(({ operationId }) => operationId))].map((operationId) => {
      const own = figures.find((row) => row.operationId === operationId && row.server === ownName(protocol));
      const mine = ofProtocol.filter((ratio) => ratio.operationId === operationId);
      const name = protocol === 'rest' ? routeOf(operationId) : toolOf(operationId);
      const speed = Math.round(own?.requestsPerSecond ?? 0).toLocaleString('en');
      return [`\`${name}\``, speed, ...kept.map((column) => cell(mine.find((ratio) => ratio.column === column)))];
    });
  });
  const widths = header.map((_, index) => Math.max(...[header, ...rows].map((row) => row[index]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((text, index) => text.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function cell(ratio: Ratio | undefined): string {
  if (!ratio) return '';
  return isMet(ratio) === false ? `${ratio.value.toFixed(2)} (aim ${ratio.aim})` : ratio.value.toFixed(2);
}
