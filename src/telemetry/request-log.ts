import { isMissingReference } from '../database/database-errors.ts';
import type { Database, Db } from '../database/open.ts';
import { type Log, logLasting } from '../log.ts';
import type { LoggedRequest } from './logged-request.ts';
import { insertRequests } from './request-log-sql.ts';

const waitingMax = 10_000;
const batchMax = 500;
const writtenEveryMs = 1000;

/**
 * The companies' request log, written in batches in the background and kept for `requestLogDays`. Under load it loses entries instead of
 * slowing the service: entries beyond the buffer, and batches that the database refuses, are dropped and counted.
 */
export class RequestLog {
  readonly #database: Pick<Database, 'db' | 'connectionsFor'>;
  readonly #log: Log;
  readonly #clock: () => Date;
  readonly #sample = new MinuteSample();
  #waiting: LoggedRequest[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #dropped = 0;
  #droppedReported = 0;

  constructor(database: Pick<Database, 'db' | 'connectionsFor'>, log: Log, clock: () => Date) {
    this.#database = database;
    this.#log = log;
    this.#clock = clock;
  }

  /** Entries lost since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  record(entry: LoggedRequest): void {
    if (this.#waiting.length >= waitingMax) {
      this.#dropped += 1;
      return;
    }
    const waiting = this.#waiting.push(entry);
    if (waiting >= batchMax) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), writtenEveryMs).unref();
  }

  /**
   * Records at most ten entries a minute per company, environment and status. Used for requests that no limit counts, such as those with a
   * revoked credential.
   */
  recordSample(entry: LoggedRequest): void {
    const { companyId, environment, status } = entry;
    if (this.#sample.takes(`${companyId} ${environment} ${status}`, this.#clock())) this.record(entry);
  }

  /** Resolves when every recorded entry is written or dropped. */
  async flush(): Promise<void> {
    this.#write();
    await this.#writing;
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
      const written = [...(await this.#byConnections(batch))].map(([db, entries]) => this.#insert(db, entries));
      await Promise.all(written);
    }
    this.#reportDropped();
  }

  /**
   * Inserts a batch. If the database refuses the batch because of an erased company, inserts it in halves, so that only that company's
   * entries are lost.
   */
  async #insert(db: Db, entries: readonly LoggedRequest[]): Promise<void> {
    try {
      await insertRequests(db, entries);
    } catch (error) {
      if (entries.length === 1 || !isMissingReference(error)) return this.#drop(entries.length, error);
      const half = Math.ceil(entries.length / 2);
      for (const part of [entries.slice(0, half), entries.slice(half)]) await this.#insert(db, part);
    }
  }

  /** Groups a batch by node, so that if a node is down, only the entries of its companies are lost. */
  async #byConnections(batch: readonly LoggedRequest[]): Promise<Map<Db, LoggedRequest[]>> {
    const entriesOf = new Map<Db, LoggedRequest[]>();
    for (const entry of batch) {
      const { db } = await this.#database.connectionsFor(entry.companyId).catch(() => this.#database);
      const entries = entriesOf.get(db) ?? [];
      entriesOf.set(db, entries);
      entries.push(entry);
    }
    return entriesOf;
  }

  #drop(entries: number, error: unknown): void {
    this.#dropped += entries;
    logLasting(this.#log, 'a batch of the request log was not written', { error });
  }

  #reportDropped(): void {
    if (this.#dropped === this.#droppedReported) return;
    this.#log.warn(
      { dropped: this.#dropped - this.#droppedReported, total: this.#dropped },
      'request log entries were dropped',
    );
    this.#droppedReported = this.#dropped;
  }
}

const perKeyMax = 10;
const keysMax = 10_000;

/** Accepts the first ten items per key and minute, for at most 10,000 keys. */
export class MinuteSample {
  #minute = Number.NaN;
  readonly #taken = new Map<string, number>();

  /** Whether to accept one more item of this key. */
  takes(key: string, now: Date): boolean {
    const minute = Math.floor(now.getTime() / 60_000);
    if (minute !== this.#minute) this.#taken.clear();
    this.#minute = minute;
    const taken = this.#taken.get(key) ?? 0;
    if (taken >= perKeyMax || (taken === 0 && this.#taken.size >= keysMax)) return false;
    this.#taken.set(key, taken + 1);
    return true;
  }
}
