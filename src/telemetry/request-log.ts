import type { Db } from '../database/open.ts';
import { type RequestEntry, requestLogDays } from '../domain/request-entry.ts';
import type { Log } from '../log.ts';
import { insertRequests, purgeRequests } from '../queries/request-log.ts';
import { MinuteSample } from './minute-sample.ts';

const waitingMax = 10_000;
const batchMax = 500;
const writtenEveryMs = 1000;
const purgedEveryMs = 3_600_000;
const purgeRowsMax = 1000;
const dayMs = 86_400_000;

/**
 * The companies' request log, written in batches off the request's way. It gives way before the service does: what does not fit
 * the buffer, and what the database does not take, is dropped and counted.
 */
export class RequestLog {
  readonly #db: Db;
  readonly #log: Log;
  readonly #clock: () => Date;
  readonly #sample = new MinuteSample();
  #waiting: RequestEntry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #purging: Promise<void> | undefined;
  #purgedAt = Number.NEGATIVE_INFINITY;
  #dropped = 0;
  #droppedSaid = 0;

  constructor(db: Db, log: Log, clock: () => Date) {
    this.#db = db;
    this.#log = log;
    this.#clock = clock;
  }

  /** Entries lost since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  note(entry: RequestEntry): void {
    if (this.#waiting.length >= waitingMax) {
      this.#dropped += 1;
      return;
    }
    const waiting = this.#waiting.push(entry);
    if (waiting >= batchMax) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), writtenEveryMs).unref();
  }

  /** Notes ten a minute for each company, environment and status: for what a company can send without end. */
  noteSample(entry: RequestEntry): void {
    const { companyId, environment, status } = entry;
    if (this.#sample.takes(`${companyId} ${environment} ${status}`, this.#clock())) this.note(entry);
  }

  /** Resolves when what has been noted is written or dropped. */
  async settle(): Promise<void> {
    this.#write();
    await this.#writing;
    await this.#purging;
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing || this.#waiting.length === 0) return;
    this.#writing = this.#writeWaiting().finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, batchMax);
      await insertRequests(this.#db, batch).catch((error: unknown) => {
        this.#dropped += batch.length;
        this.#log.warn({ error }, 'a batch of the request log was not written');
      });
    }
    this.#sayDropped();
    this.#purge();
  }

  #sayDropped(): void {
    if (this.#dropped === this.#droppedSaid) return;
    this.#log.warn(
      { dropped: this.#dropped - this.#droppedSaid, total: this.#dropped },
      'request log entries were dropped',
    );
    this.#droppedSaid = this.#dropped;
  }

  /** Deletes what is too old, a little at a time, between two writes and at most once an hour. */
  #purge(): void {
    const now = this.#clock().getTime();
    if (this.#purging || now - this.#purgedAt < purgedEveryMs) return;
    this.#purgedAt = now;
    this.#purging = this.#purgeBefore(new Date(now - requestLogDays * dayMs))
      .catch((error: unknown) => this.#log.warn({ error }, 'old entries of the request log were not deleted'))
      .finally(() => {
        this.#purging = undefined;
      });
  }

  async #purgeBefore(before: Date): Promise<void> {
    while ((await purgeRequests(this.#db, before, purgeRowsMax)) === purgeRowsMax);
  }
}
