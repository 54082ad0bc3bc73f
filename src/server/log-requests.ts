import type { IncomingMessage } from 'node:http';
import { statusUnanswered } from '../domain/access-entry.ts';
import type { ApiError } from '../domain/errors.ts';
import type { Outcome } from '../domain/lifetime.ts';
import type { Log } from '../log.ts';
import type { AccessLog } from '../telemetry/access-log.ts';
import type { CompletedRequest } from '../telemetry/metrics.ts';
import type { RequestContext } from './request-context.ts';

export interface RequestRecords {
  readonly log: Log;
  readonly accessLog: AccessLog;
  readonly clock: () => Date;
  /** Called after each response, for metrics. */
  readonly observe?: ((completed: CompletedRequest) => void) | undefined;
}

/** When a request has ended: one line in the service's log and one entry in the company's access log. */
export const logRequests =
  ({ log, accessLog, clock, observe }: RequestRecords) =>
  ({ method }: IncomingMessage, context: RequestContext, status: Outcome): void => {
    if (context.isHealthCheck) return;
    const { requestId, environment, protocol, operationId: operation, caller, traceparent, startedMs } = context;
    const ms = Math.round(performance.now() - startedMs);
    observe?.({ operation, protocol, environment, status, seconds: ms / 1000 });
    log.info({
      requestId,
      protocol,
      environment,
      method,
      operation,
      status,
      ms,
      company: caller && Number(caller.tenant.companyId),
      credential: caller?.credentialId,
      traceparent,
    });
    recordRequest(accessLog, context, status, clock().getTime() - ms, ms);
  };

/** Records a request of a known company: one entry, or one per tool call. */
function recordRequest(
  accessLog: AccessLog,
  { requestId, protocol, operationId, caller, toolCalls, isCounted, traceparent, refused }: RequestContext,
  outcome: Outcome,
  startedAt: number,
  latencyMs: number,
): void {
  if (!caller || !protocol) return;
  const { tenant, credentialId } = caller;
  const common = { ...tenant, at: new Date(startedAt), requestId, protocol, credentialId, latencyMs };
  const sent = outcome === 'aborted' ? statusUnanswered : outcome;
  for (const call of toolCalls ?? [undefined]) {
    const entry = {
      ...common,
      operation: call?.operationId ?? operationId ?? null,
      status: sent === 200 ? (call?.status ?? sent) : sent,
      traceparent: traceparent ?? null,
      ...reasonsOf(call?.refused ?? refused),
    };
    if (isCounted) accessLog.record(entry);
    else accessLog.recordSample(entry);
  }
}

const fieldsMax = 20;
const fieldCharsMax = 60;

/** A client may give a field any name, also one that PostgreSQL cannot store. */
const loggable = (field: string): string => field.slice(0, fieldCharsMax).replace(/[^ -~]/g, '?');

const reasonsOf = (refused: ApiError | undefined) => ({
  reason: refused?.code ?? null,
  fields: refused?.code === 'invalid_input' ? Object.keys(refused.details).slice(0, fieldsMax).map(loggable) : [],
});
