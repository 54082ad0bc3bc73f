import { availableParallelism } from 'node:os';

/** How much the sanitizer takes on. Times are in milliseconds. */
export interface SanitizerSettings {
  /** Bodies worked on at the same time; the pool holds two workers more, the warm spares. */
  runningMax: number;
  /** Bodies of one company worked on at the same time. */
  runningPerCompanyMax: number;
  /** Bodies that wait for their turn, over all companies; the next one is refused with 503. */
  waitingMax: number;
  /** Bodies of one company that wait for their turn. */
  waitingPerCompanyMax: number;
  /** From the call until there is a worker for the body; then 503. */
  waitMs: number;
  /** Processor time of a worker for one body; then the worker is ended and the body refused with 422. */
  deadlineMs: number;
  /** From the call until 503, whatever the processor was busy with; longer only for the first bodies after a start. */
  answerMs: number;
  /** What the first bodies after a start may wait for the first worker, instead of `waitMs`. */
  startMs: number;
  /** Processor time of the workers that one company may use at once. */
  budgetMs: number;
  /** What comes back of it each second; a company that has used more than there is waits for it. */
  budgetMsPerSecond: number;
  /** What a body is charged that ends its worker, for loading another one. */
  reloadMs: number;
  /** Memory of one worker, in MB; a body that needs more ends its worker and is refused with 422. */
  workerHeapMb: number;
}

/**
 * One core is left to the event loop, also on two: there, in one run each of the benchmark, one body at a time let more honest ones through
 * under attack than two. A company holds every place only where there is one.
 */
export function defaultSettings(cores: number = availableParallelism()): SanitizerSettings {
  const runningMax = Math.min(4, Math.max(1, cores - 1));
  return {
    runningMax,
    runningPerCompanyMax: Math.max(1, Math.min(2, runningMax - 1)),
    waitingMax: 64,
    waitingPerCompanyMax: 24,
    waitMs: 2500,
    deadlineMs: 500,
    answerMs: 1500,
    startMs: 10_000,
    budgetMs: 600,
    budgetMsPerSecond: 200,
    reloadMs: 5000,
    workerHeapMb: 192,
  };
}
