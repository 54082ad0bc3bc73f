import type { Environment, Protocol } from '../domain/environment.ts';
import type { Reasons } from '../domain/errors.ts';

/** Our own status for a request whose connection closed before it was answered. */
export const statusUnanswered = 499;

/** How long entries of the request log are kept. */
export const requestLogDays = 7;

/**
 * Why a request was refused: `details.reason`; `invalid_input` for a 422, which lists fields instead; `mcp_message` for a JSON-RPC error.
 */
export type RefusalReason = Reasons[keyof Reasons] | 'invalid_input' | 'mcp_message';

/** An entry of a company's request log. Contains no body, query string or address. `traceparent` is its only text from the client. */
export interface LoggedRequest {
  readonly companyId: bigint;
  readonly environment: Environment;
  readonly at: Date;
  readonly requestId: string;
  readonly protocol: Protocol;
  /** The operationId that was called, or that a refused REST request asked for. Null if there is none. */
  readonly operation: string | null;
  /** The HTTP status. A tool call has the status of the same call over REST; a message that is not valid MCP has 400. */
  readonly status: number;
  readonly credentialId: number;
  readonly latencyMs: number;
  /** The client's trace context, if it sent one. */
  readonly traceparent: string | null;
  /** A RefusalReason; null if the request was not refused. */
  readonly reason: string | null;
  /** The names that a refusal lists, at most 20. Names outside the contract appear only as their number: `2 unknown`. */
  readonly fields: readonly string[];
  /** The id of what the request named or created, or of what an earlier one with the same key created. `operation` shows its kind. */
  readonly resourceId: number | null;
  /**
   * The message of a refusal, unless it contains values, which may be the client's words. For a 422, a line for each of the first fields: the
   * field's name and message, in which numbers are the only values.
   */
  readonly message: string | null;
}
