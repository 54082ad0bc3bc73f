import { type Column, type Comparison, ownName } from './comparisons.ts';
import type { Round } from './load.ts';
import type { Measured } from './operations.ts';
import type { Protocol } from './settings.ts';

/** What all rounds of one operation on one server came to. */
export interface Figures {
  readonly operationId: Measured;
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

/** Requests a second of this service against those of a rival. */
export interface Ratio {
  readonly operationId: Measured;
  readonly protocol: Protocol;
  readonly rival: string;
  readonly column: Column;
  readonly value: number;
  readonly aim: number | undefined;
}

/** Puts the rounds of one operation on one server together. */
export function figuresOf(operationId: Measured, server: string, rounds: readonly Round[]): Figures {
  const latencies = rounds.flatMap(({ latenciesMs }) => latenciesMs).sort((a, b) => a - b);
  const answers = sum(rounds.map((round) => round.answers));
  const cpu = rounds.map(({ cpuMicroseconds }) => cpuMicroseconds ?? Number.NaN);
  const perRequest = sum(cpu) / answers;
  const speeds = rounds.map(({ requestsPerSecond }) => requestsPerSecond);
  return {
    operationId,
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

/** What the duels of one comparison came to. */
export function ratiosOf({ operationId, duels }: Comparison, figures: readonly Figures[]): Ratio[] {
  const speedOf = (name: string): number =>
    figures.find(({ server }) => server === name)?.requestsPerSecond ?? Number.NaN;
  return duels.map(({ protocol, rival, column, aim }) => {
    const value = speedOf(ownName(protocol)) / speedOf(rival);
    return { operationId, protocol, rival, column, value, aim };
  });
}

/** Undefined where nothing is aimed at. */
export const isMet = ({ value, aim }: Ratio): boolean | undefined => (aim === undefined ? undefined : value >= aim);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]];
  return (low + high) / 2;
}
