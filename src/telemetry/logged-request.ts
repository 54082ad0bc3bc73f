import type { Environment, Protocol } from '../domain/environment.ts';
import type { Reasons } from '../domain/errors.ts';

/** Our own status for a request whose connection closed before it was answered. */
export const statusUnanswered = 499;

/** How long requests are kept. */
export const requestLogDays = 7;

/** Why a request was refused: `details.reason`, `invalid_input` for a 422, which lists fields, and `mcp_message` for an error of JSON-RPC. */
export type RefusalReason = Reasons[keyof Reasons] | 'invalid_input' | 'mcp_message';

/** One entry of a company's request log. Contains no bodies, query strings or addresses, and no words of the client's choosing. */
export interface LoggedRequest {
  readonly companyId: bigint;
  readonly environment: Environment;
  readonly at: Date;
  readonly requestId: string;
  readonly protocol: Protocol;
  /** The operationId that was called, or over REST asked for in vain; null if there is none. */
  readonly operation: string | null;
  /** HTTP status; for a tool call, that of the same call over REST, and 400 for what is not understood as MCP. */
  readonly status: number;
  readonly credentialId: number;
  readonly latencyMs: number;
  /** The client's trace context, if it sent one. */
  readonly traceparent: string | null;
  /** A RefusalReason; null if the request was not refused. */
  readonly reason: string | null;
  /** The names that a refusal lists, at most 20; those that the contract lacks only as their number: `2 unknown`. */
  readonly fields: readonly string[];
  /** The job that was asked for, made, or made before with the same key. */
  readonly jobId: number | null;
  /** What a refusal but a 422 said, if that is an example of the contract: all else may hold the client's words. */
  readonly message: string | null;
}
