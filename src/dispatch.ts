import type { ApiContext } from './context.ts';
import { operationOf } from './contract/document.ts';
import type { Input, OperationId, PlainReply, PlainRequest, Query } from './contract/types.ts';
import { contractErrors } from './contract/validate.ts';
import { bearerChallenge, invalid, refusal } from './domain/errors.ts';
import { ownJob } from './operations/jobs/api/get-job.ts';
import { table } from './operations/table.ts';

/**
 * Runs one operation for an authenticated caller, over any protocol: scope, validation, operation.
 * Throws 403 `scope`, 404 `job`, 422, and whatever the operation throws.
 */
export async function dispatch(ctx: ApiContext, request: PlainRequest): Promise<PlainReply> {
  const { path, operationId } = request;
  const { scope, isOfJob } = operationOf(operationId);
  const jobId = isOfJob && Number.isInteger(path.id) ? Number(path.id) : undefined;
  if (jobId !== undefined && jobId >= 1 && Number.isSafeInteger(jobId)) ctx.about.jobId = jobId;
  if (!ctx.actor.scopes.has(scope)) throw missingScope(scope);
  const errors = contractErrors(request, ctx.nameOf);
  if (errors.length === 0) return run(ctx, request);
  // Section 4.1: a job that does not exist is 404, whatever else is wrong.
  const job = jobId === undefined ? undefined : await ownJob(ctx, jobId);
  const { refuse } = table[operationId];
  if (refuse) return refuse(ctx, request, errors, job);
  throw invalid(errors);
}

/** RFC 6750 section 3.1. Only REST sends the header: over MCP the HTTP request itself succeeds. */
const missingScope = (scope: string) =>
  refusal(
    403,
    'scope',
    "This credential can only read. In the dashboard (/dashboard), the company's main account can issue one that can write.",
    { required_scope: scope },
    { 'WWW-Authenticate': bearerChallenge({ error: 'insufficient_scope', scope }) },
  );

function run<O extends OperationId>(
  ctx: ApiContext,
  { operationId, path, query, header, body }: PlainRequest & { operationId: O },
): Promise<PlainReply> {
  // The only place where a request becomes an Input: contractErrors has just found it valid.
  return table[operationId].run(ctx, { path, query, header, body } as Input<O, keyof Query<O>>);
}
