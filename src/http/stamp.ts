import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { Caller } from '../domain/caller.ts';
import { environmentOfPath } from '../domain/environment.ts';
import type { Log } from '../log.ts';

/** What the layers of one request leave for the log. */
export interface Trace {
  readonly requestId: string;
  protocol?: 'rest' | 'mcp';
  operationId?: string;
  caller?: Caller;
}

export const traceOf = (response: Response): Trace => response.locals.trace as Trace;

/** The outermost layer: the headers that every answer carries, and one log line when the answer has gone. */
export function stamp(log: Log) {
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
      log.info({
        requestId,
        protocol,
        environment,
        method: request.method,
        operation,
        status: response.writableFinished ? response.statusCode : 'aborted',
        ms: Math.round(performance.now() - started),
        company: caller && Number(caller.tenant.companyId),
        credential: caller?.credentialId,
      });
    });
    next();
  };
}
