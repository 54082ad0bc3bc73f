import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IssuedCredential } from '../auth/authenticate-request.ts';
import { type Environment, environmentOfPath, type Protocol, protocolOfPath } from '../domain/environment.ts';

/** The status that was sent, or that the connection ended first. */
export type Outcome = number | 'aborted';

/** A request from its head to its one end: its response has been sent or its client has left. What it waits for is given up there. */
export class Lifetime {
  readonly #listeners: ((outcome: Outcome) => void)[] = [];
  #outcome: Outcome | undefined;

  /** Called once at the end, also if that has passed. */
  onEnd(listener: (outcome: Outcome) => void): void {
    if (this.#outcome === undefined) this.#listeners.push(listener);
    else listener(this.#outcome);
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
  /** By `performance.now()`. */
  readonly startedMs: number;
  /** The client's trace context (W3C): from the header, or over MCP from the message. */
  traceparent?: string | undefined;
  /** Of its method and path. */
  askedOperationId?: string | undefined;
  /** The operation that it reached. */
  operationId?: string;
  jobId?: number;
  /** Whose request it is, also if the credential is refused. */
  credential?: IssuedCredential;
  /** The request passed the company's limit. The request log lists only a sample of those that did not. */
  isCounted?: boolean;
  refused?: Refused;
  /** Health checks are not logged: proxies ask every second. */
  isHealthCheck?: boolean;
  /** The tool calls of an MCP request, and its messages that were not understood. */
  toolCalls?: LoggedCall[] | undefined;
}

/** Why a request is refused: an ApiError, or what has none. */
export interface Refused {
  readonly code: string;
  readonly message?: string;
  /** Of `invalid_input`, by the names of fields. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A tool call, with its REST status or its refusal once known. */
export interface LoggedCall {
  readonly operationId: string | null;
  jobId?: number;
  status?: number;
  refused?: Refused;
}

/** `response.locals` is Express' own; it keeps one that is there already. */
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

/** A client's trace context (W3C Trace Context), without what a later version appends; undefined if it is none. */
export function traceparentOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !format.test(value)) return undefined;
  const isWhole = value.length === charactersMax || (value[charactersMax] === '-' && !value.startsWith('00'));
  return isWhole ? value.slice(0, charactersMax) : undefined;
}
