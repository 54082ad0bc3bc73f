import type { Environment } from './environment.ts';

export type Protocol = 'rest' | 'mcp';

/** A status of our own for a request that ended without an answer: the caller hung up, or the connection was cut. */
export const statusUnanswered = 499;

/** How long the request log goes back. */
export const requestLogDays = 7;

/** One line of a company's request log: neither bodies nor query strings nor addresses. */
export interface RequestEntry {
  readonly companyId: bigint;
  readonly environment: Environment;
  readonly at: Date;
  readonly requestId: string;
  readonly protocol: Protocol;
  /** The operationId; null where the request reached none. */
  readonly operation: string | null;
  /** HTTP status; of a tool call the status that the same call has over REST. */
  readonly status: number;
  readonly credentialId: number;
  readonly latencyMs: number;
}
