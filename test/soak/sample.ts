import { readdirSync, readFileSync } from 'node:fs';
import type { Database } from '../../src/database/open.ts';
import { memoryMb, quantile } from '../faults/fault.ts';
import type { Done } from './steps.ts';

/** How a measure is printed, and by which share and amount its median in the last quarter may exceed that in the second. */
interface Measure {
  readonly title: string;
  readonly digits: number;
  readonly tolerance?: readonly [share: number, amount: number];
}

/** The service's resources at one time, and its answers since the previous sample. */
const measures = {
  minutes: { title: 'minute', digits: 1 },
  answers: { title: 'answers', digits: 0 },
  p50Ms: { title: 'p50 ms', digits: 1, tolerance: [0.5, 5] },
  // Other programs share the machine.
  p99Ms: { title: 'p99 ms', digits: 0, tolerance: [1, 50] },
  // The service's processor time per answer.
  cpuMs: { title: 'CPU ms', digits: 2, tolerance: [0.2, 0.5] },
  residentMb: { title: 'RSS MB', digits: 0, tolerance: [0.1, 20] },
  heapMb: { title: 'heap MB', digits: 0, tolerance: [0.15, 10] },
  externalMb: { title: 'external', digits: 0, tolerance: [0.15, 10] },
  // Most are connections of clients.
  descriptors: { title: 'files', digits: 0, tolerance: [0.2, 20] },
  connections: { title: 'pools', digits: 0, tolerance: [0, 4] },
  databaseMb: { title: 'data MB', digits: 0 },
  sessions: { title: 'sessions', digits: 0, tolerance: [0.2, 20] },
  limits: { title: 'limits', digits: 0, tolerance: [0.2, 20] },
} as const satisfies Readonly<Record<string, Measure>>;

type Values = Readonly<Record<keyof typeof measures, number>>;
export type Sample = Values & { readonly slowest: Pick<Done, 'name' | 'ms'> };
const row = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(9)).join(' ');
const entries = Object.entries(measures) as [keyof Values, Measure][];
export const titles = row([...entries.map(([, { title }]) => title), 'slowest']);
export const rowOf = (sample: Sample): string =>
  row([
    ...entries.map(([name, { digits }]) => sample[name].toFixed(digits)),
    `${sample.slowest.name} ${sample.slowest.ms.toFixed(0)} ms`,
  ]);

const mb = 1024 * 1024;

/** Takes samples of one service. Call `observe` for each step. */
export function sampler(pid: number, metricsPort: number, { db }: Database) {
  const started = performance.now();
  let steps: Done[] = [];
  let cpuBefore = cpuMsOf(pid);
  const observe = (done: Done): void => void steps.push(done);
  const take = async (): Promise<Sample> => {
    const taken = steps;
    steps = [];
    const latencies = taken.filter(({ timed }) => timed).map(({ ms }) => ms);
    const cpuNow = cpuMsOf(pid);
    const cpuMs = (cpuNow - cpuBefore) / taken.length;
    cpuBefore = cpuNow;
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const gauge = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1]);
    const [{ bytes, sessions, limits }] = await db.$queryRaw<[{ bytes: number; sessions: number; limits: number }]>`
      SELECT pg_database_size(current_database())::float8 AS bytes,
             (SELECT count(*)::int FROM page_sessions) AS sessions, (SELECT count(*)::int FROM rate_limits) AS limits`;
    return {
      minutes: (performance.now() - started) / 60_000,
      answers: taken.length,
      p50Ms: quantile(latencies, 0.5),
      p99Ms: quantile(latencies, 0.99),
      slowest: taken.reduce((slowest, done) => (done.ms > slowest.ms ? done : slowest), { name: 'none', ms: 0 }),
      cpuMs,
      residentMb: memoryMb(pid, 'VmRSS'),
      heapMb: gauge('nodejs_heap_size_used_bytes') / mb,
      externalMb: gauge('nodejs_external_memory_bytes') / mb,
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      connections: gauge('vaga_pool_connections'),
      databaseMb: bytes / mb,
      sessions,
      limits,
    };
  };
  return { observe, take };
}

/** User and system time of all threads. */
function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The fields after the name of the program, which may contain spaces; utime and stime are the 14th and 15th of all.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Linux counts processor time in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

type Comparison = Readonly<{ measure: string; second: number; last: number; most: number }>;

/** Medians of the second and the last quarter of the samples. */
export function compareQuarters(samples: readonly Sample[]): Comparison[] {
  const quarter = Math.floor(samples.length / 4);
  return entries.flatMap(([measure, { tolerance }]) => {
    if (!tolerance) return [];
    const values = samples.map((sample) => sample[measure]);
    const second = quantile(values.slice(quarter, 2 * quarter), 0.5);
    const last = quantile(values.slice(-quarter), 0.5);
    return { measure, second, last, most: second * (1 + tolerance[0]) + tolerance[1] };
  });
}

const decimals = (value: number): string => value.toFixed(value < 100 ? 1 : 0);

/** One line for each comparison. A growing measure is marked. */
export const lineOf = ({ measure, second, last, most }: Comparison): string =>
  `${measure}: ${[second, last].map(decimals).join(' -> ')}, at most ${decimals(most)}${last <= most ? '' : ': GROWS'}`;
