import pg from 'pg';
import type { KeptPlans } from './kept-plans.ts';

interface Lane {
  readonly client: pg.Client;
  readonly ready: Promise<unknown>;
  inFlight: number;
  corked: boolean;
}

/**
 * A few connections that many single statements share: each is written without waiting for the answer to the one before, and those of
 * one turn of the event loop go out in one write. For reads alone: a statement that waits for a lock would hold up all behind it.
 */
export class Lanes {
  readonly #config: pg.ClientConfig;
  readonly #max: number;
  readonly #plans: KeptPlans | undefined;
  #lanes: Lane[] = [];
  #ended = false;

  constructor(config: pg.ClientConfig, max: number, plans?: KeptPlans) {
    this.#config = { ...config, pipeline: true };
    this.#max = max;
    this.#plans = plans;
  }

  /** Sends one statement outside any transaction; rejects as `pg.Client` does. */
  async query(...query: Parameters<pg.Client['query']>): Promise<unknown> {
    if (this.#ended) throw new Error('Cannot use a pool after calling end on the pool');
    const lane = this.#idlest();
    lane.inFlight++;
    try {
      await lane.ready;
      gather(lane);
      this.#plans?.renew(lane.client);
      return await lane.client.query(...query);
    } catch (error) {
      if (!isOfTheStatement(error)) this.#drop(lane);
      throw error;
    } finally {
      lane.inFlight--;
    }
  }

  /** Lets what is in flight end, and closes the connections. */
  async end(): Promise<void> {
    this.#ended = true;
    await Promise.allSettled(this.#lanes.map(({ client, ready }) => ready.then(() => client.end())));
  }

  #idlest(): Lane {
    let idlest: Lane | undefined;
    for (const lane of this.#lanes) if (!idlest || lane.inFlight < idlest.inFlight) idlest = lane;
    return idlest && (idlest.inFlight === 0 || this.#lanes.length >= this.#max) ? idlest : this.#open();
  }

  /** A connection that breaks tells those who wait on it, and is no longer chosen. */
  #open(): Lane {
    const client = new pg.Client(this.#config);
    const lane: Lane = { client, ready: client.connect(), inFlight: 0, corked: false };
    const drop = (): void => this.#drop(lane);
    client.on('error', drop).on('end', drop);
    lane.ready.catch(drop);
    this.#lanes.push(lane);
    return lane;
  }

  #drop(lane: Lane): void {
    if (!this.#lanes.includes(lane)) return;
    this.#lanes = this.#lanes.filter((other) => other !== lane);
    // Others may still be waiting for answers on it: it closes when they have them, or breaks under them.
    void lane.ready.then(() => lane.client.end()).catch(() => undefined);
  }
}

/** Holds back what is written until the events of this turn have been handled. */
function gather(lane: Lane): void {
  if (lane.corked) return;
  lane.corked = true;
  const { stream } = lane.client.connection;
  stream.cork();
  setImmediate(() => {
    lane.corked = false;
    stream.uncork();
  });
}

/** The server answered and the session goes on; only FATAL and PANIC end it (PostgreSQL 55.8). */
export const isOfTheStatement = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR';
