import type { IncomingMessage } from 'node:http';
import { operations, wholeBody, wholeQuery } from '../contract/document.ts';
import { tools } from '../contract/tools.ts';
import { type FieldError, filled } from '../domain/message.ts';
import { type Log, logLasting } from '../log.ts';
import { statusUnanswered } from '../telemetry/logged-request.ts';
import type { CompletedRequest } from '../telemetry/metrics.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import type { Outcome, Refused, RequestContext } from './request-context.ts';

export interface RequestRecords {
  readonly log: Log;
  readonly requestLog: RequestLog;
  readonly clock: () => Date;
  /** Called after each response, for metrics. */
  readonly observe?: ((completed: CompletedRequest) => void) | undefined;
}

/** Express adds the route of the page that answered. */
type Request = IncomingMessage & { readonly baseUrl?: string; readonly route?: { readonly path: string } };

/** At the end of a request, writes one line in the service's log and one entry in the company's request log. */
export const logRequests =
  ({ log, requestLog, clock, observe }: RequestRecords) =>
  ({ method, baseUrl, route }: Request, context: RequestContext, status: Outcome): void => {
    if (context.isHealthCheck) return;
    const { requestId, environment, protocol, operationId, credential, traceparent, startedMs } = context;
    const ms = Math.round(performance.now() - startedMs);
    observe?.({ operation: operationId, protocol, environment, status, seconds: ms / 1000 });
    const outcomes = outcomesOf(context, status === 'aborted' ? statusUnanswered : status);
    const worst = outcomes.reduce((one, other) => (other.status > one.status ? other : one));
    // Under overload, a line for each refusal would fill the log.
    if (worst.reason === 'overload') logLasting(log, 'requests are refused for overload', { requestId });
    else
      log.info({
        requestId,
        protocol,
        environment,
        method,
        route: protocol || !route ? undefined : `${baseUrl}${route.path}`,
        operation: worst.operation ?? undefined,
        status,
        callStatus: context.toolCalls && worst.status,
        reason: worst.reason ?? undefined,
        ms,
        company: credential && Number(credential.tenant.companyId),
        credential: credential?.credential.id,
        traceparent,
      });
    if (!credential || !protocol) return;
    const sender = { companyId: credential.tenant.companyId, credentialId: credential.credential.id };
    const at = new Date(clock().getTime() - ms);
    const known = { requestId, traceparent: traceparent ?? null, resourceId: context.id ?? null };
    const common = { ...sender, ...known, environment, at, protocol, latencyMs: ms };
    for (const outcome of outcomes) {
      const entry = { ...common, ...outcome };
      if (context.isCounted) requestLog.record(entry);
      else requestLog.recordSample(entry);
    }
  };

/** Returns the outcome of a request, or of each of its tool calls. Calls have a status of their own only in a response with 200. */
const outcomesOf = ({ toolCalls, operationId, askedOperationId, refused }: RequestContext, sent: number) =>
  toolCalls?.map((call) => ({
    operation: call.operationId,
    status: sent === 200 ? (call.status ?? sent) : sent,
    ...(call.id !== undefined && { resourceId: call.id }),
    ...reasonsOf(call.refused),
  })) ?? [{ operation: operationId ?? (refused && askedOperationId) ?? null, status: sent, ...reasonsOf(refused) }];

function reasonsOf({ code, said, details = {}, faults = [] }: Partial<Refused> = {}) {
  if (code === 'invalid_input') {
    const fields = fieldsIn(Object.keys(details));
    return { reason: code, message: messagesOf(faults, fields) || null, fields };
  }
  // Logs only a text without values: a value may be the client's own words.
  const message = said && said.params === undefined ? filled(said) : null;
  return { reason: code ?? null, message, fields: fieldsIn(namesIn(details)) };
}

/** How many characters the names and messages of one entry may have together. The longest names need that many without messages. */
const charactersMax = 400;

/** Returns a line for each of the first fields that a 422 refuses. Replaces values other than numbers: they may be the client's words. */
function messagesOf(faults: readonly FieldError[], fields: readonly string[]): string {
  const charactersLeft = charactersMax - fields.join('').length;
  let said = '';
  for (const [field, { text, params = {}, names = {} }] of faults) {
    if (!contractNames.has(field)) continue;
    const known = Object.entries(params).map(([key, value]) => [key, typeof value === 'number' ? value : '…'] as const);
    const line = `${field} ${filled({ text, params: Object.fromEntries(known), names })}`;
    const longer = said ? `${said}\n${line}` : line;
    if (longer.length > charactersLeft) break;
    said = longer;
  }
  return said;
}

/** Returns the field that is not permitted, or the fields that differ from the first request with the same key. */
const namesIn = ({ field, differing_fields }: NonNullable<Refused['details']>): string[] =>
  [field ?? differing_fields ?? []].flat().map(String);

const fieldsMax = 20;

/** Every name of the contract that a 422 may list, over REST and MCP. */
const contractNames = new Set([
  ...[wholeBody, wholeQuery, 'arguments'],
  ...[...operations.values()].flatMap(({ parameters, bodyFields }) =>
    [parameters.map((p) => p.name), bodyFields].flat(),
  ),
  ...tools.flatMap(({ arguments: places }) => Object.keys(places)),
]);

/** Returns the contract's names, and only the number of the others: an unknown name is the client's word and may be a misplaced secret. */
function fieldsIn(names: readonly string[]): string[] {
  const known = names.filter((name) => contractNames.has(name));
  const unknown = names.length - known.length;
  return [...known.slice(0, fieldsMax), ...(unknown > 0 ? [`${unknown} unknown`] : [])];
}
