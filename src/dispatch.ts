import type { ApiContext } from './context.ts';
import { operationOf } from './contract/document.ts';
import type { Input, OperationId, PlainReply, PlainRequest } from './contract/types.ts';
import { contractErrors } from './contract/validate.ts';
import { forbidden, invalid } from './domain/errors.ts';
import { table } from './operations/table.ts';

/**
 * Runs one operation for an authenticated caller, over any protocol: scope, validation, operation.
 * Throws 403 `scope`, 422, and whatever the operation throws.
 */
export async function dispatch(ctx: ApiContext, request: PlainRequest): Promise<PlainReply> {
  const { scope } = operationOf(request.operationId);
  if (!ctx.actor.scopes.has(scope))
    throw forbidden('scope', 'This credential does not have the scope that the operation needs.', {
      required_scope: scope,
    });
  return run(ctx, request);
}

async function run<O extends OperationId>(
  ctx: ApiContext,
  request: PlainRequest & { operationId: O },
): Promise<PlainReply> {
  const operation = table[request.operationId];
  const errors = contractErrors(request);
  if (errors.length > 0) throw invalid([...errors, ...((await operation.check?.(ctx, request, errors)) ?? [])]);
  const { path, query, header, body } = request;
  // The one place where a request becomes an Input: contractErrors has just found nothing against it.
  return operation.run(ctx, { path, query, header, body } as Input<O>);
}
