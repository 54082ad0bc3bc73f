import type { Environment } from './environment.ts';
import type { Reasons } from './errors.ts';

export type Protocol = 'rest' | 'mcp';

/** Our own status for a request whose connection closed before it was answered. */
export const statusUnanswered = 499;

/** How long requests are kept. */
export const accessLogDays = 7;

/** Why a request was refused: `details.reason`, and for a 422, which lists fields, `invalid_input`. */
export type RefusalReason = Reasons[keyof Reasons] | 'invalid_input';

/** One entry of a company's access log. Contains no bodies, query strings or addresses. */
export interface AccessEntry {
  readonly companyId: bigint;
  readonly environment: Environment;
  readonly at: Date;
  readonly requestId: string;
  readonly protocol: Protocol;
  /** The operationId; null if the request reached no operation. */
  readonly operation: string | null;
  /** HTTP status; for a tool call, that of the same call over REST. */
  readonly status: number;
  readonly credentialId: number;
  readonly latencyMs: number;
  /** The client's trace context, if it sent one. */
  readonly traceparent: string | null;
  /** A RefusalReason; null if the request was not refused. */
  readonly reason: string | null;
  /** The fields that a 422 lists, at most 20. */
  readonly fields: readonly string[];
}
