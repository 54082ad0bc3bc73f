import type { RequestHandler, Response } from 'express';
import type { Caller } from '../domain/actor.ts';
import { environmentOfPath } from '../domain/environment.ts';
import { type Protocol, statusUnanswered } from '../domain/request-entry.ts';
import type { Log } from '../log.ts';
import type { Answered } from '../telemetry/metrics.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import type { HeadersOf } from './standing-headers.ts';

/** What the layers of one request leave for the log. */
export interface RequestContext {
  readonly requestId: string;
  protocol?: Protocol;
  operationId?: string;
  caller?: Caller;
  /** The company's limit has let the request in. Of all others, which no limit bounds, the request log lists a sample. */
  isCounted?: boolean;
  /** The tool calls of one MCP request, each with the status that it has over REST once that is known. */
  toolCalls?: { readonly operationId: string; status?: number }[];
}

export const requestContextOf = (response: Response): RequestContext => response.locals.trace as RequestContext;

export interface RequestContextDeps {
  readonly log: Log;
  readonly requestLog: RequestLog;
  readonly clock: () => Date;
  readonly headersOf: HeadersOf;
  /** Told of every answer, for metrics. */
  readonly observe?: ((answered: Answered) => void) | undefined;
}

/**
 * The outermost layer of Express: begins a request's trace, with the headers that every answer carries; when the answer has gone, there is one log
 * line and the company's own.
 */
export function requestContext({ log, requestLog, clock, headersOf, observe }: RequestContextDeps): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const environment = environmentOfPath(request.path);
    const headers = headersOf(request);
    response.set(headers);
    const context: RequestContext = { requestId: headers['X-Request-Id'] ?? '' };
    response.locals.trace = context;
    response.on('close', () => {
      const { requestId, protocol, operationId: operation, caller } = context;
      const ms = Math.round(performance.now() - started);
      const status = response.writableFinished ? response.statusCode : 'aborted';
      observe?.({ operation, protocol, environment, status, seconds: ms / 1000 });
      log.info({
        requestId,
        protocol,
        environment,
        method: request.method,
        operation,
        status,
        ms,
        company: caller && Number(caller.tenant.companyId),
        credential: caller?.credentialId,
      });
      noteRequest(requestLog, context, status, clock().getTime() - ms, ms);
    });
    next();
  };
}

/** One entry for a request of a known company; of several tool calls in one request, one each. */
function noteRequest(
  requestLog: RequestLog,
  { requestId, protocol, operationId, caller, toolCalls, isCounted }: RequestContext,
  answered: number | 'aborted',
  startedAt: number,
  latencyMs: number,
): void {
  if (!caller || !protocol) return;
  const { tenant, credentialId } = caller;
  const { companyId, environment } = tenant;
  const status = answered === 'aborted' ? statusUnanswered : answered;
  const at = new Date(startedAt);
  const note = (operation: string | null, own: number): void => {
    const entry = { companyId, environment, at, requestId, protocol, operation, status: own, credentialId, latencyMs };
    if (isCounted) requestLog.note(entry);
    else requestLog.noteSample(entry);
  };
  if (!toolCalls) note(operationId ?? null, status);
  else for (const call of toolCalls) note(call.operationId, status === 200 ? (call.status ?? status) : status);
}
