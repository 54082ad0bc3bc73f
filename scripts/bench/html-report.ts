import type { Answer, Attack, Resident } from './html-attack.ts';

interface Figures {
  readonly name: string;
  readonly answers: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
  /** How many answers by status; 0 stands for no answer. */
  readonly statuses: Readonly<Record<string, number>>;
}

interface Aim {
  readonly name: string;
  readonly value: number;
  readonly below: number;
}

interface Memory {
  /** At the start, at every 500 posts and at the end. */
  readonly marks: readonly Resident[];
  readonly highestMegabytes: number | undefined;
}

export interface Verdict {
  readonly seconds: number;
  readonly figures: readonly Figures[];
  /** The hostile posts by shape. */
  readonly shapes: readonly Figures[];
  readonly memory: Memory;
  readonly aims: readonly Aim[];
  /** Answers that no request of these should have: none at all, or 500 and the like. */
  readonly faults: number;
}

const markEvery = 500;
/** Of the posts; before, compilers and heaps still find their size. */
const settledAfter = 0.2;
const answered = new Set([200, 201, 422, 503]);
const columns = ['', 'answers', 'p50 ms', 'p99 ms', 'slowest ms', 'by status'];

/** Holds what was measured against the aims. */
export function judge(measured: Attack, highestMegabytes: number | undefined): Verdict {
  const hostile = figuresOf('hostile posts', measured.hostile);
  const reads = figuresOf('GET /categories of another company', measured.reads);
  const creates = figuresOf('honest HTML of another company', measured.creates);
  const shapes = [...new Set(measured.hostile.map(({ shape }) => shape))];
  const all = [...measured.hostile, ...measured.reads, ...measured.creates];
  return {
    seconds: measured.seconds,
    figures: [hostile, reads, creates],
    shapes: shapes.map((name) =>
      figuresOf(
        name,
        measured.hostile.filter(({ shape }) => shape === name),
      ),
    ),
    memory: { marks: marksOf(measured.residents), highestMegabytes },
    aims: [
      { name: 'hostile posts, p99, ms', value: hostile.p99Ms, below: 2000 },
      { name: 'hostile posts, slowest, ms', value: hostile.slowestMs, below: 2000 },
      { name: 'GET /categories of another company, p99, ms', value: reads.p99Ms, below: 100 },
      { name: 'growth of resident memory, MB by 1,000 posts', value: growthOf(measured), below: 20 },
    ],
    faults: all.filter(({ status }) => !answered.has(status)).length,
  };
}

function figuresOf(name: string, answers: readonly Answer[]): Figures {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const statuses: Record<string, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  return { name, answers: answers.length, p50Ms: at(0.5), p99Ms: at(0.99), slowestMs: at(1), statuses };
}

function marksOf(residents: readonly Resident[]): Resident[] {
  const last = residents.at(-1);
  const due = Array.from({ length: Math.ceil((last?.posts ?? 0) / markEvery) }, (_, index) => index * markEvery);
  const marks = due.map((posts) => residents.find((resident) => resident.posts >= posts));
  return [...marks, last].filter((mark) => mark !== undefined);
}

/** Slope of the line of least squares through the memory after the first posts, in MB by 1,000 posts. */
function growthOf({ posts, residents }: Attack): number {
  const settled = residents.filter((resident) => resident.posts >= posts * settledAfter);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(settled.map((one) => one.posts)), mean(settled.map((one) => one.megabytes))];
  const covariance = mean(settled.map((one) => (one.posts - x) * (one.megabytes - y)));
  return (1000 * covariance) / mean(settled.map((one) => (one.posts - x) ** 2));
}

/** The figures as a table, then memory, then the aims; every line is at most 120 characters wide. */
export function renderHtmlReport(notes: readonly string[], verdict: Verdict): string {
  const { figures, memory, aims, seconds } = verdict;
  const { marks, highestMegabytes } = memory;
  const highest = highestMegabytes === undefined ? 'not known' : `${whole(highestMegabytes)} MB`;
  const rows = [
    [`posts in ${whole(seconds)} s`, ...marks.map(({ posts }) => whole(posts))],
    ['resident MB', ...marks.map(({ megabytes }) => whole(megabytes))],
  ];
  return [
    notes.join('\n'),
    align([columns, ...figures.map(cells)]),
    `${align(rows)}\n  highest: ${highest}`,
    aims.map(renderAim).join('\n'),
  ].join('\n\n');
}

const cells = (row: Figures): string[] => [
  row.name,
  whole(row.answers),
  row.p50Ms.toFixed(1),
  row.p99Ms.toFixed(1),
  whole(row.slowestMs),
  Object.entries(row.statuses)
    .map(([status, count]) => `${status === '0' ? 'none' : status}: ${whole(count)}`)
    .join(', '),
];

const renderAim = ({ name, value, below }: Aim): string =>
  `  ${name}: ${value.toFixed(1)} (aim: below ${below}, ${value < below ? 'ok' : 'missed'})`;

const whole = (value: number): string => Math.round(value).toLocaleString('en');

function align(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length))) ?? [];
  const pad = (cell: string, column: number) =>
    column === 0 ? `  ${cell.padEnd(widths[0] ?? 0)}` : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join('  ')).join('\n');
}
