import type { Reason } from './contract.ts';

interface Facts {
  readonly status: number;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly cause?: unknown;
}

/** Whatever kept a call from succeeding: a refusal of the service, or after the last attempt no answer at all. */
export class VagaError extends Error {
  override readonly name = 'VagaError';
  /** The HTTP status; 0 where no answer came, and then `cause` says why. */
  readonly status: number;
  /** Why, from the contract's list for this status; undefined for 422 and 0. */
  readonly reason: Reason | undefined;
  /** What helps next; for 422 the messages by field. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The key of a create that failed: the same job sent with it again is never made twice. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, facts: Facts) {
    super(message, { cause: facts.cause });
    const { reason } = facts.details ?? {};
    this.status = facts.status;
    this.details = facts.details ?? {};
    this.reason = facts.status !== 422 && typeof reason === 'string' ? reason : undefined;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.idempotencyKey = facts.idempotencyKey;
  }

  /** The messages by field of a 422; empty for every other status. */
  get fields(): Readonly<Record<string, readonly string[]>> {
    // The contract's ValidationError: nothing but lists of messages.
    return this.status === 422 ? (this.details as Record<string, string[]>) : {};
  }
}
