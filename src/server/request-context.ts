import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IssuedCredential } from '../auth/authenticate-request.ts';
import { type Environment, environmentOfPath, type Protocol, protocolOfPath } from '../domain/environment.ts';
import type { FieldError, Message } from '../domain/message.ts';

/** The status that was sent, or 'aborted' if the connection closed first. */
export type Outcome = number | 'aborted';

/**
 * The lifetime of a request: from its head until its response was sent or its client left. When it ends, whatever still
 * waits for this request, such as for a place, stops waiting.
 */
export class Lifetime {
  readonly #listeners = new Set<(outcome: Outcome) => void>();
  #outcome: Outcome | undefined;

  /** Calls the listener once at the end, or at once if the end has passed. Returns a function that takes the listener away. */
  onEnd(listener: (outcome: Outcome) => void): () => void {
    if (this.#outcome === undefined) this.#listeners.add(listener);
    else listener(this.#outcome);
    return () => void this.#listeners.delete(listener);
  }

  /** Only the first call counts. */
  end(outcome: Outcome): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    for (const listener of this.#listeners) listener(outcome);
  }
}

/** What the layers of one request leave for the log and for each other. */
export interface RequestContext {
  readonly requestId: string;
  readonly environment: Environment;
  readonly protocol: Protocol | undefined;
  readonly lifetime: Lifetime;
  /** The value of `performance.now()` when the head was read. */
  readonly startedMs: number;
  /** The client's trace context (W3C): from the header, or over MCP from the message. */
  traceparent?: string | undefined;
  /** The operation that the client asked for by method and path, or by an MCP tool, even if the request was refused before it ran. */
  askedOperationId?: string | undefined;
  /** The operation that the request reached. */
  operationId?: string;
  /** The id of the resource that the request is about; see `Operation.resource`. */
  id?: number;
  /** The credential that was sent, accepted or refused. */
  credential?: IssuedCredential;
  /** Whether the request counted against the company's limit. Of requests that did not, the request log lists only a sample. */
  isCounted?: boolean;
  refused?: Refused;
  /** Health checks are not logged: proxies ask every second. */
  isHealthCheck?: boolean;
  /** The tool calls of an MCP request, and its messages that could not be read. */
  toolCalls?: LoggedCall[] | undefined;
}

/** Why a request is refused: an ApiError, or another object with the same properties. */
export interface Refused {
  readonly code: string;
  readonly said?: Message;
  /** For `invalid_input`, the wrong fields by name. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** What is wrong with those fields. */
  readonly faults?: readonly FieldError[];
}

/** A tool call, with its REST status or its refusal once known. */
export interface LoggedCall {
  readonly operationId: string | null;
  id?: number;
  status?: number;
  refused?: Refused;
}

/** The context is set before Express runs: Express keeps a `response.locals` that exists. */
type WithContext = ServerResponse & { locals: { context: RequestContext } };

export const requestContextOf = (response: ServerResponse): RequestContext => (response as WithContext).locals.context;

/** Sets the standard headers and starts the request context. */
export function startRequestContext(
  request: IncomingMessage,
  response: ServerResponse,
  isHttps: boolean,
): RequestContext {
  const { url = '' } = request;
  const environment = environmentOfPath(url);
  const requestId = randomUUID();
  const context: RequestContext = {
    requestId,
    environment,
    protocol: protocolOfPath(url),
    lifetime: new Lifetime(),
    startedMs: performance.now(),
    traceparent: traceparentOf(request.headers.traceparent),
  };
  (response as WithContext).locals = { context };
  for (const [name, value] of Object.entries(standardHeaders(environment, isHttps, requestId)))
    response.setHeader(name, value);
  return context;
}

/** The headers of every response. HSTS (RFC 6797) only over https. */
export const standardHeaders = (
  environment: Environment,
  isHttps: boolean,
  requestId: string = randomUUID(),
): Record<string, string> => ({
  'X-Request-Id': requestId,
  'X-API-Environment': environment,
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  ...(isHttps ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
});

const format = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}/;

/** Characters of a traceparent of version 00. A later version may append more. */
const charactersMax = 55;

/** A client's trace context (W3C Trace Context), without a later version's additions. Undefined if the value is not a traceparent. */
export function traceparentOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !format.test(value)) return undefined;
  const isWhole = value.length === charactersMax || (value[charactersMax] === '-' && !value.startsWith('00'));
  return isWhole ? value.slice(0, charactersMax) : undefined;
}
