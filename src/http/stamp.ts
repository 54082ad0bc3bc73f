import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { Caller } from '../domain/caller.ts';
import { environmentOfPath } from '../domain/environment.ts';
import { type Protocol, statusUnanswered } from '../domain/request-entry.ts';
import type { RequestLog } from '../gate/request-log.ts';
import type { Log } from '../log.ts';
import type { Answered } from '../operate/metrics.ts';

/** What the layers of one request leave for the log. */
export interface Trace {
  readonly requestId: string;
  protocol?: Protocol;
  operationId?: string;
  caller?: Caller;
  /** The tool calls of one MCP request, each with the status that it has over REST once that is known. */
  toolCalls?: { readonly operationId: string; status?: number }[];
}

export const traceOf = (response: Response): Trace => response.locals.trace as Trace;

export interface Watchers {
  readonly log: Log;
  readonly requestLog: RequestLog;
  readonly clock: () => Date;
  /** Told of every answer, for metrics. */
  readonly observe?: ((answered: Answered) => void) | undefined;
}

/** The outermost layer: the headers that every answer carries, and one log line and the company's own when the answer has gone. */
export function stamp({ log, requestLog, clock, observe }: Watchers) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const started = performance.now();
    const environment = environmentOfPath(request.path);
    const trace: Trace = { requestId: randomUUID() };
    response.locals.trace = trace;
    response.setHeader('X-Request-Id', trace.requestId);
    response.setHeader('X-API-Environment', environment);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-store');
    response.once('close', () => {
      const { requestId, protocol, operationId: operation, caller } = trace;
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
      noteRequest(requestLog, trace, response, clock(), ms);
    });
    next();
  };
}

/** One entry for a request of a known company; of several tool calls in one request, one each. */
function noteRequest(
  requestLog: RequestLog,
  trace: Trace,
  response: Response,
  closedAt: Date,
  latencyMs: number,
): void {
  const { requestId, protocol, operationId = null, caller, toolCalls } = trace;
  if (!caller || !protocol) return;
  const status = response.writableFinished ? response.statusCode : statusUnanswered;
  const entry = {
    ...caller.tenant,
    at: new Date(closedAt.getTime() - latencyMs),
    requestId,
    protocol,
    operation: operationId,
    status,
    credentialId: caller.credentialId,
    latencyMs,
  };
  if (!toolCalls) requestLog.note(entry);
  for (const call of toolCalls ?? []) {
    const own = status === 200 ? (call.status ?? status) : status;
    requestLog.note({ ...entry, operation: call.operationId, status: own });
  }
}
