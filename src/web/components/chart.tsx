import type { ComponentChildren } from 'preact';
import { useT } from '../page.ts';
import { numberText } from '../texts/formats.ts';
import { Table } from './data-table.tsx';
import { VisuallyHidden } from './text.tsx';

export interface ChartItem {
  /** A text, because an SVG cannot contain HTML elements. */
  readonly label: string;
  /** Shown in the table instead of the label. */
  readonly head?: ComponentChildren;
  /** One value for each series. Empty for a day without values, such as a future one. */
  readonly values: readonly number[];
  /** The address of the counted rows. */
  readonly href?: string;
  readonly hrefs?: readonly string[];
  /** Whether the axis shows the label. By default, it shows at most `labelsMax` evenly spaced labels. */
  readonly isTick?: boolean;
}

interface ChartProps {
  /** Unique on its page. */
  readonly id: string;
  readonly title: string;
  /** The main point of the chart, in a sentence. */
  readonly summary?: string | undefined;
  /** The text shown instead of the chart if every value is 0. */
  readonly empty?: string;
  /** The head of the table's first column. */
  readonly head: string;
  /** The names of the series, and the addresses of their counted rows. */
  readonly series: readonly { readonly name: string; readonly href?: string | undefined }[];
  readonly items: readonly ChartItem[];
  /** Stacked bars over time, points over time, or a table whose rows are bars. */
  readonly shape: 'bars' | 'points' | 'rows';
}

/** Shows values as a plot with axis and legend, and as a table. Bars, points and rows link to the rows that they count. */
export function Chart(props: ChartProps) {
  const t = useT();
  const { id, title, summary, empty, items, shape } = props;
  const isEmpty = empty !== undefined && items.every(({ values }) => values.every((value) => value === 0));
  const text = isEmpty ? empty : summary;
  return (
    <figure class="chart col-6">
      <figcaption id={`${id}-title`}>
        <strong>{title}</strong>
      </figcaption>
      {text !== undefined && <p class="text-light">{text}</p>}
      {!isEmpty && shape === 'rows' && <Values {...props} />}
      {!isEmpty && shape !== 'rows' && (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: SVG has no other element for a group with links in it. */}
          <svg width="100%" height={height} role="group" aria-labelledby={`${id}-title`} {...textStyle}>
            <Plot {...props} />
          </svg>
          <Legend {...props} />
          <details>
            <summary>{t('{{title}}, as a table', { title })}</summary>
            <Values {...props} />
          </details>
        </>
      )}
    </figure>
  );
}

/** Names the series, and says what their links and the bars' links do. */
const Legend = ({ title, series }: ChartProps) => (
  <p class="hstack">
    {series.map(({ name, href }, at) => (
      <span key={name}>
        <Swatch size="10" of={10} at={at} />{' '}
        <Linked href={href}>
          {name}
          <VisuallyHidden>{`, ${title}`}</VisuallyHidden>
        </Linked>
      </span>
    ))}
    {series.some(({ href }) => href) && <small>{useT()('Select a bar or a name to list what it counts.')}</small>}
  </p>
);

/** Shows the values as a table. In the shape `rows` the table is the chart, and each value has a bar. */
function Values({ title, head, series, items, shape }: ChartProps) {
  const highest = Math.max(...items.flatMap(({ values }) => values));
  const drawn = (value: number) => (
    <span class="hstack justify-between">
      <Swatch size="75%" of={value / highest} at={0} />
      {value}
    </span>
  );
  const shownIn = ({ label, values, hrefs }: ChartItem, at: number) => {
    const { [at]: value = 0 } = values;
    if (shape === 'rows') return drawn(value);
    const href = value > 0 ? hrefs?.[at] : undefined;
    if (href === undefined) return value;
    return (
      <a href={href}>
        {value}
        <VisuallyHidden>{` ${series[at]?.name}, ${label}, ${title}`}</VisuallyHidden>
      </a>
    );
  };
  return (
    <Table
      label={title}
      rows={items.filter(({ values }) => values.length > 0)}
      rowHead={head}
      columns={[
        [head, (item) => <Linked href={item.href}>{item.head ?? item.label}</Linked>],
        ...series.map(({ name }, at) => [name, (item: ChartItem) => shownIn(item, at)] as const),
      ]}
    />
  );
}

/** The colours of the series, in their order. */
const colours = ['var(--primary)', 'var(--warning)', 'var(--danger)'];
const textStyle = { fill: 'currentColor', 'font-size': 11, 'text-anchor': 'middle' } as const;
/** Heights and the widths of bars are in pixels, places along the axis in percent. */
const [top, bottom, height] = [20, 126, 146];
/** The part of the width that the axis takes. */
const axisPercent = 8;
const barsWidth = 180;
const barWidthMax = 20;
/** More labels than this would overlap on a phone's screen. */
const labelsMax = 7;

function Plot({ series, items, shape }: ChartProps) {
  const { locale } = useT();
  const isStacked = shape === 'bars';
  const topOf = (values: readonly number[], at: number) =>
    isStacked ? sum(values.slice(0, at + 1)) : (values[at] ?? 0);
  const ticks = ticksOf(Math.max(...items.flatMap(({ values }) => values.map((_, at) => topOf(values, at))), 1));
  const slot = (100 - axisPercent) / items.length;
  const barWidth = Math.min(barsWidth / items.length, barWidthMax);
  const yOf = (value: number): number => Math.round(bottom - (value / (ticks.at(-1) ?? 1)) * (bottom - top));
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick} text-anchor="start">
          <line x2="100%" y1={yOf(tick)} y2={yOf(tick)} stroke="currentColor" stroke-opacity={0.15} />
          <text y={yOf(tick) - 3}>{numberText(tick, locale)}</text>
        </g>
      ))}
      {items.map(({ label, values, hrefs, isTick }, itemAt) => {
        const x = `${axisPercent + (itemAt + 0.5) * slot}%`;
        const isLabelled = isTick ?? itemAt % Math.ceil(items.length / labelsMax) === 0;
        return (
          <>
            {isLabelled && (
              <text {...{ x, y: height - 4 }} text-anchor={itemAt > items.length * 0.95 ? 'end' : undefined}>
                {label}
              </text>
            )}
            {values.map((value, at) => {
              const y = yOf(topOf(values, at));
              const bar = <line x1={x} x2={x} y1={yOf(topOf(values, at) - value)} y2={y} stroke-width={barWidth} />;
              // Not reachable by keyboard: the table has the same link.
              return (
                value > 0 && (
                  <g key={at} fill={colours[at]} stroke={colours[at]}>
                    <Linked href={hrefs?.[at]} tabIndex={-1}>
                      <title>{`${label}: ${numberText(value, locale)} ${series[at]?.name}`}</title>
                      {isStacked ? bar : <circle cx={x} cy={y} r={3.5} />}
                    </Linked>
                  </g>
                )
              );
            })}
          </>
        );
      })}
    </>
  );
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns 0 and round numbers up to at least the highest value: [0, 20, 40]. */
function ticksOf(highest: number): number[] {
  const rough = highest / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max([1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? 1, 1);
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, at) => at * step);
}

/** Draws a bar in the colour of series `at`. `of` is the share of the width `size` that the bar fills; 1 or more fills it all. */
const Swatch = ({ size, of, at }: { readonly size: string; readonly of: number; readonly at: number }) => (
  <svg width={size} height="10" aria-hidden="true">
    <rect width={`${Math.min(of, 1) * 100}%`} height="100%" fill={colours[at]} rx="2" />
  </svg>
);

const Linked = (props: {
  readonly href?: string | undefined;
  readonly tabIndex?: number;
  readonly children: ComponentChildren;
}) => (props.href === undefined ? props.children : <a {...props} href={props.href} />);
