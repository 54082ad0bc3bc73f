import { unavailable } from '../domain/errors.ts';
import type { Lifetime } from '../domain/request-lifetime.ts';

interface Settings {
  /** Requests and pages of all companies that are worked on at the same time. */
  readonly max: number;
  /** How long one waits for its turn. */
  readonly waitMs?: number;
}

/**
 * `change`: what REST does not get, and every MCP request, whose tool is not known yet. `read`: the rest, and pages, which share four
 * connections. Apart, because reads must not wait for commits on a standby far away.
 */
type Kind = 'read' | 'change';

/** Of each kind at the same time. */
const companyMax = 2;

interface Queue {
  working: number;
  /** First come, first served. */
  readonly waiting: Set<() => void>;
}

const overloaded = () =>
  unavailable('overload', 'Too many requests are being answered at once; wait for these first, or try again.', 1);

/** A company's two reads and two changes are worked on at once, and the rest waits in its own queues: no company waits for another's. */
export class CompanyQueue {
  readonly #max: number;
  readonly #waitMs: number;
  readonly #queues = new Map<string, Queue>();
  #working = 0;
  #refused = 0;

  constructor({ max, waitMs = 10_000 }: Settings) {
    this.#max = max;
    this.#waitMs = waitMs;
  }

  /** How many are worked on. */
  get working(): number {
    return this.#working;
  }

  get refused(): number {
    return this.#refused;
  }

  /**
   * Waits for a turn; its place is held until the lifetime's end and work. Throws 503 `overload` if the process has no place,
   * after `waitMs`, or if the lifetime ends first.
   */
  async enter(companyId: bigint, kind: Kind, lifetime: Lifetime): Promise<void> {
    const key = `${companyId} ${kind}`;
    const queue = this.#queues.get(key) ?? { working: 0, waiting: new Set() };
    if (queue.working >= companyMax) await this.#turn(queue, lifetime);
    else if (this.#working >= this.#max) throw this.#refusal();
    else {
      this.#queues.set(key, queue);
      this.#working += 1;
      queue.working += 1;
    }
    lifetime.hold(() => this.#leave(key, queue));
  }

  #turn({ waiting }: Queue, lifetime: Lifetime): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = (): void => {
        clearTimeout(timer);
        if (waiting.delete(start)) reject(this.#refusal());
      };
      const timer = setTimeout(giveUp, this.#waitMs);
      waiting.add(start);
      lifetime.onEnd(giveUp);
    });
  }

  /** The next one takes the place over. */
  #leave(key: string, queue: Queue): void {
    const [next] = queue.waiting;
    if (next) {
      queue.waiting.delete(next);
      next();
    } else {
      this.#working -= 1;
      queue.working -= 1;
      if (queue.working === 0) this.#queues.delete(key);
    }
  }

  #refusal() {
    this.#refused += 1;
    return overloaded();
  }
}
