import type pg from 'pg';

/** Long enough to plan next to nothing, short enough for a table that has just begun to fill. */
const plansKeptMs = 10_000;

/**
 * PostgreSQL would plan a statement anew at every execution where it takes a plan for the very values to be cheaper, as it does for each
 * list of keys: of the look-up of a credential the planning was four fifths. Told to keep the plans, it keeps one that was made for an
 * empty table until an ANALYZE, however large the table grows: so each connection drops its plans now and then.
 */
export class KeptPlans {
  /** For `options` of a connection. */
  static readonly options = '-c plan_cache_mode=force_generic_plan';
  readonly #keptMs: number;
  readonly #since = new WeakMap<pg.ClientBase, number>();

  constructor(keptMs = plansKeptMs) {
    this.#keptMs = keptMs;
  }

  /** To be called before a connection is used; what is sent next is planned anew where it is time. */
  renew(client: pg.ClientBase): void {
    const now = performance.now();
    const since = this.#since.get(client);
    if (since !== undefined && now - since < this.#keptMs) return;
    this.#since.set(client, now);
    // A new connection has no plans. Whoever uses a broken one hears of it from their own statement.
    if (since !== undefined) client.query('DISCARD PLANS').catch(() => undefined);
  }
}
