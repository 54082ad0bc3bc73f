import { type ApiError, unavailable } from '../domain/errors.ts';
import { Budgets } from './budgets.ts';
import type { SanitizerSettings } from './settings.ts';

/** Gives a place back; call it once. */
export type Release = () => void;

interface Waiter {
  admit: () => void;
  refuse: (error: ApiError) => void;
}

interface Lane {
  running: number;
  waiting: Waiter[];
}

export type TurnSettings = Pick<
  SanitizerSettings,
  | 'runningMax'
  | 'runningPerCompanyMax'
  | 'waitingMax'
  | 'waitingPerCompanyMax'
  | 'waitMs'
  | 'startMs'
  | 'budgetMs'
  | 'budgetMsPerSecond'
>;

const retrySeconds = 2;
const busy = () =>
  unavailable('sanitizer', 'Too many job bodies are being checked; send the request again.', retrySeconds);
const busyCompany = () =>
  unavailable(
    'sanitizer',
    'Your company has too many bodies being checked; send fewer at the same time.',
    retrySeconds,
  );
const inDebt = (seconds: number) =>
  unavailable(
    'sanitizer',
    "Checking your company's HTML took very long; its next HTML is taken after a pause. Close your tags in order and use fewer.",
    seconds,
  );
const closed = () => unavailable('draining', 'The service is shutting down; send the request again.', retrySeconds);

/** Places shared fairly: each company has a lane of its own, and the lane that was served longest ago goes first. */
export class Turns {
  readonly #budgets: Budgets;
  readonly #settings: TurnSettings;
  readonly #freeWorkers: () => number;
  readonly #lanes = new Map<bigint, Lane>();
  #running = 0;
  #waiting = 0;
  #hasServed = false;
  #isClosed = false;

  constructor(settings: TurnSettings, freeWorkers: () => number) {
    this.#settings = settings;
    this.#freeWorkers = freeWorkers;
    this.#budgets = new Budgets(settings.budgetMs, settings.budgetMsPerSecond);
  }

  /** Waits for a place and a loaded worker until `waitMs` have passed. Throws 503 then, when too many wait, in debt, and after `close`. */
  async take(companyId: bigint): Promise<Release> {
    if (this.#isClosed) throw closed();
    const debtSeconds = this.#budgets.debtSeconds(companyId);
    if (debtSeconds > 0) throw inDebt(debtSeconds);
    const lane = this.#lanes.get(companyId) ?? { running: 0, waiting: [] };
    if (lane.waiting.length >= this.#settings.waitingPerCompanyMax) throw busyCompany();
    if (this.#waiting >= this.#settings.waitingMax) throw busy();
    this.#lanes.set(companyId, lane);
    await this.#wait(companyId, lane);
    return () => {
      this.#running -= 1;
      lane.running -= 1;
      this.#forgetIfEmpty(companyId, lane);
      this.wake();
    };
  }

  /** What a body has cost, as a rule before its place is given back; in debt, the company's others are refused with 503. */
  charge(companyId: bigint, ms: number): void {
    this.#budgets.spend(companyId, ms);
    const debtSeconds = this.#budgets.debtSeconds(companyId);
    if (debtSeconds === 0) return;
    for (const waiter of [...(this.#lanes.get(companyId)?.waiting ?? [])]) waiter.refuse(inDebt(debtSeconds));
  }

  /** Admits whoever may go; to be called also when a worker has loaded. */
  wake(): void {
    while (this.#running < this.#settings.runningMax) {
      const next = [...this.#lanes].find(([, lane]) => this.#mayGo(lane));
      if (!next) return;
      const [companyId, lane] = next;
      // A Map keeps the order of insertion: set again, the lane stands last.
      this.#lanes.delete(companyId);
      this.#lanes.set(companyId, lane);
      this.#running += 1;
      lane.running += 1;
      this.#hasServed = true;
      lane.waiting[0]?.admit();
    }
  }

  figures(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
  }

  close(): void {
    this.#isClosed = true;
    for (const waiter of [...this.#lanes.values()].flatMap((lane) => lane.waiting)) waiter.refuse(closed());
  }

  #mayGo(lane: Lane): boolean {
    return (
      lane.waiting.length > 0 &&
      lane.running < this.#settings.runningPerCompanyMax &&
      this.#freeWorkers() > this.#running
    );
  }

  #wait(companyId: bigint, lane: Lane): Promise<void> {
    // The first bodies after a start find no worker that is ready; refusing them would be a poor welcome.
    const waitMs = this.#hasServed ? this.#settings.waitMs : this.#settings.startMs;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        lane.waiting.splice(lane.waiting.indexOf(waiter), 1);
        this.#waiting -= 1;
      };
      const waiter: Waiter = {
        admit: () => {
          leave();
          resolve();
        },
        refuse: (error) => {
          leave();
          this.#forgetIfEmpty(companyId, lane);
          reject(error);
        },
      };
      const timer = setTimeout(() => waiter.refuse(busy()), waitMs);
      lane.waiting.push(waiter);
      this.#waiting += 1;
      this.wake();
    });
  }

  #forgetIfEmpty(companyId: bigint, lane: Lane): void {
    if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(companyId);
  }
}
