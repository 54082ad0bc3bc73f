/** How many connections the service takes, and how long it waits for what. */
export interface PoolSettings {
  /** Connections for writes and transactions; reads share four more. */
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
