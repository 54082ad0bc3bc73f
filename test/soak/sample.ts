import { readdirSync, readFileSync } from 'node:fs';
import type { Database } from '../../src/database/open.ts';
import { memoryMb, quantile } from '../faults/fault.ts';

/** How a measure is printed, and by which share and amount the median of its last quarter may exceed that of the second. */
interface Measure {
  readonly title: string;
  readonly digits: number;
  readonly tolerance?: readonly [share: number, amount: number];
}

/** What the service uses at one time, and how it answered since the sample before. */
export const measures = {
  minutes: { title: 'minute', digits: 1 },
  answers: { title: 'answers', digits: 0 },
  p50Ms: { title: 'p50 ms', digits: 1, tolerance: [0.5, 5] },
  // Other programs share the machine.
  p99Ms: { title: 'p99 ms', digits: 0, tolerance: [1, 50] },
  // Processor time of the service per answer.
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

export type Sample = Readonly<Record<keyof typeof measures, number>> & {
  /** The step that took longest, of all. */
  readonly slowest: Step;
};

interface Step {
  readonly name: string;
  readonly ms: number;
}

/** A table with its indexes. */
export interface Table {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
}

const none: Step = { name: 'none', ms: 0 };
const mb = 1024 * 1024;
/** Linux counts processor time in hundredths of a second. */
const tickMs = 10;

/** Takes samples of one service. */
export class Sampler {
  readonly #pid: number;
  readonly #metrics: string;
  readonly #store: Database;
  readonly #started = performance.now();
  #cpuMs: number;
  #latenciesMs: number[] = [];
  #slowest: Step = none;
  #answers = 0;

  constructor(pid: number, metricsPort: number, store: Database) {
    this.#pid = pid;
    this.#metrics = `http://127.0.0.1:${metricsPort}/metrics`;
    this.#store = store;
    this.#cpuMs = cpuMsOf(pid);
  }

  /** Call after each step; `timed` if p50 and p99 include it. */
  observe({ name, ms, timed }: Step & { readonly timed: boolean }): void {
    this.#answers++;
    if (timed) this.#latenciesMs.push(ms);
    if (ms > this.#slowest.ms) this.#slowest = { name, ms };
  }

  async take(): Promise<Sample> {
    const [latencies, answers, slowest] = [this.#latenciesMs, this.#answers, this.#slowest];
    [this.#latenciesMs, this.#answers, this.#slowest] = [[], 0, none];
    const cpuMs = cpuMsOf(this.#pid);
    const usedMs = cpuMs - this.#cpuMs;
    this.#cpuMs = cpuMs;
    const metrics = await (await fetch(this.#metrics)).text();
    const gauge = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1]);
    const [database] = await this.#store.db.$queryRaw<{ bytes: number; sessions: number; limits: number }[]>`
      SELECT pg_database_size(current_database())::float8 AS bytes,
             (SELECT count(*)::int FROM page_sessions) AS sessions, (SELECT count(*)::int FROM rate_limits) AS limits`;
    return {
      minutes: (performance.now() - this.#started) / 60_000,
      answers,
      p50Ms: quantile(latencies, 0.5),
      p99Ms: quantile(latencies, 0.99),
      slowest,
      cpuMs: usedMs / answers,
      residentMb: memoryMb(this.#pid, 'VmRSS'),
      heapMb: gauge('nodejs_heap_size_used_bytes') / mb,
      externalMb: gauge('nodejs_external_memory_bytes') / mb,
      descriptors: readdirSync(`/proc/${this.#pid}/fd`).length,
      connections: gauge('vaga_pool_connections'),
      databaseMb: (database?.bytes ?? Number.NaN) / mb,
      sessions: database?.sessions ?? Number.NaN,
      limits: database?.limits ?? Number.NaN,
    };
  }
}

/** User and system time of all threads. */
function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The fields after the name of the program, which may contain spaces; utime and stime are the 14th and 15th of all.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Counts every row, which takes a while. */
export async function tablesOf({ db }: Database): Promise<Table[]> {
  const names = await db.$queryRaw<{ name: string }[]>`
    SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`;
  const tables: Table[] = [];
  for (const { name } of names) {
    const [counted] = await db.$queryRawUnsafe<{ rows: number; bytes: number }[]>(
      `SELECT count(*)::int AS rows, pg_total_relation_size('"${name}"')::float8 AS bytes FROM "${name}"`,
    );
    if (counted) tables.push({ name, ...counted });
  }
  return tables;
}
