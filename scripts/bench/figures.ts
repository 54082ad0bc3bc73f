import type { Round } from './load.ts';

/** What all rounds of one operation on one server came to. */
export interface Figures {
  readonly operation: string;
  readonly server: string;
  /** Median of the rounds. */
  readonly requestsPerSecond: number;
  readonly rounds: readonly number[];
  /** Over the requests of all rounds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the server's process over all rounds by answer; undefined where it cannot be read. */
  readonly cpuMicrosecondsPerRequest: number | undefined;
  readonly answers: number;
  readonly failures: number;
}

export interface Ratio {
  readonly operation: string;
  readonly name: string;
  readonly value: number;
  readonly aim: number;
}

/** Puts the rounds of one operation on one server together. */
export function figuresOf(operation: string, server: string, rounds: readonly Round[]): Figures {
  const latencies = rounds.flatMap(({ latenciesMs }) => latenciesMs).sort((a, b) => a - b);
  const answers = sum(rounds.map((round) => round.answers));
  const cpu = rounds.map(({ cpuMicroseconds }) => cpuMicroseconds ?? Number.NaN);
  const perRequest = sum(cpu) / answers;
  const speeds = rounds.map(({ requestsPerSecond }) => requestsPerSecond);
  return {
    operation,
    server,
    requestsPerSecond: median(speeds),
    rounds: speeds,
    p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? Number.NaN,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    cpuMicrosecondsPerRequest: Number.isFinite(perRequest) ? perRequest : undefined,
    answers,
    failures: sum(rounds.map((round) => round.failures)),
  };
}

/** Requests a second of `server` against each rival, for every operation, with what is aimed at. */
export function ratiosOf(figures: readonly Figures[], server: string, aims: Readonly<Record<string, number>>): Ratio[] {
  return figures
    .filter((own) => own.server === server)
    .flatMap((own) =>
      figures
        .filter((other) => other.operation === own.operation && other.server in aims)
        .map((other) => ({
          operation: own.operation,
          name: `${server} / ${other.server}`,
          value: own.requestsPerSecond / other.requestsPerSecond,
          aim: aims[other.server] ?? 0,
        })),
    );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]];
  return (low + high) / 2;
}
