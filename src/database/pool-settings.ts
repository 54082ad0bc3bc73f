/** How many connections a pool takes, and how long it waits for what. */
export interface PoolSettings {
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly idleInTransactionTimeoutMs: number;
}

export const poolDefaults: PoolSettings = {
  poolSize: 10,
  connectTimeoutMs: 3000,
  statementTimeoutMs: 5000,
  idleInTransactionTimeoutMs: 15_000,
};

/** Connections for what every request waits for; `poolSize` does not change them. */
export const admissionPoolSize = 4;

/** Connections for the pages; `poolSize` does not change them. */
export const pagesPoolSize = 4;
