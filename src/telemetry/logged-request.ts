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
  /**
   * The id of the resource that the request named or created, or that an earlier request with the same idempotency key created. `operation`
   * shows the kind of resource.
   */
  readonly resourceId: number | null;
  /**
   * The message of a refusal. Null if the message contains values, because these may be the client's words. For a 422, one line for each of
   * the first fields, with the field's name and a message that contains no values but numbers.
   */
  readonly message: string | null;
}
