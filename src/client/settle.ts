import type { Outcome, Parts } from './attempt.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { VagaError } from './vaga-error.ts';

/** The answer as a fresh response. Throws a VagaError for a refusal, and with status 0 where there was no answer. */
export function settle(outcome: Outcome, { headers: sent }: Parts, now: Date): Response {
  const idempotencyKey = sent.get('Idempotency-Key') ?? undefined;
  if (outcome.kind === 'failure') {
    const { cause } = outcome;
    throw new VagaError(`No answer from the service: ${wordsOf(cause)}`, { status: 0, idempotencyKey, cause });
  }
  const { response, text } = outcome;
  const { ok, status, headers } = response;
  if (ok) return new Response(text === '' ? null : text, { status, headers });
  const { message, details } = envelopeOf(text);
  throw new VagaError(message ?? `HTTP status ${status}`, {
    status,
    details,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(headers, now),
    idempotencyKey,
  });
}

/** fetch itself says no more than "fetch failed"; its cause knows. */
function wordsOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error && cause.cause.message !== '' ? cause.cause.message : cause.message;
}

interface Envelope {
  readonly message?: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The contract's error body; a proxy in between may have answered something else. */
function envelopeOf(text: string): Envelope {
  try {
    const { message, details } = JSON.parse(text).error;
    if (typeof message === 'string') return { message, details: Object(details) };
  } catch {
    // Not ours: the status alone speaks.
  }
  return { details: {} };
}
