import type { ComponentChildren } from 'preact';
import { useT } from '../texts/t.ts';
import { Table } from './table.tsx';

export interface Bar {
  /** As text, because an SVG takes no elements of HTML. */
  readonly label: string;
  /** In the table, if it is not the label. */
  readonly head?: ComponentChildren;
  /** One value for each series, stacked from below. */
  readonly values: readonly number[];
}

interface BarChartProps {
  /** Unique on its page. */
  readonly id: string;
  readonly title: string;
  /** What a reader would see in the chart, in a sentence. */
  readonly summary: string;
  /** The head of the table's first column. */
  readonly head: string;
  /** Names of the series; the legend is left out for a single one. */
  readonly series: readonly string[];
  readonly bars: readonly Bar[];
  /** Shown instead if every value is 0. */
  readonly empty?: string;
  /** One bar below another, for long labels. */
  readonly isHorizontal?: boolean;
  /** Each value contains the one before it, as a 95th percentile contains the median; otherwise they are stacked. */
  readonly isNested?: boolean;
}

const chartWidth = 420;
const chartHeight = 120;
const labelHeight = 18;
const rowHeight = 40;
/** More characters would not fit in a row; the table has them all. */
const rowLabelMax = 56;
/** The widest bar leaves room for its value. */
const rowBarMax = 370;
/** More labels than this would overlap. */
const labelsMax = 8;

/** Stacked bars with their legend, and their values as a table. */
export function BarChart({ id, title, summary, empty, head, series, bars, isHorizontal, isNested }: BarChartProps) {
  const t = useT();
  if (empty !== undefined && bars.every(({ values }) => values.every((value) => value === 0)))
    return (
      <figure class="bars">
        <figcaption>{title}</figcaption>
        <p>{empty}</p>
      </figure>
    );
  const shapes = bars.map(({ label, values }) => ({ label, tops: isNested ? values : sums(values) }));
  const height = isHorizontal ? bars.length * rowHeight : chartHeight + 2 * labelHeight;
  return (
    <figure class="bars">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${chartWidth} ${height}`} role="img" aria-labelledby={`${id}-title ${id}-summary`}>
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-summary`}>{summary}</desc>
        {isHorizontal ? <Rows bars={shapes} /> : <Bars bars={shapes} />}
      </svg>
      {series.length > 1 && (
        <ul class="legend">
          {series.map((name, at) => (
            <li key={name} class={`series-${at}`}>
              {name}
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>{t('{{title}}, as a table', { title })}</summary>
        <Table
          label={title}
          rows={bars}
          rowHead={head}
          columns={[
            [head, (bar) => bar.head ?? bar.label],
            ...series.map((name, at) => [name, ({ values }: Bar) => values[at] ?? 0] as const),
          ]}
        />
      </details>
    </figure>
  );
}

interface BarShape {
  readonly label: string;
  /** The top of each part; the last one is the highest. */
  readonly tops: readonly number[];
}

function Bars({ bars }: { readonly bars: readonly BarShape[] }) {
  const highest = Math.max(...bars.flatMap(({ tops }) => tops), 1);
  const every = Math.ceil(bars.length / labelsMax);
  const slot = chartWidth / Math.max(bars.length, 5);
  const heightOf = (value: number): number => Math.round((value / highest) * chartHeight);
  return (
    <>
      {bars.map(({ label, tops }, at) => (
        <g key={label}>
          {tops.map((top, index) => {
            const [height, below] = [heightOf(top), heightOf(tops[index - 1] ?? 0)];
            const place = { x: (at + 0.2) * slot, y: labelHeight + chartHeight - height };
            return <rect key={index} class={`series-${index}`} {...place} width={0.6 * slot} height={height - below} />;
          })}
          {at % every === 0 && (
            <Labels label={label} value={tops.at(-1) ?? 0} height={heightOf(tops.at(-1) ?? 0)} x={(at + 0.5) * slot} />
          )}
        </g>
      ))}
    </>
  );
}

/** Each bar below its label, with its total. */
function Rows({ bars }: { readonly bars: readonly BarShape[] }) {
  const totals = bars.map(({ tops }) => tops.at(-1) ?? 0);
  const highest = Math.max(...totals, 1);
  return (
    <g class="rows">
      {bars.map(({ label }, at) => {
        const [total, y] = [totals[at] ?? 0, at * rowHeight];
        const width = Math.max(Math.round((total / highest) * rowBarMax), 2);
        return (
          <g key={label}>
            <text y={y + 14}>{label.length > rowLabelMax ? `${label.slice(0, rowLabelMax)}…` : label}</text>
            <rect class="series-0" y={y + 20} width={width} height={12} />
            <text x={width + 6} y={y + 30}>
              {total}
            </text>
          </g>
        );
      })}
    </g>
  );
}

interface LabelsProps {
  readonly label: string;
  readonly value: number;
  readonly height: number;
  /** The middle of the bar. */
  readonly x: number;
}

const Labels = ({ label, value, height, x }: LabelsProps) => (
  <>
    <text x={x} y={labelHeight + chartHeight - height - 4}>
      {value}
    </text>
    <text x={x} y={chartHeight + 2 * labelHeight - 4}>
      {label}
    </text>
  </>
);

/** Running totals: [1, 2, 3] is [1, 3, 6]. */
function sums(values: readonly number[]): number[] {
  let total = 0;
  return values.map((value) => {
    total += value;
    return total;
  });
}
