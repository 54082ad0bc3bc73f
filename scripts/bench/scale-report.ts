import type { Answers } from './ask-in-turn.ts';
import { alignRight } from './report.ts';

/** What all rounds of one operation on one database came to. */
export interface Latency {
  readonly operation: string;
  readonly jobs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly answers: number;
  readonly failures: number;
}

export interface Comparison {
  readonly name: string;
  readonly least: Latency;
  readonly most: Latency;
  readonly aim: number;
}

export function latencyOf(operation: string, jobs: number, rounds: readonly Answers[]): Latency {
  const sorted = rounds.flatMap(({ latenciesMs }) => latenciesMs).sort((a, b) => a - b);
  const percentile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    operation,
    jobs,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    answers: sorted.length,
    failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
  };
}

export const ratiosOf = ({ least, most, aim }: Comparison): { p50: number; p99: number; met: boolean } => {
  const [p50, p99] = [most.p50Ms / least.p50Ms, most.p99Ms / least.p99Ms];
  return { p50, p99, met: p50 <= aim && p99 <= aim };
};

/** One table of operations by the number of jobs, one of pages, and what is aimed at beside each ratio. */
export function renderScale(
  notes: readonly string[],
  sizes: readonly number[],
  latencies: readonly Latency[],
  comparisons: readonly Comparison[],
): string {
  const names = [...new Set(latencies.map(({ operation }) => operation))];
  const rows = names.map((name) => {
    const own = sizes.map((jobs) => latencies.find((row) => row.operation === name && row.jobs === jobs));
    return [name, ...own.map((row) => row?.p50Ms.toFixed(1) ?? ''), ...own.map((row) => row?.p99Ms.toFixed(1) ?? '')];
  });
  const shown = sizes.map((jobs) => jobs.toLocaleString('en'));
  const head = ['ms at … jobs', ...shown.map((jobs) => `p50 ${jobs}`), ...shown.map((jobs) => `p99 ${jobs}`)];
  const compared = comparisons.map((comparison) => {
    const { p50, p99, met } = ratiosOf(comparison);
    return [comparison.name, p50.toFixed(2), p99.toFixed(2), comparison.aim.toFixed(1), met ? 'met' : 'missed'];
  });
  return [
    notes.join('\n'),
    alignRight([head, ...rows]).join('\n'),
    alignRight([['', 'p50', 'p99', 'at most', ''], ...compared]).join('\n'),
  ].join('\n\n');
}
