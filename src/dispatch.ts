import type { Context } from './context.ts';
import { operationOf } from './contract/document.ts';
import type { Input, OperationId, PlainReply, PlainRequest } from './contract/types.ts';
import { contractErrors } from './contract/validate.ts';
import { forbidden, invalid } from './domain/errors.ts';
import type { FieldError, JobFields } from './domain/job-rules.ts';
import { furtherErrors, storedFields } from './operations/jobs/check-job.ts';
import { table } from './operations/table.ts';

/**
 * Runs one operation for a caller that the gate has admitted, whichever protocol it came by: scope, contract, operation.
 * Refuses with 403 `scope` and 422, and with whatever the operation refuses.
 */
export async function dispatch(ctx: Context, request: PlainRequest): Promise<PlainReply> {
  const { scope } = operationOf(request.operationId);
  if (!ctx.caller.scopes.has(scope))
    throw forbidden('scope', 'This credential does not have the scope that the operation needs.', {
      required_scope: scope,
    });
  const errors = contractErrors(request);
  if (errors.length > 0) throw invalid([...errors, ...(await ruleErrors(ctx, request, errors))]);
  return run(ctx, request);
}

function run<O extends OperationId>(ctx: Context, request: PlainRequest & { operationId: O }): Promise<PlainReply> {
  const { operationId, path, query, header, body } = request;
  // The one place where a request becomes an Input: contractErrors has just found nothing against it.
  return table[operationId](ctx, { path, query, header, body } as Input<O>);
}

/**
 * What the rules beyond the schema have against the fields that the schema accepts; of a change, as the stored job would then be. A rule
 * between fields of which the schema refuses one is left for the next try.
 */
async function ruleErrors(
  ctx: Context,
  { operationId, path, body }: PlainRequest,
  known: FieldError[],
): Promise<FieldError[]> {
  if (operationId !== 'createJob' && operationId !== 'updateJob') return [];
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const reported = new Set(known.map(([field]) => field.replace(/\[.*/, '')));
  const accepted = (fields: object): JobFields =>
    Object.fromEntries(Object.entries(fields).filter(([field]) => !reported.has(field)));
  const stored = operationId === 'updateJob' ? await storedFields(ctx, path.id) : {};
  const errors = await furtherErrors(ctx, accepted(body), stored ? accepted({ ...stored, ...body }) : {});
  return errors.filter(([field]) => !reported.has(field));
}
