import type { Reason } from './contract.ts';

/** A call failed: the service refused it, or the last attempt got no answer. */
export class VagaError extends Error {
  override readonly name = 'VagaError';
  /** The HTTP status. 0 if there was no answer; `cause` then says why. */
  readonly status: number;
  /** One of the contract's reasons for this status; undefined for 422 and 0. */
  readonly reason: Reason | undefined;
  /** The error's details; for 422 the messages by field. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The key of a failed create: sending the same job with it again never creates a second one. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, fields: Pick<VagaError, 'status'> & Partial<VagaError>) {
    super(fields.status === 422 ? withFields(message, fields.details) : message, fields);
    const { reason } = fields.details ?? {};
    this.status = fields.status;
    this.details = fields.details ?? {};
    this.reason = fields.status !== 422 && typeof reason === 'string' ? reason : undefined;
    this.requestId = fields.requestId;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.idempotencyKey = fields.idempotencyKey;
  }

  /** The messages by field of a 422; empty for other statuses. */
  get fields(): Readonly<Record<string, readonly string[]>> {
    // The contract's ValidationError holds only lists of messages.
    return this.status === 422 ? (this.details as Record<string, string[]>) : {};
  }

  /** Returns one line, with the request id. */
  override toString(): string {
    return `${super.toString()}${this.requestId ? ` (request ${this.requestId})` : ''}`;
  }
}

/** Adds the messages by field, because logs and test runners show only the message of an error. */
const withFields = (message: string, fields: VagaError['details'] = {}): string =>
  `${message} ${Object.entries(fields)
    .map(([name, messages]) => `${name}: ${[messages].flat().join(' ')}`)
    .join(' ')}`.trimEnd();
